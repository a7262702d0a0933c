import type { Route } from '@playwright/test'
import { asset, parcel, placeAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

test.use({ toleratesNetworkFailures: true })

const camera = { ...placeAt(0, 0), zoom: 16 }
const features = [asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1', name: 'Lot 1' })]
const opening = { camera, search: { tab: 'asset' } }

test.describe('a broken part', () => {
  test.use({ expectedComplaint: /TypeError|RangeError/ })

  const without = (field: string) => async (route: Route) => {
    const response = await route.fetch()
    const body = JSON.stringify(await response.json(), (key, value) => (key === field ? undefined : value))
    await route.fulfill({ response, body })
  }

  test('list and details keep working when the map breaks', async ({ given, map, page }) => {
    const mapId = await given(features)
    const breakLabels = without('location')
    await page.route(/features\?kind=parcel&bbox/, breakLabels)
    await map.visit(map.addressOf(mapId, opening))
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText('The map could not be shown.')
    await map.row('Old well').click()
    await map.hasDetailsOf('Old well')
    await page.unroute(/features\?kind=parcel&bbox/, breakLabels)
    await page.reload()
    await map.canvas.isComplete()
    await expect(failure).toBeHidden()
  })
})

test('shows a part that fails to load, and retries it with its styles', async ({ given, map, page }) => {
  const mapId = await given(features)
  let isBroken = true
  await page.route(/assets\/detail-frame.*\.css$/, (route) => (isBroken ? route.abort() : route.continue()))
  await map.open(mapId, opening)
  await map.row('Old well').click()
  const failure = page.getByRole('main').getByRole('alert')
  await expect(failure).toContainText('The details could not be loaded.')
  await expect(failure).toContainText('The server returned an error.')
  isBroken = false
  await failure.getByRole('button', { name: 'Try again' }).click()
  await map.hasDetailsOf('Old well')
  const close = map.details.getByRole('button', { name: 'Close details' }).locator('..')
  await expect(close).toHaveCSS('position', /absolute|sticky/)
})

test('an outdated page reloads at the next navigation unless work is unsaved', async ({
  area,
  given,
  map,
  page,
  server,
}) => {
  const mapId = await given(features)
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  await page.evaluate(() => Object.assign(window, { isOldPage: true }))
  const isOldPage = () => page.evaluate(() => 'isOldPage' in window)

  // The new version loads another script.
  const loaded = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
  await page.route(`${server.url}/`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: (await response.text()).replace(/\/assets\/index-/g, '/assets/new-'),
    })
  })
  await server.stop()
  await expect(map.noConnection).toBeVisible()
  await server.start()
  await loaded
  await expect(map.noConnection).toBeHidden()

  await area.place('Map Features').click()
  await expect(page.getByRole('heading', { name: 'Map Features' })).toBeVisible()
  expect(await isOldPage()).toBe(true)
  await area.place('Map Config').click()
  await expect(panel.latitude).toHaveValue('36')
  await panel.revert.click()
  await area.place('Map Features').click()
  await expect.poll(isOldPage).toBe(false)
  await expect(page.getByRole('heading', { name: 'Map Features' })).toBeVisible()
})
