import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('axe finds nothing', { tag: '@painted' }, async ({ map, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await map.open('pine-ridge')
  await expect(map.rows.first()).toBeVisible()
  await isAccessible(page)
  await map.openFilters()
  await map.rows.first().click()
  await expect(map.fact('Status')).toBeVisible()
  await page.locator('details').getByText('Legend').click()
  await isAccessible(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await isAccessible(page)
})
