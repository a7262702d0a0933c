import {
  applyConfiguration,
  asset,
  incident,
  lineThrough,
  origin,
  parcel,
  placeAt,
  pointAt,
  squareAt,
} from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, heightOf, rgb } from './ink.ts'
import { stubTileColors } from './stub-tiles.ts'

const blue = rgb('#1c7ed6')
const green = rgb('#2f9e44')
const red = rgb('#d92d20')
const shapes = [
  asset({ id: 'pump', name: 'Pump', type: 'water', geometry: pointAt(-1_500, 0) }),
  incident({
    id: 'fire',
    title: 'Fire',
    type: 'fire',
    geometry: pointAt(-750, 0),
    date: '2020-01-01T00:00:00Z',
  }),
  asset({ id: 'road', name: 'Road', type: 'road', geometry: lineThrough([0, -600], [0, 600]) }),
  asset({ id: 'field', name: 'Field', type: 'recreation', geometry: squareAt(900, 0, 500) }),
  incident({ id: 'burn', title: 'Burn scar', type: 'fire', geometry: squareAt(1_700, 0, 500), date: null }),
]
const camera = { ...origin, zoom: 14 }

test('shows the sample of 50 features at the fixed place without a map id', async ({ map, page }) => {
  await map.openViewer()
  await map.canvas.cameraIs({ lat: 34.05, lng: -111.09, zoom: 14 })
  await map.hasCount('Points', 25)
  await map.hasCount('Lines', 12)
  await map.hasCount('Polygons', 13)
  await map.row('Cistern').click()
  await map.hasDetailsOf('Cistern')
  await expect(map.fact('Feature type')).toHaveText('Asset')
  await expect(map.fact('Custom field 1')).toHaveText(/^\d+$/)
  await expect(map.fact('Flag')).toHaveText(/^(Yes|No)$/)
  await expect(map.fact('Notes')).not.toBeEmpty()
  expect(new URL(page.url()).searchParams.get('select')).toMatch(/^feature-\d+$/)
  await map.button('Close details').click()
  await expect(map.details).toBeHidden()

  const filters = page.getByRole('tab', { name: 'Layers & Filters' })
  for (const [filter, choice, ...counts] of [
    ['Asset type', 'water', 17, 5, 9],
    ['Time range', 'week', 21, 10, 10],
    ['Incident type', 'fire', 19, 10, 11],
  ] as const) {
    await filters.click()
    if (await map.button('Reset layers and filters').isVisible())
      await map.button('Reset layers and filters').click()
    await map.filter(filter).selectOption(choice)
    await map.hasCount('Points', counts[0])
    await map.hasCount('Lines', counts[1])
    await map.hasCount('Polygons', counts[2])
  }
  await map.openTab('Points')
  await map.searchBox.fill('fire ring')
  await map.row('Illegal fire ring').click()
  await expect(map.details).toContainText('Incident · Fire')
  await expect(map.fact('Type')).toHaveText('Fire')
  await expect(map.fact('Date').locator('time')).toHaveAttribute('datetime', /T21:45:00/)
})

test.describe('with rendered pixels', () => {
  test.use({ deviceScaleFactor: 1 })

  test('draws points, lines and polygons in their own colors', { tag: '@painted' }, async ({
    map,
    given,
  }) => {
    await map.openViewer(await given(shapes), { camera })
    const ink = await map.canvas.ink()
    const around = async (east: number, north: number, reach = 24) =>
      boxAround(await map.canvas.pointOf(placeAt(east, north)), reach)
    const pin = ink.extentOnTopOf(stubTileColors.street, await around(-1_500, 0))
    expect(heightOf(pin)).toBeGreaterThanOrEqual(29)
    expect(heightOf(pin)).toBeLessThanOrEqual(31)
    expect(ink.count(blue, await around(-1_500, 0))).toBeGreaterThan(300)
    expect(ink.count(blue, await around(-750, 0))).toBeGreaterThan(300)
    expect(ink.count(green, await around(0, 300, 12))).toBeGreaterThan(40)
    expect(ink.count(green, await around(900, 0))).toBeGreaterThan(300)
    expect(ink.count(red, await around(1_700, 0))).toBeGreaterThan(300)
  })
})

test('a click on map or list recenters at zoom 14, and lists are limited to the view', async ({
  map,
  given,
  page,
}) => {
  const mapId = await given(shapes)
  await map.openViewer(mapId, { camera: { ...origin, zoom: 15 } })
  await map.canvas.click(placeAt(0, 250))
  await map.hasDetailsOf('Road')
  await map.canvas.cameraIs({ ...origin, zoom: 14 })
  await map.openTab('Polygons')
  await map.row('Field').click()
  await map.hasDetailsOf('Field')
  await map.canvas.cameraIs({ ...placeAt(900, 0), zoom: 14 })

  await map.button('Close details').click()
  await map.openTab('Points')
  await map.openViewer(mapId, { camera: { ...placeAt(-1_500, 0), zoom: 16 } })
  await map.hasCount('Points', 2)
  await page.getByLabel('In this view only').check()
  await map.hasCount('Points', 1)
  await map.hasCount('Polygons', 0)
  // Uses keys, since inertia depends on the speed of the machine.
  await map.canvas.press(...Array(3).fill('ArrowRight'))
  await expect(map.row('Fire')).toBeVisible()
  await map.hasCount('Points', 2)
  await page.getByLabel('In this view only').uncheck()
  await map.searchBox.fill('pum')
  await map.hasCount('Points', 1)
  await expect(map.row('Pump')).toBeVisible()
  await map.canvas.cameraIs({ ...placeAt(-1_500, 0), zoom: 14 })
})

test('an applied configuration overrides the fixed place; street and satellite are available', async ({
  map,
  given,
  server,
}) => {
  const mapId = await given([parcel({ id: 'p1' })])
  await map.openViewer(mapId)
  await map.canvas.cameraIs({ ...origin, zoom: 14 })
  await expect(map.baseMap('Street')).toBeVisible()
  await expect(map.baseMap('Satellite')).toBeVisible()
  await expect(map.baseMap('Terrain')).toBeHidden()
  await applyConfiguration(server.database, mapId, {
    center: { lat: 35.3, lng: -112.5 },
    startZoom: 11,
    mapTypes: ['terrain', 'satellite'],
    defaultMapType: 'terrain',
  })
  await map.openViewer(mapId)
  await map.canvas.cameraIs({ lat: 35.3, lng: -112.5, zoom: 11 })
  await expect(map.baseMap('Satellite')).toBeVisible()
  await expect(map.baseMap('Street')).toBeHidden()
})

test('shows names on hover, a legend, and a chooser for ties', async ({ map, given, page }) => {
  const tied = [asset({ id: 'a', name: 'First' }), asset({ id: 'b', name: 'Second' })]
  await map.openViewer(await given(tied), { camera })
  const { x, y } = await map.canvas.placeOnPage(origin)
  await page.mouse.move(x, y)
  await expect(page.getByText(/^(First|Second)$/).last()).toBeVisible()
  await page.mouse.click(x, y)
  await page.getByRole('dialog', { name: 'Select a feature' }).getByRole('button', { name: 'Second' }).click()
  await map.hasDetailsOf('Second')
  await page.getByRole('button', { name: 'Legend' }).click()
  await expect(page.getByRole('list', { name: 'Points' })).toHaveText('Facility')
  await expect(page.getByRole('list', { name: 'Shapes' })).toBeHidden()
})
