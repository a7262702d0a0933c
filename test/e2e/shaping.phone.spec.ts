import { parcel, placeAt, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { expect, test } from './fixtures.ts'
import { Shaping } from './shaping.driver.ts'
import { smallTargets } from './touch-targets.ts'

test('keeps the size of the bar when a corner gets selected', async ({ given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 200), area: null })])
  const shaping = new Shaping(page, server)
  const touch = await DrawingByTouch.on(page)
  await shaping.records.open(mapId, 'p1')
  await shaping.start('Lot 1')
  await expect(shaping.button('Corner')).toBeDisabled()
  expect(await smallTargets(page)).toEqual([])
  const before = await shaping.bar.boundingBox()
  await touch.tapAt(placeAt(100, 100))
  await expect(shaping.button('Corner')).toBeEnabled()
  await expect(shaping.status).toHaveText('Drag the corner, or tap its new place. It belongs to Lot 1.')
  expect(await shaping.bar.boundingBox()).toEqual(before)
  await isAccessible(page)

  await shaping.button('Corner').tap()
  await page.getByRole('menuitem', { name: 'Delete corner' }).tap()
  await expect(shaping.button('Undo')).toBeEnabled()
})
