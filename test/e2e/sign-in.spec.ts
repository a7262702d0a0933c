import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { SignInPages } from './sign-in.driver.ts'

// Refusals are errors in the browser console.
test.use({ toleratesNetworkFailures: true, sharesPage: false })

test('shows a canceled sign-in with links to retry or leave', async ({ page }) => {
  const pages = new SignInPages(page)
  await pages.open({ returnTo: '/map/pine-ridge' })
  await pages.cancel.click()
  await expect(pages.heading).toHaveText('Access was denied')
  await pages.tryAgain.click()
  await expect(pages.heading).toHaveText('Choose who to be')
  await pages.cancel.click()
  await page.getByRole('link', { name: 'To the map' }).click()
  await expect(page).toHaveURL(/\/$|\/#|\/\?/)
})

test('signs in by keyboard', async ({ page }) => {
  const pages = new SignInPages(page)
  await pages.open()
  await page.keyboard.press('Tab')
  await expect(pages.person('Grace Whitfield')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(pages.person('Daniel Okafor')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/config\/map$/)
  expect(await pages.personName()).toBe('Daniel Okafor')
})

test('rejects a cross-origin request with our cookie', async ({ page, server }) => {
  const pages = new SignInPages(page)
  await pages.open()
  await pages.person('Grace Whitfield').click()
  await expect(page).toHaveURL(/\/config\/map$/)
  // Another port is cross-origin but same-site: forms send our cookies.
  const form = `<form method="post" enctype="text/plain" action="${server.url}/api/session"><button>Win</button></form>`
  const stranger = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(form),
  )
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  await page.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}`)
  const requested = page.waitForRequest(`${server.url}/api/session`)
  await page.getByRole('button').click()
  const request = await requested
  expect((await request.response())?.status()).toBe(403)
  expect((await request.allHeaders()).cookie).toContain('poa-session-')
  stranger.close()
})

test('has no accessibility violations and fits a small phone', async ({ page }) => {
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
  await isFine('Choose who to be')
  await pages.typePassword('grace', 'guess')
  await isFine('Choose who to be')
  await pages.cancel.click()
  await isFine('Access was denied')
  await pages.tryAgain.click()
  await pages.person('Tom Brandt').click()
  await expect(page).toHaveURL(/\/config\/map$/)
  await page.goto('/demo-identity/session/end')
  await isFine('Sign out of the demo?')
  await page.goto('/sign-in/nowhere')
  await isFine('There is nothing at this address')
})
