import { asset, parcel, pointAt, squareAt } from '../test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'

const features = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann', geometry: squareAt(-900, 0, 300) }),
  asset({ id: 'a1', name: 'Old well', status: 'operational', geometry: pointAt(0, 900) }),
  asset({ id: 'a2', name: 'Pump', status: 'operational', geometry: pointAt(300, 900) }),
]

test('Undo disappears when another tab changes the record again, and stays for other records', async ({
  area,
  given,
  page,
  context,
  server,
}) => {
  const mapId = await given(features)
  await area.openSection(mapId, 'features', 'administrator')
  const elsewhere = new ConfigArea(await context.newPage(), server)
  await elsewhere.openSection(mapId, 'features')
  const table = new FeatureTable(page)
  const other = new FeatureTable(elsewhere.page)
  await table.statusOf('Old well').selectOption('Maintenance')
  const well = area.toast('‘Old well’: maintenance')
  await expect(well.getByRole('button', { name: 'Undo' })).toBeVisible()
  await well.hover()
  await table.statusOf('Pump').selectOption('Maintenance')
  const pump = area.toast('‘Pump’: maintenance')
  await expect(other.statusOf('Old well')).toHaveValue('maintenance')

  await other.statusOf('Old well').selectOption('Offline')
  await expect(table.statusOf('Old well')).toHaveValue('offline')
  await expect(well).toHaveText('‘Old well’: maintenance.')
  await expect(pump.getByRole('button', { name: 'Undo' })).toBeVisible()

  await table.statusOf('Pump').focus()
  await page.keyboard.press('Control+z')
  await expect(table.statusOf('Pump')).toHaveValue('operational')
  await expect(table.statusOf('Old well')).toHaveValue('offline')
})

test('Undo of a bulk change disappears when it is undone from the list of activities', async ({
  area,
  given,
  page,
  context,
  server,
}) => {
  const mapId = await given(features)
  await area.openSection(mapId, 'features', 'administrator')
  const elsewhere = new ConfigArea(await context.newPage(), server)
  await elsewhere.openSection(mapId, 'map')
  const table = new FeatureTable(page)
  await table.select('Old well').check()
  await table.select('Pump').check()
  await area.button('Set status').click()
  await page.getByRole('menuitem', { name: 'Maintenance' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Set/ }).click()
  const done = area.toast('Set 2 assets to maintenance')
  await expect(done.getByRole('button', { name: 'Undo' })).toBeVisible()
  await done.hover()
  await elsewhere.page.getByRole('button', { name: /^Undo: / }).click()
  await expect(table.statusOf('Pump')).toHaveValue('operational')
  await expect(done).toHaveText('Set 2 assets to maintenance.')
})

test('Ctrl+Z undoes the last changes in Map Features, but not while a field has edits of its own', async ({
  area,
  given,
  page,
}) => {
  await page.setViewportSize({ width: 1600, height: 720 })
  await area.openSection(await given(features), 'features', 'administrator')
  const table = new FeatureTable(page)
  const nothing = area.toast('Nothing to undo')
  await table.grid.focus()
  await page.keyboard.press('Control+z')
  await expect(nothing).toHaveCount(1)

  await table.searchBox.pressSequentially('p')
  await expect(table.row('Old well')).toHaveCount(0)
  await table.statusOf('Pump').selectOption('Maintenance')
  await expect(area.toast('‘Pump’: maintenance')).toBeVisible()
  await table.grid.focus()
  await page.keyboard.press('Control+z')
  await expect(table.statusOf('Pump')).toHaveValue('operational')
  await expect(table.searchBox).toHaveValue('p')
  await expect(area.toast('‘Pump’: maintenance')).toHaveCount(0)

  await table.statusOf('Pump').selectOption('Offline')
  await expect(area.toast('‘Pump’: offline')).toBeVisible()
  await table.searchBox.focus()
  await page.keyboard.press('Control+z')
  await expect(table.searchBox).toHaveValue('')
  await expect(table.statusOf('Pump')).toHaveValue('offline')

  // The last cell edit, then the change before it. Pump moves to its place in the order of statuses.
  await expect(table.names()).toHaveText(['Pump', 'Old well', 'Lot 1'])
  await table.cell('Old well', 'Name').dblclick()
  const name = table.editor('Name')
  await expect(name).toHaveValue('Old well')
  await name.fill('New well')
  await page.keyboard.press('Control+z')
  await expect(name).toHaveValue('Old well')
  await name.fill('New well')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+z')
  await expect(area.toast('‘New well’ is as it was')).toBeVisible()
  await expect(table.row('Old well')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(table.statusOf('Pump')).toHaveValue('operational')
})
