import { asset, incident, parcel, placeAt, pointAt, putFeatures } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const camera = { ...placeAt(0, 0), zoom: 13 }

test('renders only visible rows of a long list and loads it by pages', async ({ map, given, page }) => {
  const requested: string[] = []
  page.on('request', (request) => {
    if (/\/features\?kind=asset/.test(request.url())) requested.push(request.url())
  })
  const assets = Array.from({ length: 250 }, (_, index) =>
    asset({ id: `a${index + 1}`, geometry: pointAt(0, 100 * (250 - index)) }),
  )
  const mapId = await given(assets)
  await map.open(mapId, { search: { tab: 'asset' }, camera })
  await map.hasCount('Assets', 250)
  await expect(map.rows.first()).toHaveAttribute('aria-setsize', '250')
  expect(await map.rows.count()).toBeLessThan(40)
  expect(requested).toHaveLength(1)

  await map.list.focus()
  await page.keyboard.press('End')
  await expect(map.row(/^Asset a100\b/)).toBeVisible()
  await expect.poll(() => requested.length).toBe(2)
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(map.row(/^Asset a250\b/)).toBeVisible({ timeout: 300 })
  }).toPass()
  expect(await map.rows.count()).toBeLessThan(40)
  expect(requested).toHaveLength(3)

  await map.open(mapId, { search: { tab: 'asset', text: 'a' }, camera: { ...placeAt(0, 100), zoom: 16 } })
  await expect(map.row(/^Asset a1\b/)).toBeVisible()
  await map.canvas.click(placeAt(0, 100))
  await map.hasDetailsOf('Asset a250')
  await expect(map.row(/^Asset a250\b/)).toBeInViewport()
})

test('layer toggles change only the map, filters also list and counts', { tag: '@painted' }, async ({
  map,
  given,
  page,
}) => {
  const mapId = await given([
    incident({ id: 'fire', type: 'fire', date: daysAgo(2), geometry: pointAt(-1000, 500) }),
    incident({ id: 'flood', type: 'flood', date: daysAgo(20), geometry: pointAt(0, 500) }),
    incident({ id: 'tree', type: 'fallen_tree', date: daysAgo(200), geometry: pointAt(1000, 500) }),
    asset({ id: 'well', type: 'water', geometry: pointAt(-1000, -500) }),
    asset({ id: 'club', type: 'facility', status: 'offline', geometry: pointAt(1000, -500) }),
    parcel({ id: 'p1' }),
  ])
  await map.open(mapId, { camera })
  await map.openFilters()
  for (const tab of ['Incidents', 'Assets', 'Parcels'] as const)
    await expect(map.layerToggle(tab)).toBeChecked()
  const shows = (places: Record<string, [number, number]>) => map.canvas.showsInkAt(placesAt(places))
  const all = {
    fire: [-1000, 500],
    flood: [0, 500],
    tree: [1000, 500],
    well: [-1000, -500],
    club: [1000, -500],
  } satisfies Record<string, [number, number]>
  await shows(all).toEqual(['fire', 'flood', 'tree', 'well', 'club'])

  await map.layerToggle('Incidents').uncheck()
  await shows(all).toEqual(['well', 'club'])
  await map.hasCount('Incidents', 3)
  await expect(map.rows).toHaveCount(3)
  await map.layerToggle('Assets').uncheck()
  await map.layerToggle('Incidents').check()
  await shows(all).toEqual(['fire', 'flood', 'tree'])
  await map.layerToggle('Assets').check()

  await map.filter('Incident type').selectOption('flood')
  await shows(all).toEqual(['flood', 'well', 'club'])
  await map.hasCount('Incidents', 1)
  await map.hasCount('Assets', 2)
  await expect(map.rows).toHaveCount(1)
  await map.filter('Incident type').selectOption('all')

  await map.filter('Asset type').selectOption('water')
  await shows(all).toEqual(['fire', 'flood', 'tree', 'well'])
  await map.hasCount('Assets', 1)
  await map.hasCount('Parcels', 1)

  await map.filter('Time range').selectOption('month')
  await shows(all).toEqual(['fire', 'flood', 'well'])
  await map.hasCount('Incidents', 2)
  await map.filter('Time range').selectOption('week')
  await map.hasCount('Incidents', 1)
  await map.filter('Time range').selectOption('year')
  await map.hasCount('Incidents', 3)
  await map.filter('Asset type').selectOption('all')

  await map.filter('Status').selectOption('offline')
  await shows(all).toEqual(['club'])
  await map.hasCount('Incidents', 0)
  await map.hasCount('Assets', 1)
  await map.hasCount('Parcels', 0)
  await expect(page).toHaveURL(/[?&]status=offline/)
  await map.filter('Status').selectOption('unresolved')
  await shows(all).toEqual(['fire', 'flood', 'tree'])
  await expect(map.rows).toHaveCount(3)
  await page.reload()
  await map.openFilters()
  await expect(map.filter('Status')).toHaveValue('unresolved')
  await shows(all).toEqual(['fire', 'flood', 'tree'])

  await map.layerToggle('Parcels').uncheck()
  await expect(map.filtersButton).toHaveText('Layers & Filters 3 active')
  await map.filtersButton.click()
  await map.button('Reset layers and filters').click()
  await expect(map.filtersButton).toHaveText('Layers & Filters')
  await map.hasCount('Assets', 2)
  expect(map.search()).toEqual({})
})

test('a search dims the rest of the map, which can be clicked, and requests the matches once', {
  tag: '@painted',
}, async ({ map, given, page, server }) => {
  const well = (id: string, east: number) =>
    asset({ id, name: `Well of ${id}`, type: 'water', geometry: pointAt(east, -500) })
  const mapId = await given([
    incident({ id: 'fire', title: 'Fire at the well', geometry: pointAt(-1000, 500) }),
    incident({ id: 'flood', title: 'Flood', geometry: pointAt(1000, 500) }),
    well('Ann', -1000),
    asset({ id: 'club', type: 'facility', geometry: pointAt(1000, -500) }),
  ])
  const all = placesAt({
    fire: [-1000, 500],
    flood: [1000, 500],
    Ann: [-1000, -500],
    Bob: [0, -500],
    club: [1000, -500],
  })
  const requested: string[] = []
  page.on('request', (request) => {
    if (/\.geojson|\/tiles\/.*\?/.test(request.url())) requested.push(request.url())
  })
  await map.open(mapId, { camera })
  await map.canvas.showsInkAt(all).toEqual(['fire', 'flood', 'Ann', 'club'])
  requested.length = 0
  await map.searchBox.fill('well')
  await map.canvas.showsInkAt(all).toEqual(['fire', 'Ann'])
  await map.button('Zoom in').click()
  await map.canvas.cameraIs({ ...camera, zoom: 14 })
  await map.canvas.showsInkAt(all).toEqual(['fire', 'Ann'])
  expect(requested).toEqual([expect.stringContaining('.geojson')])
  await map.canvas.click(placeAt(-1000, -500), { above: 15 })
  await map.hasDetailsOf('Well of Ann')
  await map.button('Close details').click()
  await map.button('Zoom out').click()
  await putFeatures(server.database, mapId, [well('Bob', 0)])
  await map.canvas.showsInkAt(all).toEqual(['fire', 'Ann', 'Bob'])

  await map.openFilters()
  await map.filter('Asset type').selectOption('road')
  await map.canvas.showsInkAt(all).toEqual(['fire'])
  await page.reload()
  await map.canvas.showsInkAt(all).toEqual(['fire'])

  await map.searchBox.fill('')
  await map.canvas.showsInkAt(all).toEqual(['fire', 'flood'])
  await map.canvas.click(placeAt(1000, -500))
  await map.hasDetailsOf('Asset club')
})

function placesAt(places: Record<string, [number, number]>) {
  return Object.entries(places).map(([name, [east, north]]) => ({ name, ...placeAt(east, north) }))
}

test('keeps the scroll position of the list during changes by others, and follows the next selection', async ({
  map,
  given,
  page,
  server,
}) => {
  const tank = (number: number) =>
    asset({ id: `t${number}`, name: `Tank ${number + 10}`, geometry: pointAt(number * 400, 0) })
  const mapId = await given(Array.from({ length: 40 }, (_, index) => tank(index + 1)))
  await map.open(mapId, { camera: { ...placeAt(400, 0), zoom: 15 }, search: { tab: 'asset' } })
  await map.row('Tank 11').click()
  await map.hasDetailsOf('Tank 11')
  await map.list.focus()
  await page.keyboard.press('End')
  await expect(map.row('Tank 50')).toBeInViewport()

  await putFeatures(server.database, mapId, [tank(0)])
  await expect(map.row('Tank 50')).toHaveAttribute('aria-setsize', '41')
  await page.keyboard.press('ArrowUp')
  await expect(map.list.locator('[data-active]')).toContainText(/Tank 4\d/)

  await page.keyboard.press('Escape')
  await expect(map.details).toBeHidden()
  await map.canvas.isComplete()
  await map.canvas.click(placeAt(400, 0), { above: 15 })
  await map.hasDetailsOf('Tank 11')
  await expect(map.row('Tank 11')).toBeInViewport()
})
