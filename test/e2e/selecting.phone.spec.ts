import { asset, placeAt, pointAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { coveringParts } from './covering.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { Selecting } from './selecting.driver.ts'
import { smallTargets } from './touch-targets.ts'

test('draws a lasso by finger and adds to the selection', async ({ area, given, page }) => {
  const hydrants = [0, 1, 2].map((index) =>
    asset({ id: `hydrant-${index}`, name: `Hydrant ${index}`, geometry: pointAt(index * 400, 600) }),
  )
  const mapId = await given([...hydrants, asset({ id: 'well', name: 'Well', geometry: pointAt(400, 0) })])
  const selecting = new Selecting(page)
  await selecting.open(area, mapId)
  await area.button('Show map').tap()
  const table = new FeatureTable(page)
  await selecting.fold.tap()
  await selecting.button('Select by lasso').tap()
  await expect(selecting.toolbar).toBeHidden()
  await expect(selecting.status).toHaveText('Draw around records to select them.')
  expect(await smallTargets(page)).toEqual([])
  expect(await coveringParts(page)).toEqual([])
  await isAccessible(page)
  const camera = await selecting.canvas.camera()
  await selecting.drawByFinger(placeAt(-150, 500), placeAt(600, 500), placeAt(600, 700), placeAt(-150, 700))
  await expect(selecting.status).toHaveText('2 assets selected.')
  await expect(table.selected).toHaveText('2 selected')
  expect(await selecting.canvas.camera()).toEqual(camera)

  const add = selecting.bar.getByRole('button', { name: 'Add' })
  await add.tap()
  await expect(add).toHaveAttribute('aria-pressed', 'true')
  await selecting.fold.tap()
  await selecting.button('Select all in view').tap()
  await expect(selecting.status).toHaveText('4 assets found, 2 added to the selection.')
  await expect(table.selected).toHaveText('4 selected')
  await selecting.bar.getByRole('button', { name: 'Done' }).tap()
  await expect(selecting.bar).not.toHaveAttribute('data-open')
})
