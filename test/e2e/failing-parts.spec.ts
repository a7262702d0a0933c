import type { Route } from '@playwright/test'
import { ClientSelection } from './client-selection.driver.ts'
import { ConfigurationPanel } from './configuration-panel.driver.ts'
import { expect, test } from './fixtures.ts'
import { applyConfiguration, asset, parcel, placeAt, tellOfConfiguration } from './test-map.ts'
import { comeWithoutOpening } from './without-opening.ts'

// Each part of the page lives on when another one breaks or cannot be loaded.

test.use({ toleratesNetworkFailures: true })

const camera = { ...placeAt(0, 0), zoom: 16 }
const features = [asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1', name: 'Lot 1' })]
const opening = { camera, search: { tab: 'asset' } }

test.describe('what breaks', () => {
  test.use({ expectedComplaint: /TypeError|RangeError/ })

  /** As if the program and the server meant different things by a field. */
  const without = (field: string) => async (route: Route) => {
    const response = await route.fetch()
    const strip = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(strip)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(
              Object.entries(value)
                .filter(([name]) => name !== field)
                .map(([name, inner]) => [name, strip(inner)]),
            )
          : value
    await route.fulfill({ response, json: strip(await response.json()) })
  }

  test('the details break, and list and map live on', async ({ given, map, page }) => {
    const mapId = await given(features)
    await map.open(mapId, opening)
    const breakDetails = without('maintenanceHistory')
    await page.route('**/features/a1', breakDetails)
    await map.row('Old well').click()
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText('The details could not be shown.')
    await expect(failure.getByRole('button', { name: 'Reload' })).toBeVisible()
    await map.openTab('Parcels')
    await map.row('Lot 1').click()
    await map.hasDetailsOf('Lot 1')
    await expect(failure).toBeHidden()
    await map.canvas.isComplete()
  })

  test('the map breaks, and list and details live on', async ({ given, map, page }) => {
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

  test('a section of the configuration breaks, and the sidebar leads on', async ({ area, given, page }) => {
    const mapId = await given(features)
    await area.openSection(mapId, 'features', 'administrator')
    await page.route(`**/api/maps/${mapId}`, without('counts'))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Map Features' })).toBeVisible()
    await page.goto(`/config/map/${mapId}/map`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('This section could not be shown.')
    await area.place('Map Features').click()
    await expect(page.getByRole('heading', { name: 'Map Features' })).toBeVisible()
  })

  test('the list breaks, and the map lives on', async ({ given, map, page }) => {
    const mapId = await given(features)
    await page.route(/features\?.*kind=asset/, without('date'))
    await map.visit(map.addressOf(mapId, opening))
    const failure = page.getByRole('alert')
    await expect(failure).toContainText('The list could not be shown.')
    await expect(failure).toContainText('The rest of the page still works.')
    await map.canvas.isComplete()
    await map.canvas.click(placeAt(0, 0))
    await map.hasDetailsOf('Old well')
  })

  test('the map beside the settings breaks, and the settings live on', async ({ area, given, page }) => {
    const mapId = await given(features)
    await area.openConfiguration(mapId)
    await page.route('**/api/settings', without('tileServices'))
    await page.reload()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The map could not be shown.')
    const panel = new ConfigurationPanel(page)
    await panel.latitude.fill('36')
    await panel.applyAndWait()
  })

  test('the screen with the map breaks as a whole, and does not promise a rest', async ({
    given,
    map,
    page,
    server,
  }) => {
    const mapId = await given(features)
    await applyConfiguration(server.database, mapId, {})
    const breakSettings = without('configuration')
    await comeWithoutOpening(page)
    await page.route(`**/api/maps/${mapId}/configuration`, breakSettings)
    await map.visit(map.addressOf(mapId))
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText('The map could not be shown.')
    await expect(failure).toContainText('The program has failed here. What is saved is not touched by that.')
    await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.unroute(`**/api/maps/${mapId}/configuration`, breakSettings)
    await failure.getByRole('button', { name: 'Reload' }).click()
    await map.canvas.isComplete()
  })

  test('a page of the configuration breaks, and the sidebar lives on', async ({ area, page }) => {
    const breakClients = without('archivedAt')
    await page.route(/\/api\/clients\?/, breakClients)
    await area.signInTo('/config/map')
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText('This page could not be shown.')
    await expect(failure).toContainText('The program has failed here.')
    await area.tab('Notifications').click()
    await expect(area.tab('Notifications')).toHaveAttribute('aria-selected', 'true')
    await page.unroute(/\/api\/clients\?/, breakClients)
    await failure.getByRole('button', { name: 'Reload' }).click()
    await expect(new ClientSelection(page).heading).toBeVisible()
  })

  test('what stands around every page breaks: words and buttons say the same', async ({
    context,
    given,
    map,
    page,
  }) => {
    const mapId = await given(features)
    await map.open(mapId, opening)
    // As in a browser that lacks what the line about the connection is written with.
    await page.evaluate(() => {
      const { toISOString } = Date.prototype
      Object.assign(Date.prototype, { toISOString: undefined })
      Object.assign(window, { mend: () => Object.assign(Date.prototype, { toISOString }) })
    })
    await context.setOffline(true)
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure).toContainText('The page could not be shown.')
    await expect(failure).toContainText('The program has failed here. What is saved is not touched by that.')
    // Without a connection a reload would end in nothing.
    await expect(failure.getByRole('button')).toHaveText(['Try again'])
    await context.setOffline(false)
    await expect(failure.getByRole('button')).toHaveText(['Try again', 'Reload'])
    await page.evaluate('mend()')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await map.canvas.isComplete()
    await expect(map.row('Old well')).toBeVisible()
  })

  test('a dialog breaks, and the page behind it lives on', async ({ area, given, page, server }) => {
    const mapId = await given(features, { name: 'Broken Dialog POA', location: 'Globe, AZ' })
    const breakClients = without('location')
    await page.route(/\/api\/clients\?/, breakClients)
    await area.signInTo('/config/map?text=broken+dialog')
    const selection = new ClientSelection(page)
    await selection.choose('Broken Dialog POA', 'Rename or relocate')
    const failure = selection.dialog.getByRole('alert')
    await expect(failure).toContainText('This dialog could not be shown.')
    await expect(failure).toContainText('The rest of the page still works.')
    await failure.getByRole('button', { name: 'Close' }).click()
    await expect(selection.dialog).toBeHidden()
    await selection.addButton.click()
    await expect(selection.name).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(selection.dialog).toBeHidden()

    await selection.choose('Broken Dialog POA', 'Rename or relocate')
    await expect(failure).toBeVisible()
    await page.unroute(/\/api\/clients\?/, breakClients)
    // The list is asked again as soon as something changes.
    await tellOfConfiguration(server.database, mapId)
    await expect(selection.card('Broken Dialog POA')).toContainText('Globe, AZ')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(selection.location).toHaveValue('Globe, AZ')
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 360, height: 740 } })

    test('a menu breaks, and can be closed', async ({ area, given, page, server }) => {
      const mapId = await given(features)
      await tellOfConfiguration(server.database, mapId)
      await page.route('**/activity?*', without('at'))
      await area.openConfiguration(mapId)
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await area.button('Menu').click()
      await area.tab('Notifications').click()
      const failure = menu.getByRole('alert')
      await expect(failure).toContainText('This dialog could not be shown.')
      await failure.getByRole('button', { name: 'Close' }).click()
      await expect(menu).toBeHidden()
      await area.canvas.isComplete()
    })
  })
})

test('a part that does not come says so in its place, and is tried again, with its styles', async ({
  given,
  map,
  page,
}) => {
  const mapId = await given(features)
  let isBroken = true
  await page.route(/assets\/detail-frame.*\.css$/, (route) => (isBroken ? route.abort() : route.continue()))
  await map.open(mapId, opening)
  await map.row('Old well').click()
  const failure = page.getByRole('main').getByRole('alert')
  await expect(failure).toContainText('The details could not be loaded.')
  await expect(failure).toContainText('The server did not send it.')
  isBroken = false
  await failure.getByRole('button', { name: 'Try again' }).click()
  await map.hasDetailsOf('Old well')
  const close = map.details.getByRole('button', { name: 'Close details' }).locator('..')
  await expect(close).toHaveCSS('position', /absolute|sticky/)
})

test('a part whose styles do not come holds up no other part', async ({ given, map, page }) => {
  const mapId = await given(features)
  await page.route(/assets\/detail-frame.*\.css$/, (route) => route.abort())
  const missing = page.waitForEvent('requestfailed')
  await map.open(mapId, opening)
  await missing
  await map.canvas.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('a part that fails for a moment is not noticed', async ({ given, map, page }) => {
  const mapId = await given(features)
  await page.route(/assets\/detail-panel.*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 2 })
  await map.open(mapId, opening)
  await map.row('Old well').click()
  await map.hasDetailsOf('Old well')
})

test('a page of an older version starts the new one at the next step, but never over unsaved work', async ({
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

  // The new version's page names another script.
  const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/')
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
  await asked
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

test('settings that are not applied outlive a reload', async ({ area, given, page, server }) => {
  const mapId = await given(features)
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(panel.latitude).toHaveValue('36')
  await expect(panel.changes).toHaveText('Unsaved: Center')
  // Somebody else applied others meanwhile: that is seen here too.
  await applyConfiguration(server.database, mapId, { startZoom: 13 })
  await page.reload()
  await expect(panel.latitude).toHaveValue('36')
  await expect(panel.changes).toContainText('Somebody else has changed these settings meanwhile')
  await panel.revert.click()
  await page.reload()
  await expect(panel.latitude).toHaveValue('34.05')
})

test('a map whose engine does not come whole says so, and is there when it does', async ({
  area,
  given,
  page,
}) => {
  await given(features, { name: 'Late POA' })
  const worker = /assets\/maplibre-gl-worker.*\.js$/
  await page.route(worker, (route) => route.abort())
  await area.signInTo('/config/map?text=late')
  await new ClientSelection(page).select('Late POA').click()
  const failure = page.getByRole('main').getByRole('alert')
  await expect(failure).toContainText('The map could not be loaded.')
  await page.unroute(worker)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await area.canvas.isComplete()
})
