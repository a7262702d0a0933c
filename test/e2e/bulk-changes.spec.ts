import { asset, incident, parcel, pointAt, squareAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'

const hydrants = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    asset({
      id: `hydrant-${index + 1}`,
      name: `Hydrant ${index + 1}`,
      type: 'water',
      geometry: pointAt(index % 100, Math.floor(index / 100)),
    }),
  )

test('previews, applies and undoes a bulk change of selected rows', async ({ area, given, page }) => {
  const mapId = await given([
    ...hydrants(140),
    asset({ id: 'well', name: 'Well', type: 'water', status: 'maintenance', geometry: pointAt(0, 300) }),
    parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(900, 0, 400) }),
    incident({ id: 'i1', title: 'Smoke', geometry: pointAt(1500, 0) }),
  ])
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.sortBy('Name', 'ascending')
  await table.select('Hydrant 1').check()
  await expect(table.selected).toHaveText('1 asset selected')
  await expect(table.details).toBeHidden()
  await table.select('Hydrant 3').click({ modifiers: ['Shift'] })
  await expect(table.selected).toHaveText('3 assets selected')
  await table.row('Hydrant 5').click({ modifiers: ['Control'] })
  await expect(table.selected).toHaveText('4 assets selected')
  await table.select('Hydrant 2').uncheck()
  await expect(table.selected).toHaveText('3 assets selected')
  await isAccessible(page)

  await area.button('Clear the selection').click()
  await table.grid.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(table.selected).toHaveText('3 assets selected')
  await page.keyboard.press('Control+End')
  await table.row('Well').click({ modifiers: ['Shift'] })
  await expect(table.selected).toHaveText('143 records selected')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+a')
  await expect(table.selected).toHaveText('143 records selected')

  await table.filter('Kind').selectOption('Assets')
  await expect(table.count).toHaveText('141 features')
  await expect(table.selected).toBeHidden()
  await table.select('Hydrant 1').check()
  await area.button('Select all 141').click()
  await table.select('Hydrant 2').uncheck()
  await expect(table.selected).toHaveText('140 assets selected')

  await area.button('Set status').click()
  await page.getByRole('menuitem', { name: 'Maintenance' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('139 of 140 assets change; 1 is so already.')
  await expect(dialog).toContainText('operational → maintenance')
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Set 140 assets to maintenance' }).click()
  const toast = area.toast('Set 139 assets to maintenance')
  await expect(toast).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(table.selected).toBeHidden()
  await expect(table.statusOf('Hydrant 1')).toHaveValue('maintenance')
  await expect(table.statusOf('Hydrant 2')).toHaveValue('operational')

  await area.tab('Notifications').click()
  const line = area.sidebar.getByRole('listitem').first()
  await expect(line).toContainText('Grace Whitfield set 139 assets to maintenance')
  await expect(line.getByRole('button', { name: /^Undo/ })).toBeVisible()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(area.toast('139 assets are as before')).toBeVisible()
  await expect(table.statusOf('Hydrant 1')).toHaveValue('operational')
  await expect(area.sidebar.getByRole('listitem').first()).toContainText('undid the change of 139 assets')
  await expect(area.sidebar.getByRole('listitem').nth(1).getByRole('button', { name: /^Undo/ })).toBeHidden()
})

test('shows mixed values in a bulk change, and restores bulk-removed rows', async ({ area, given, page }) => {
  const mapId = await given([
    ...hydrants(3),
    asset({ id: 'well', name: 'Well', type: 'water', description: 'Deep', geometry: pointAt(0, 300) }),
    parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(900, 0, 400) }),
  ])
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.filter('Kind').selectOption('Assets')
  await expect(table.count).toHaveText('4 features')
  await table.select('Well').check()
  await area.button('Select all 4').click()
  await area.button('Change fields…').click()
  const dialog = page.getByRole('dialog')
  const description = dialog.getByLabel('Description')
  await expect(description).toHaveAttribute('placeholder', '2 different values')
  await expect(description).toHaveValue('')
  await expect(dialog.getByLabel('Status')).toHaveValue('operational')
  await expect(dialog).toContainText('Nothing is changed yet.')
  await isAccessible(page)
  await description.fill('Deep')
  await expect(dialog).toContainText('3 of 4 assets change; 1 is so already.')
  await dialog.getByLabel('Type').selectOption('Road')
  await dialog.getByRole('button', { name: 'Change description and type of 4 assets' }).click()
  await expect(area.toast('Changed description and type of 4 assets')).toBeVisible()
  await expect(table.cell('Well', 'Type')).toHaveText('Road')

  await table.select('Hydrant 1').check()
  await table.select('Hydrant 3').click({ modifiers: ['Shift'] })
  await area.button('Remove…').click()
  await expect(dialog).toContainText('leave the map. For 30 days they can be put back.')
  await dialog.getByRole('button', { name: 'Remove 3 assets' }).click()
  await expect(table.count).toHaveText('1 feature')
  await area.toast('Removed 3 assets').getByRole('button', { name: 'Undo' }).click()
  await expect(table.count).toHaveText('4 features')
})

test('shows the progress of a long bulk change and stops it', async ({ area, given, page }) => {
  const mapId = await given(hydrants(1_200))
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.select('Hydrant 1').check()
  await area.button('Select all 1,200').click()
  await area.button('Set status').click()
  await page.getByRole('menuitem', { name: 'Offline' }).click()
  // Blocks progress updates.
  await page.route(/\/bulk-changes\/\w+$/, (route) => route.request().method() === 'GET' || route.continue())
  await page.getByRole('button', { name: 'Set 1,200 assets to offline' }).click()
  const running = page.getByRole('region', { name: 'Change under way' })
  await expect(running).toContainText('Set 1,200 assets to offline…')
  await expect(running).toContainText('0 of 1,200')
  await isAccessible(page)
  await running.getByRole('button', { name: 'Cancel' }).click()
  await expect(area.toast(/Stopped after|Set 1,200 assets to offline\./)).toBeVisible()
  await expect(running).toBeHidden()
})
