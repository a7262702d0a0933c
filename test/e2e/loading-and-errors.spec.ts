import { expect, test } from './fixtures.ts'
import { asset, incident, parcel, placeAt, pointAt, putFeatures } from './test-map.ts'
import { comeWithoutOpening } from './without-opening.ts'

const camera = { ...placeAt(0, 0), zoom: 13 }
const features = [incident({ id: 'i1' }), asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1' })]

test('skeletons stand where list and details are coming', async ({ map, given, page }) => {
  const mapId = await given(features)
  let letThrough = () => {}
  const released = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route('**/features?kind=asset**', async (route) => {
    await released
    await route.continue()
  })
  await page.route('**/features/a1', async (route) => {
    await released
    await route.continue()
  })
  await map.visit(map.addressOf(mapId, { camera, search: { tab: 'asset', select: 'a1' } }))
  await expect(page.getByRole('status', { name: 'Loading', exact: true })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading details' })).toBeVisible()
  letThrough()
  await map.hasDetailsOf('Old well')
  await expect(map.row('Old well')).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toBeHidden()
})

test.describe('when something fails', () => {
  test.use({ toleratesNetworkFailures: true })

  test('list and details say so in words, and trying again works in place', async ({ map, given, page }) => {
    const mapId = await given(features)
    let isBroken = true
    const fail = { status: 422, json: { title: 'Out of order', detail: 'The archive is being painted.' } }
    for (const address of ['**/features?kind=asset**', '**/features/a1'])
      await page.route(address, (route) => (isBroken ? route.fulfill(fail) : route.continue()))
    await map.open(mapId, { camera, search: { tab: 'asset', select: 'a1' } })
    const inList = page.getByRole('tabpanel').getByRole('alert')
    await expect(inList).toContainText('The list could not be loaded.')
    await expect(inList).toContainText('The archive is being painted.')
    const inDetails = map.details.getByRole('alert')
    await expect(inDetails).toContainText('The details could not be loaded.')
    isBroken = false
    await inList.getByRole('button', { name: 'Try again' }).click()
    await expect(map.row('Old well')).toBeVisible()
    await inDetails.getByRole('button', { name: 'Try again' }).click()
    await map.hasDetailsOf('Old well')
  })

  test('tiles that cannot be had are named, and can be asked for again', { tag: '@painted' }, async ({
    map,
    given,
    page,
  }) => {
    const mapId = await given(features)
    await page.route('**/tiles/**', (route) => route.fulfill({ status: 500 }))
    await map.visit(map.addressOf(mapId, { camera }))
    const notice = page.getByText('Some of the map’s data could not be loaded.')
    await expect(notice).toBeVisible()
    await page.unroute('**/tiles/**')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await expect(notice).toBeHidden()
    await map.canvas.showsInkAt([{ name: 'a1', ...placeAt(0, 0) }]).toEqual(['a1'])
  })

  test('where what was found cannot be had, the map says that it is not narrowed', {
    tag: '@painted',
  }, async ({ map, given, page }) => {
    const [well, tank] = [
      { name: 'well', ...placeAt(-1000, 0) },
      { name: 'tank', ...placeAt(1000, 0) },
    ]
    const mapId = await given([
      asset({ id: 'well', name: 'Old well', geometry: pointAt(-1000, 0) }),
      asset({ id: 'tank', name: 'Old tank', geometry: pointAt(1000, 0) }),
    ])
    await map.open(mapId, { camera })
    await map.canvas.showsInkAt([well, tank]).toEqual(['well', 'tank'])
    await page.route('**/features.geojson*', (route) => route.abort())
    await map.searchBox.fill('well')
    const away = page.getByText('The map could not be narrowed to the search.')
    await expect(away).toBeVisible()
    await map.canvas.showsInkAt([well, tank]).toEqual(['well', 'tank'])
    await page.unroute('**/features.geojson*')
    await away.getByRole('button', { name: 'Try again' }).click()
    await expect(away).toBeHidden()
    await map.canvas.showsInkAt([well, tank]).toEqual(['well'])
    // The part of the page that draws it may be away, too.
    await page.route('**/match-tiles*.js', (route) => route.abort())
    await page.reload()
    await expect(away).toBeVisible()
    await page.unroute('**/match-tiles*.js')
    await away.getByRole('button', { name: 'Try again' }).click()
    await map.canvas.showsInkAt([well, tank]).toEqual(['well'])
  })

  test('while the server is gone the page says so; when it is back, it catches up', {
    tag: '@painted',
  }, async ({ given, map, server }) => {
    const mapId = await given(features)
    await map.open(mapId, { camera })
    await map.hasCount('Incidents', 1)
    const notice = map.noConnection
    await expect(notice).toBeHidden()

    await server.stop()
    await expect(notice).toBeVisible()
    await expect(map.row('Incident i1')).toBeVisible()
    await putFeatures(server.database, mapId, [incident({ id: 'i2', geometry: pointAt(700, 500) })])

    await server.start()
    await expect(notice).toBeHidden({ timeout: 10_000 })
    await map.hasCount('Incidents', 2)
    await map.canvas.showsInkAt([{ name: 'i2', ...placeAt(700, 500) }]).toEqual(['i2'])
  })

  // Browsers give such a stream up for good.
  for (const status of [429, 503])
    test(`live updates that are refused with ${status} for a while come back`, async ({
      map,
      given,
      page,
      server,
    }) => {
      const mapId = await given(features)
      let isAway = true
      await page.route('**/api/events**', (route) =>
        isAway ? route.fulfill({ status, json: { detail: 'Not at the moment.' } }) : route.continue(),
      )
      await map.open(mapId, { camera, search: { tab: 'asset' } })
      const notice = page.getByText(/^Changes do not arrive at the moment. What you see is as of \d/)
      await expect(notice).toBeVisible()
      isAway = false
      await expect(notice).toBeHidden()
      await putFeatures(server.database, mapId, [asset({ id: 'a2', name: 'New mast' })])
      await expect(map.row('New mast')).toBeVisible()
    })

  test('a page that cannot begin offers to try again', async ({ map, given, page }) => {
    const mapId = await given(features)
    await comeWithoutOpening(page)
    await page.route('**/api/settings', (route) => route.fulfill({ status: 418, json: {} }))
    await map.visit(map.addressOf(mapId))
    await expect(page.getByRole('alert')).toContainText('The map cannot be opened.')
    await page.unroute('**/api/settings')
    await map.button('Try again').click()
    await map.canvas.isComplete()
  })
})
