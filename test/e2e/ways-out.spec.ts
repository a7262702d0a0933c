import { expect, test } from './fixtures.ts'
import { asset } from './test-map.ts'

test('the theme switches and stays', async ({ map, given, page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await map.open(await given([asset({ id: 'a1' })]))
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light')
  const panel = () => map.sidebar.evaluate((sidebar) => getComputedStyle(sidebar).backgroundColor)
  expect(await panel()).toBe('rgb(255, 255, 255)')
  await map.button('Dark theme').click()
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(await panel()).not.toBe('rgb(255, 255, 255)')
  await page.reload()
  await expect(map.button('Light theme')).toBeVisible()
})

test('login, viewer and configuration are one click away, and back again', async ({ map, given, page }) => {
  const mapId = await given([asset({ id: 'a1' })])
  await map.open(mapId)
  for (const [name, path] of [
    ['Login', '/config/map'],
    ['Viewer', `/webgl/${mapId}`],
    ['Configuration', `/config/map/${mapId}`],
  ] as const) {
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).toBeVisible()
    await page.goBack()
    await expect(map.rows.or(map.emptyText).first()).toBeVisible()
  }
})
