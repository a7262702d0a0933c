import { parcelColors } from '#domain/features/palette.ts'
import { asset, parcel, placeAt, pointAt, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'
import { Selecting } from './selecting.driver.ts'

const hydrants = Array.from({ length: 9 }, (_, index) =>
  asset({
    id: `hydrant-${index}`,
    name: `Hydrant ${index}`,
    type: 'water',
    geometry: pointAt((index % 3) * 400, Math.floor(index / 3) * 400),
  }),
)

test('selects rows by box and lasso, adds with Shift, changes them together and undoes it', async ({
  area,
  given,
  page,
}) => {
  const mapId = await given([
    ...hydrants,
    parcel({ id: 'lot', name: 'Lot 1', geometry: squareAt(1_000, 1_000, 500) }),
  ])
  const selecting = new Selecting(page)
  await selecting.open(area, mapId)
  const table = new FeatureTable(page)
  await selecting.button('Select by box').click()
  await expect(selecting.status).toContainText('Drag a box')
  await isAccessible(page)
  const camera = await selecting.canvas.camera()

  await selecting.draw(placeAt(-100, -100), placeAt(900, 100))
  await expect(selecting.status).toHaveText('3 assets selected.')
  await expect(table.selected).toHaveText('3 assets selected')
  await expect(table.select('Hydrant 2')).toBeChecked()
  await expect(table.select('Hydrant 3')).not.toBeChecked()
  await selecting.draw(placeAt(700, 700), placeAt(900, 900))
  await expect(table.selected).toHaveText('2 records selected')
  await expect(table.select('Lot 1')).toBeChecked()
  expect(await selecting.canvas.camera()).toEqual(camera)

  await selecting.begin(placeAt(-100, -100), placeAt(900, 100))
  await expect(selecting.sketch).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(selecting.sketch).toBeHidden()
  await page.mouse.up()
  await expect(table.selected).toHaveText('2 records selected')
  await page.keyboard.press('Escape')
  await expect(selecting.button('Select by box')).toHaveAttribute('aria-pressed', 'false')
  await expect(selecting.bar).not.toHaveAttribute('data-open')

  await selecting.button('Select by lasso').press('Enter')
  await selecting.draw(placeAt(-100, -100), placeAt(550, -100), placeAt(-100, 550), placeAt(-150, 0))
  await expect(selecting.status).toHaveText('3 assets selected.')
  await page.keyboard.down('Shift')
  await selecting.draw(placeAt(300, -100), placeAt(900, -100), placeAt(800, 100), placeAt(300, 50))
  await page.keyboard.up('Shift')
  await expect(selecting.status).toHaveText('2 assets found, 1 added to the selection.')
  await expect(table.selected).toHaveText('4 assets selected')
  await isAccessible(page)
  await selecting.bar.getByRole('button', { name: 'Done' }).click()

  await area.button('Set status').click()
  await page.getByRole('menuitem', { name: 'Maintenance' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Set 4 assets to maintenance' }).click()
  await expect(table.statusOf('Hydrant 2')).toHaveValue('maintenance')
  await area.toast('Set 4 assets to maintenance').getByRole('button', { name: 'Undo' }).click()
  await expect(table.statusOf('Hydrant 2')).toHaveValue('operational')

  await table.filterBy('Kind', 'asset')
  await expect(table.count).toHaveText('9 features')
  await selecting.button('Select all in view').press('Enter')
  await expect(selecting.status).toHaveText('9 assets selected.')
  await expect(table.selected).toHaveText('9 assets selected')
  await area.button('Clear selection').click()
  await expect(selecting.bar).not.toHaveAttribute('data-open')
})

test('highlights selected features on the map until they are deselected', { tag: '@painted' }, async ({
  area,
  given,
  page,
}) => {
  const lots = [0, 1].map((index) =>
    parcel({ id: `lot-${index}`, name: `Lot ${index}`, geometry: squareAt(index * 600, 400, 400) }),
  )
  const mapId = await given(lots)
  const table = new FeatureTable(page)
  const selecting = new Selecting(page)
  const { canvas } = selecting
  await selecting.open(area, mapId)
  const standsOut = async () => {
    const ink = await canvas.ink()
    return Promise.all(
      [0, 600].map(async (east) => {
        const around = boxAround(await canvas.pointOf(placeAt(east, 400)), 50)
        return ink.count(rgb(parcelColors.selected), around, 70) > 0
      }),
    )
  }
  expect(await standsOut()).toEqual([false, false])
  await table.select('Lot 1').check()
  await expect.poll(standsOut).toEqual([false, true])
  await table.choose('Actions', 'Select all 2')
  await expect.poll(standsOut).toEqual([true, true])
  await table.select('Lot 1').uncheck()
  await expect.poll(standsOut).toEqual([true, false])
  await area.button('Clear selection').click()
  await expect.poll(standsOut).toEqual([false, false])
})
