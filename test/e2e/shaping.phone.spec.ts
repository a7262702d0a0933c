import { parcel, placeAt, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { expect, test } from './fixtures.ts'
import { Shaping } from './shaping.driver.ts'
import { smallTargets } from './touch-targets.ts'

test('moves a shared corner by two taps and deletes another, with a bar that keeps its size', async ({
  given,
  page,
  server,
}) => {
  const mapId = await given([
    parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 200), area: null }),
    parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(200, 0, 200), area: null }),
  ])
  const shaping = new Shaping(page, server)
  const touch = await DrawingByTouch.on(page)
  await shaping.records.open(mapId, 'p1')
  await shaping.start('Lot 1')
  await expect(shaping.button('Corner')).toBeDisabled()
  expect(await smallTargets(page)).toEqual([])
  const before = await shaping.bar.boundingBox()
  await touch.tapAt(placeAt(100, 100))
  await expect(shaping.button('Corner')).toBeEnabled()
  await expect(shaping.status).toHaveText(
    'Drag the corner, or tap its new place. It belongs to Lot 1 and Lot 2.',
  )
  expect(await shaping.bar.boundingBox()).toEqual(before)
  await isAccessible(page)

  await touch.tapAt(placeAt(160, 160))
  await expect(shaping.status).toHaveText('Editing Lot 1. Not saved yet: Lot 1 and Lot 2')

  await touch.tapAt(placeAt(-100, 100))
  await shaping.button('Corner').tap()
  await page.getByRole('menuitem', { name: 'Delete corner' }).tap()
  await shaping.button('Save').tap()
  await expect(shaping.bar).toBeHidden()
  const saved = await shaping.parcels(mapId)
  const [one, two] = ['Lot 1', 'Lot 2'].map((name) => saved.get(name)?.geometry.coordinates[0] ?? [])
  expect(one).toHaveLength(4)
  const moved = one?.find(([lng]) => lng > placeAt(115, 0).lng)
  expect(two).toContainEqual(moved)
})
