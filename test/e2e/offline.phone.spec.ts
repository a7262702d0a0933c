import { asset, parcel, placeAt } from '#test/databases/test-map.ts'
import { expect, type Page, test } from './fixtures.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'

test.use({ toleratesNetworkFailures: true })

const camera = { ...placeAt(0, 0), zoom: 15 }
const features = [asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1' })]

async function standsAbove(page: Page) {
  const { strip, screen, overflow } = await page.evaluate(() => {
    const words = [...document.querySelectorAll('[role=status] p')].find((p) =>
      p.textContent?.startsWith('No'),
    )
    return {
      strip: words?.getBoundingClientRect().toJSON() as DOMRect,
      screen: document.querySelector('main')?.getBoundingClientRect().toJSON() as DOMRect,
      overflow: document.documentElement.scrollWidth - window.innerWidth,
    }
  })
  expect(strip.top).toBe(0)
  expect(strip.width).toBe(360)
  expect(screen.top).toBeGreaterThanOrEqual(strip.bottom)
  expect(Math.round(screen.bottom)).toBe(740)
  expect(overflow).toBe(0)
}

test('shows a lost connection above everything on a phone', async ({ context, given, map, page }) => {
  await map.open(await given(features), { camera, search: { tab: 'asset' } })
  await expect(map.row('Old well')).toBeVisible()
  await map.loseConnection()
  await standsAbove(page)
  await map.row('Old well').tap()
  const sheet = page.locator('[data-stop]')
  await expect(sheet.getByRole('alert')).toContainText('Could not load details.')
  await new PhoneSheet(page).isAt('half')
  await context.setOffline(false)
  await expect(map.noConnection).toBeHidden()
  await map.hasDetailsOf('Old well')
})
