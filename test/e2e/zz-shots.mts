import { chromium } from '@playwright/test'

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const base = 'http://localhost:4555'
for (const [name, width, scheme] of [
  ['desktop', 1000, 'light'],
  ['dark', 1000, 'dark'],
  ['phone', 360, 'light'],
] as const) {
  const page = await browser.newPage({ viewport: { width, height: 740 }, colorScheme: scheme })
  page.on('console', (m) => m.type() === 'error' && console.log(name, m.text()))
  await page.goto(`${base}/sign-in`)
  await page.screenshot({ path: `/tmp/idshots/${name}-choose.png`, fullPage: true })
  await page.getByText('Sign in with a name').click()
  await page.getByLabel('Name').fill('tom')
  await page.getByLabel('Password').fill('x')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.screenshot({ path: `/tmp/idshots/${name}-wrong.png`, fullPage: true })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.screenshot({ path: `/tmp/idshots/${name}-denied.png`, fullPage: true })
  console.log(page.url())
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('button', { name: /Grace/ }).click()
  console.log(page.url())
  await page.goto(`${base}/demo-identity/session/end`)
  await page.screenshot({ path: `/tmp/idshots/${name}-end.png`, fullPage: true })
  await page.getByRole('button', { name: 'Sign out' }).click()
  console.log(page.url(), await page.title())
  await page.close()
}
await browser.close()
