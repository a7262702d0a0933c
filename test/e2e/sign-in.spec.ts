import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { SignInPages } from './sign-in.driver.ts'

// Refusals are errors in the browser console.
test.use({ toleratesNetworkFailures: true })

test('is used by keyboard, has no accessibility violations, and fits a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const pages = new SignInPages(page)
  const isFine = async (heading: string) => {
    await expect(pages.heading).toHaveText(heading)
    await isAccessible(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(360)
    for (const control of await page.locator('button:visible, a:visible, summary, input:visible').all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await pages.open()
  await isFine('Choose a demo user')
  await pages.typePassword('grace', 'guess')
  await isFine('Choose a demo user')
  await pages.cancel.click()
  await isFine('Access was denied')
  await pages.tryAgain.click()
  await expect(pages.heading).toHaveText('Choose a demo user')
  await page.keyboard.press('Tab')
  await expect(pages.person('Grace Whitfield')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/config\/map$/)
  expect(await pages.personName()).toBe('Daniel Okafor')
  await page.goto('/demo-identity/session/end')
  await isFine('Sign out of the demo?')
  await page.goto('/sign-in/nowhere')
  await isFine('Page not found')
})
