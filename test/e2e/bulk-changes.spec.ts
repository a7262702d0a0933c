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
