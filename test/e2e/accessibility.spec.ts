import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('has no accessibility violations', { tag: '@painted' }, async ({ map, page }) => {
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

test('changes colors immediately with reduced motion', async ({ map, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
  await map.open('pine-ridge')
  await expect(map.rows.first()).toBeVisible()
  await page.evaluate(() => {
    const begun: string[] = []
    Object.assign(window, { begun })
    document.addEventListener('transitionrun', ({ propertyName }) => begun.push(propertyName))
  })
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  const begun = await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    return (window as unknown as { begun: string[] }).begun
  })
  expect(begun).toEqual([])
})
