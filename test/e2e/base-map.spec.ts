import { asset, lineThrough, origin, parcel, placeAt, pointAt, squareAt } from '#test/databases/test-map.ts'
import { coveringParts } from './covering.ts'
import { expect, test } from './fixtures.ts'
import type { Place } from './map-canvas.driver.ts'
import { stubTileColors } from './stub-tiles.ts'

const camera = { ...placeAt(600, 600), zoom: 14 }

test('street, satellite and terrain request their own tiles', { tag: '@painted' }, async ({
  map,
  given,
  tiles,
}) => {
  const mapId = await given([asset({ id: 'a1' })])
  tiles.takeAskedServices()
  await map.open(mapId, { camera })
  expect(tiles.takeAskedServices()).toEqual(['street'])
  for (const [name, service] of [
    ['Satellite', 'satellite'],
    ['Terrain', 'terrain'],
    ['Street', 'street'],
  ] as const) {
    tiles.takeAskedServices()
    await map.baseMap(name).click()
    const middle = await map.canvas.middle()
    const patch = { left: middle.x - 9, top: middle.y - 9, right: middle.x + 9, bottom: middle.y + 9 }
    await expect
      .poll(async () => (await map.canvas.ink()).count(stubTileColors[service], patch, 4))
      .toBeGreaterThan(300)
    // Tiles seen before may come from the cache.
    expect(tiles.takeAskedServices().every((requested) => requested === service)).toBe(true)
    expect(map.search().base).toBe(service === 'street' ? undefined : service)
  }
})

test('places controls in their corners with readable scale and attribution', async ({ map, given, page }) => {
  const mapId = await given([
    parcel({ id: 'p1' }),
    asset({ id: 'a1', geometry: pointAt(-1500, -1200) }),
    asset({ id: 'a2', geometry: pointAt(1500, 1200) }),
  ])
  await map.open(mapId, { camera: { ...origin, zoom: 14 } })
  const frame = await map.canvas.box()
  const switchBox = await page.getByRole('radiogroup', { name: 'Base map' }).boundingBox()
  expect(frame.x + frame.width - (switchBox?.x ?? 0) - (switchBox?.width ?? 0)).toBeLessThan(20)
  expect((switchBox?.y ?? 0) - frame.y).toBeLessThan(20)
  const zoomOut = await map.button('Zoom out').boundingBox()
  expect(frame.x + frame.width - (zoomOut?.x ?? 0) - (zoomOut?.width ?? 0)).toBeLessThan(20)
  expect(frame.y + frame.height - (zoomOut?.y ?? 0) - (zoomOut?.height ?? 0)).toBeLessThan(60)
  await expect(page.getByRole('img', { name: /^Scale: [\d,]+ (ft|mi) \([\d.,]+ k?m\)$/ })).toBeVisible()
  const credit = page.locator('.maplibregl-ctrl-attrib')
  await expect(credit).toContainText('© OpenStreetMap contributors')
  await page.evaluate(() =>
    document.addEventListener('click', (event) => event.preventDefault(), { once: true }),
  )
  await credit.getByRole('link').click()
  await expect(credit.getByRole('link')).toHaveAttribute('target', '_blank')

  await map.button('Zoom in').click()
  await map.canvas.cameraIs({ ...origin, zoom: 15 })
  await map.button('Zoom out').click()
  await map.canvas.cameraIs({ ...origin, zoom: 14 })

  await map.canvas.drag({ x: 200, y: 200 }, { x: 150, y: 100 })
  await map.button('Zoom to all land').click()
  await expect.poll(async () => (await map.canvas.camera()).zoom).not.toBe(14)
  await map.canvas.isComplete()
  const southWest = await map.canvas.pointOf(placeAt(-1500, -1200))
  const northEast = await map.canvas.pointOf(placeAt(1500, 1200))
  expect(Math.min(southWest.x, northEast.y)).toBeGreaterThanOrEqual(0)
  expect(northEast.x).toBeLessThanOrEqual(frame.width)
  expect(southWest.y).toBeLessThanOrEqual(frame.height)
  const fills = Math.max(
    (northEast.x - southWest.x) / frame.width,
    (southWest.y - northEast.y) / frame.height,
  )
  expect(fills).toBeGreaterThan(0.7)
})

test.describe('without tile services', () => {
  test.use({ toleratesNetworkFailures: true })
  test.beforeEach(({ page, tiles }) => page.route(`${tiles.origin}/**`, (route) => route.abort()))

  test('shows a notice and draws a fallback base map until tiles load', {
    tag: '@painted',
  }, async ({ given, page, map, tiles }) => {
    const mapId = await given([
      asset({ id: 'a1' }),
      parcel({ id: 'p1', geometry: squareAt(-700, 0, 400) }),
      asset({ id: 'road', type: 'road', geometry: lineThrough([-700, 600], [700, 600]) }),
    ])
    await map.visit(map.addressOf(mapId, { camera: { ...origin, zoom: 14 } }))
    const mark = page.getByText('No base map', { exact: true })
    await expect(mark).toBeVisible()
    await map.canvas.isComplete()
    await expect
      .poll(async () => (await map.canvas.ink()).count([243, 241, 234], undefined, 3))
      .toBeGreaterThan(50_000)
    const { x, y } = await map.canvas.pointOf(placeAt(-700, 0))
    const [red, green, blue] = (await map.canvas.ink()).colorAt({ x, y })
    expect(green).toBeGreaterThan(red)
    expect(green - blue).toBeGreaterThan(8)
    await map.canvas.showsInkAt([{ name: 'a1', ...origin }]).toEqual(['a1'])

    expect(await coveringParts(page)).toEqual([])
    await map.button('Dismiss').click()
    await expect(mark).toBeHidden()
    await map.baseMap('Satellite').click()
    await expect(mark).toBeVisible()
    await map.canvas.isComplete()

    await page.unroute(`${tiles.origin}/**`)
    await map.button('Retry').click()
    await expect
      .poll(async () => (await map.canvas.ink()).count(stubTileColors.satellite, undefined, 4))
      .toBeGreaterThan(10_000)
    await expect(mark).toBeHidden()
    expect((await map.canvas.ink()).colorAt({ x, y })[1]).toBeLessThan(120)

    // No stripe crosses the ocean for a coast on the date line.
    await page.route(`${tiles.origin}/**`, (route) => route.abort())
    // Off Norway, north of an island that crosses the date line.
    await map.visit(map.addressOf(mapId, { camera: { lat: 70.8, lng: 20, zoom: 6 } }))
    const landIn = async (northWest: Place, southEast: Place) => {
      const from = await map.canvas.pointOf(northWest)
      const to = await map.canvas.pointOf(southEast)
      const patch = { left: from.x, top: from.y, right: to.x, bottom: to.y }
      return (await map.canvas.ink()).count([243, 241, 234], patch, 3)
    }
    await expect.poll(() => landIn({ lat: 69.8, lng: 24 }, { lat: 69.4, lng: 26 })).toBeGreaterThan(1_000)
    expect(await landIn({ lat: 72, lng: 12 }, { lat: 70.6, lng: 18 })).toBe(0)
  })
})
