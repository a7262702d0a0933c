import { asset, incident, parcel, placeAt, pointAt, putFeatures } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

const camera = { ...placeAt(0, 0), zoom: 13 }
const features = [incident({ id: 'i1' }), asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1' })]

test.describe('with failing requests', () => {
  test.use({ toleratesNetworkFailures: true })

  test('names tiles that fail to load and retries them', { tag: '@painted' }, async ({
    map,
    given,
    page,
  }) => {
    const mapId = await given(features)
    await page.route('**/tiles/**', (route) => route.fulfill({ status: 500 }))
    await map.visit(map.addressOf(mapId, { camera }))
    const notice = page.getByText('Could not load some map data.')
    await expect(notice).toBeVisible()
    await page.unroute('**/tiles/**')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await expect(notice).toBeHidden()
    await map.canvas.showsInkAt([{ name: 'a1', ...placeAt(0, 0) }]).toEqual(['a1'])
  })

  test('shows that the map is not filtered when search matches fail to load', {
    tag: '@painted',
  }, async ({ map, given, page }) => {
    const [well, tank] = [
      { name: 'well', ...placeAt(-1000, 0) },
      { name: 'tank', ...placeAt(1000, 0) },
    ]
    const mapId = await given([
      asset({ id: 'well', name: 'Old well', geometry: pointAt(-1000, 0) }),
      // The map moves to an only match.
      asset({ id: 'other', name: 'New well', geometry: pointAt(0, -1000) }),
      asset({ id: 'tank', name: 'Old tank', geometry: pointAt(1000, 0) }),
    ])
    await map.open(mapId, { camera })
    await map.canvas.showsInkAt([well, tank]).toEqual(['well', 'tank'])
    await page.route('**/features.geojson*', (route) => route.abort())
    await map.searchBox.fill('well')
    const away = page.getByText('Could not filter the map by your search.')
    await expect(away).toBeVisible()
    await map.canvas.showsInkAt([well, tank]).toEqual(['well', 'tank'])
    await page.unroute('**/features.geojson*')
    await away.getByRole('button', { name: 'Try again' }).click()
    await expect(away).toBeHidden()
    await map.canvas.showsInkAt([well, tank]).toEqual(['well'])
    // Blocks the client-side tiles of search results.
    await page.route('**/match-tiles*.js', (route) => route.abort())
    await page.reload()
    await expect(away).toBeVisible()
    await page.unroute('**/match-tiles*.js')
    await away.getByRole('button', { name: 'Try again' }).click()
    await map.canvas.showsInkAt([well, tank]).toEqual(['well'])
  })

  test('shows that the server is down and catches up when it returns', {
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
})
