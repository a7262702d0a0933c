import { expect, test } from './fixtures.ts'
import { asset, incident, parcel, placeAt, pointAt } from './test-map.ts'

// The network is taken away and given back.

test.use({ toleratesNetworkFailures: true })

const camera = { ...placeAt(0, 0), zoom: 15 }
const features = [
  asset({ id: 'a1', name: 'Old well' }),
  asset({ id: 'a2', name: 'New mast', geometry: pointAt(300, 100) }),
  parcel({ id: 'p1' }),
]

test('what cannot be had without a network says so, and goes on when it is back', async ({
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given(features)
  // The part that shows details is there, with those of another asset.
  await map.open(mapId, { camera, search: { tab: 'asset', select: 'a2' } })
  await map.hasDetailsOf('New mast')
  await expect(map.row('Old well')).toBeVisible()
  await expect(map.noConnection).toBeHidden()
  await map.loseConnection()

  // Details that nobody has asked for before.
  await map.row('Old well').click()
  const inDetails = page.getByRole('main').getByRole('alert')
  await expect(inDetails).toContainText('The details could not be loaded.')
  await expect(inDetails).toContainText('The server cannot be reached.')
  // A search shows nothing that is no answer to it.
  await map.searchBox.fill('mast')
  const inList = page.getByRole('tabpanel').getByRole('alert')
  await expect(inList).toContainText('The list could not be loaded.')
  await expect(map.row('Old well')).toBeHidden()
  await inList.getByRole('button', { name: 'Try again' }).click()
  await expect(inList).toContainText('The server cannot be reached.')
  // What was loaded goes on.
  await map.button('Zoom in').click()
  await map.canvas.cameraIs({ ...camera, zoom: 16 })
  // Where nobody has looked before, the base map cannot be had.
  await page.evaluate(() => {
    window.location.hash = '#16/35.3/-112.4'
  })
  const noBaseMap = page.getByText('No base map', { exact: true })
  await expect(noBaseMap).toBeVisible()

  await context.setOffline(false)
  await expect(noBaseMap).toBeHidden()
  await map.canvas.isComplete()
  await expect(map.noConnection).toBeHidden()
  await map.hasDetailsOf('Old well')
  await expect(map.row('New mast')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('an answer that was on its way before the network went says nothing of now', async ({
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given(features)
  await map.open(mapId, { camera, search: { tab: 'asset', select: 'a2' } })
  await map.hasDetailsOf('New mast')
  const late = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route(/\/features\/a1(\?|$)/, async (route) => {
    const response = await route.fetch()
    await late.promise
    await route.fulfill({ response })
    answered.resolve()
  })
  await map.row('Old well').click()
  await map.loseConnection()
  const words = await map.noConnection.locator('p').elementHandle()
  late.resolve()
  await answered.promise
  await map.hasDetailsOf('Old well')
  // They stood there all the time.
  expect(await words?.evaluate((element) => element.isConnected)).toBe(true)
  await context.setOffline(false)
  await expect(map.noConnection).toBeHidden()
})

test('a pin answers without a network, and its details come when it is back', async ({
  context,
  given,
  map,
}) => {
  const mapId = await given(features)
  await map.open(mapId, { camera, search: { select: 'a1' } })
  await map.hasDetailsOf('Old well')
  await map.canvas.isComplete()
  await map.loseConnection()
  await map.canvas.click(placeAt(300, 100), { above: 12 })
  await expect(map.details.getByRole('alert')).toContainText('The details could not be loaded.')
  await context.setOffline(false)
  await map.hasDetailsOf('New mast')
})

test('a dialog and a page that are not loaded yet say so, and open when the network is back', async ({
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given(features)
  await map.open(mapId, { camera })
  await map.loseConnection()
  await map.canvas.press('?')
  const failed = page.getByRole('dialog', { name: 'The list of shortcuts' })
  await expect(failed).toContainText('The list of shortcuts could not be loaded.')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toContainText('The list of shortcuts could not be loaded.')
  await failed.getByRole('button', { name: 'Close' }).click()
  await expect(failed).toBeHidden()
  await map.canvas.press('?')
  await expect(failed).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')

  await map.loseConnection()
  await page.getByRole('link', { name: 'Configuration' }).click()
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded.')
  await page.goBack()
  await map.canvas.isComplete()
  await page.goForward()
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded.')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Choose who to be' })).toBeVisible()
})

test('the way to sign in waits for the network', async ({ context, given, map, page }) => {
  const mapId = await given(features)
  const choice = page.getByRole('heading', { name: 'Choose who to be' })
  // So that the browser has the pages of staff.
  await page.goto(`/config/map/${mapId}`)
  await expect(choice).toBeVisible()
  await map.open(mapId, { camera })
  await map.loseConnection()
  await page.getByRole('link', { name: 'Configuration' }).click()
  await expect(page.getByRole('main')).toContainText('You are taken to Login as soon as it is back.')
  await map.button('Back').click()
  await map.canvas.isComplete()
  await page.goForward()
  await expect(page.getByRole('main')).toContainText('You are taken to Login as soon as it is back.')
  await context.setOffline(false)
  await expect(choice).toBeVisible()
})

test('what staff do without a network did not go through, and nothing of it is lost', async ({
  area,
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given([...features, incident({ id: 'i1', title: 'Smoke' })])
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  await map.loseConnection()
  await panel.apply.click()
  await expect(page.getByRole('alert')).toContainText(
    'The settings were not applied. The server cannot be reached.',
  )
  await expect(panel.latitude).toHaveValue('36')
  await context.setOffline(false)
  await expect(map.noConnection).toBeHidden()
  await panel.applyAndWait()

  await map.open(mapId, { camera, search: { select: 'i1' } })
  await expect(map.button('Resolve Smoke')).toBeVisible()
  await context.setOffline(true)
  await map.button('Resolve Smoke').click()
  await expect(area.toast('‘Smoke’ was not changed')).toContainText('The server cannot be reached.')
  await expect(map.fact('Status')).toHaveText('Unresolved')
  await context.setOffline(false)
  await expect(map.noConnection).toBeHidden()
  await map.button('Resolve Smoke').click()
  await expect(map.button('Reopen Smoke')).toBeVisible()
})

test('what a network answers in place of the server is no answer', async ({ given, map, page }) => {
  const mapId = await given(features)
  await map.open(mapId, { camera, search: { tab: 'asset' } })
  await expect(map.row('Old well')).toBeVisible()
  const page200 = { status: 200, contentType: 'text/html', body: '<h1>Welcome to our wireless network</h1>' }
  for (const address of ['**/api/**', '**/health/live'])
    await page.route(address, (route) => route.fulfill(page200))
  await map.row('Old well').click()
  await expect(map.noConnection).toBeVisible()
  await expect(map.details.getByRole('alert')).toContainText(
    'Something else answered in place of the server.',
  )
  await page.unrouteAll()
  await map.hasDetailsOf('Old well')
  await expect(map.noConnection).toBeHidden()
})

test('filters that change without a network are on the map when it is back', { tag: '@painted' }, async ({
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given([
    asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(-300, 0) }),
    asset({ id: 'a2', name: 'New mast', type: 'communication', geometry: pointAt(300, 0) }),
  ])
  await map.open(mapId, { camera })
  await map.openFilters()
  await context.setOffline(true)
  for (const type of ['communication', 'water', 'communication', 'water']) {
    const refused = page.waitForEvent('requestfailed', (request) =>
      request.url().includes(`.mvt?type=${type}`),
    )
    await map.filter('Asset type').selectOption(type)
    await refused
    await map.canvas.isComplete()
  }
  await context.setOffline(false)
  await map.canvas
    .showsInkAt([
      { name: 'well', ...placeAt(-300, 0) },
      { name: 'mast', ...placeAt(300, 0) },
    ])
    .toEqual(['well'])
})
