import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'

test('has no accessibility violations on a phone', { tag: '@painted' }, async ({ map, page }) => {
  await map.open('pine-ridge')
  await expect(map.rows.first()).toBeVisible()
  await isAccessible(page)
  await map.button('Base map and legend').tap()
  const legend = page.getByRole('dialog')
  await expect(legend).toBeVisible()
  await isAccessible(page)
  await legend.getByRole('button', { name: 'Close' }).tap()
  await expect(legend).toBeHidden()
  await map.filtersButton.tap()
  const sheet = new PhoneSheet(page)
  await expect(sheet.filters).toBeVisible()
  await isAccessible(page)
  await sheet.filters.getByRole('button', { name: 'Close' }).tap()
  await expect(sheet.filters).toBeHidden()
  await map.rows.first().tap()
  await expect(map.fact('Status')).toBeVisible()
  await isAccessible(page)
})
