import { asset } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { SignInPages } from './sign-in.driver.ts'

// Canceling a sign-in is an error in the browser console.
test.use({ toleratesNetworkFailures: true })

test('keeps the theme after a reload; viewer and configuration are one click away', async ({
  map,
  given,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const mapId = await given([asset({ id: 'a1' })])
  await map.open(mapId)
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light')
  const panel = () => map.sidebar.evaluate((sidebar) => getComputedStyle(sidebar).backgroundColor)
  expect(await panel()).toBe('rgb(255, 255, 255)')
  await map.chooseMore('Dark theme')
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(await panel()).not.toBe('rgb(255, 255, 255)')
  await page.reload()
  await map.button('More pages and settings').click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Viewer',
    'Light theme',
    'Print this page',
    'Keyboard shortcuts',
  ])
  await page.getByRole('menuitem', { name: 'Viewer' }).click()
  await expect(page).toHaveURL(new RegExp(`/webgl/${mapId}`))
  await map.chooseMore('Public map')
  await expect(map.tab('Assets')).toBeVisible()
  await page.getByRole('link', { name: 'Login' }).click()
  await new SignInPages(page).cancel.click()
  await page.getByRole('link', { name: 'Go to the map' }).click()
  await map.open(mapId)
  await map.button('Collapse the sidebar').click()
  await page.getByRole('link', { name: 'Login' }).click()
  await new SignInPages(page).person('Grace Whitfield').click()
  await expect(page).toHaveURL(/config.map$/)
  await map.open(mapId)
  await map.chooseMore('Configuration')
  await expect(page).toHaveURL(new RegExp(`/config/map/${mapId}/map`))
  await page.getByRole('link', { name: 'Public map' }).click()
  await expect(map.button('Logout')).toBeVisible()
})
