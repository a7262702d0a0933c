import type { Locator } from '@playwright/test'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { assetColors, incidentColors, severityColors } from '#domain/features/palette.ts'
import { latOfMercatorY, lngOfMercatorX, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import {
  asset,
  incident,
  lineThrough,
  metersFromOrigin,
  origin,
  parcel,
  placeAt,
  pointAt,
  squareAt,
} from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, heightOf, type Rgb, rgb, widthOf } from './ink.ts'
import { pixelsOfMeters } from './map-canvas.driver.ts'
import { stubTileColors } from './stub-tiles.ts'

const ground = stubTileColors.street
const gray = rgb('#868e96')
const blue = rgb('#1c7ed6')
const spacing = 2_000
const columnOf = (index: number) => (index - 3) * spacing

// Low severity: at zoom 12 its circle is not drawn.
const incidents = incidentTypes.map((type, index) => ({
  type,
  feature: incident({ id: `i-${type}`, type, severity: 'low', geometry: pointAt(columnOf(index), 3_000) }),
  place: placeAt(columnOf(index), 3_000),
}))
const assets = assetTypes.map((type, index) => ({
  type,
  feature: asset({ id: `a-${type}`, type, geometry: pointAt(columnOf(index), -1_000) }),
  place: placeAt(columnOf(index), -1_000),
}))
const pins = [...incidents, ...assets].map(({ feature }) => feature)

// Counts physical pixels.
test.use({ deviceScaleFactor: 1 })

test('draws pins 30 pixels high in the color of their type, selected ones 40, and dots below zoom 12', {
  tag: '@painted',
}, async ({ map, given, page }) => {
  const mapId = await given(pins)
  await test.step('pins', async () => {
    await map.open(mapId, { camera: { ...origin, zoom: 12 } })
    const ink = await map.canvas.ink()
    for (const { type, place } of incidents) {
      const foot = await map.canvas.pointOf(place)
      const box = boxAround({ x: foot.x, y: foot.y - 11 }, 24)
      const pin = ink.extentOnTopOf(ground, box)
      expect(heightOf(pin), `height of ${type}`).toBeGreaterThanOrEqual(29)
      expect(heightOf(pin), `height of ${type}`).toBeLessThanOrEqual(31)
      expect(Math.abs((pin?.bottom ?? 0) - 4 - foot.y), `foot of ${type}`).toBeLessThanOrEqual(1)
      expect(ink.count(rgb(incidentColors[type]), box), `colour of ${type}`).toBeGreaterThan(100)
    }
    for (const { type, place } of assets) {
      const box = boxAround(await map.canvas.pointOf(place), 24)
      const pin = ink.extentOnTopOf(ground, box)
      expect(heightOf(pin), `height of ${type}`).toBeGreaterThanOrEqual(29)
      expect(heightOf(pin), `height of ${type}`).toBeLessThanOrEqual(31)
      expect(ink.count(rgb(assetColors[type]), box), `colour of ${type}`).toBeGreaterThan(100)
    }
  })
  await test.step('dots', async () => {
    await map.open(mapId, { camera: { ...origin, zoom: 11.9 } })
    const ink = await map.canvas.ink()
    for (const { type, place } of [...incidents, ...assets]) {
      const color = rgb({ ...incidentColors, ...assetColors }[type])
      const box = boxAround(await map.canvas.pointOf(place), 20)
      // The outline adds a pixel on each side, plus antialiasing.
      const whole = ink.extentOnTopOf(ground, box)
      expect(Math.abs(heightOf(whole) - 8), `${type} with outline`).toBeLessThanOrEqual(1)
      expect(Math.abs(widthOf(ink.extentOf(color, box, 80)) - 6), type).toBeLessThanOrEqual(2)
    }
  })
  await test.step('selected pins', async () => {
    await page.route('**/features/i-fire', () => {})
    const camera = { ...origin, zoom: 12 }
    for (const [select, index, color] of [
      ['i-fire', 0, incidentColors.fire],
      ['a-residence', 3, assetColors.residence],
    ] as const) {
      await map.open(mapId, { camera, search: { select } })
      await expect(map.details.getByRole('heading')).toBeVisible()
      const isIncident = select === 'i-fire'
      const foot = await map.canvas.pointOf(placeAt(columnOf(index), isIncident ? 3_000 : -1_000))
      const middle = isIncident ? { x: foot.x, y: foot.y - 15 } : foot
      const outline = 2.7
      const height = async () =>
        heightOf((await map.canvas.ink()).extentOf(rgb(color), boxAround(middle, 30), 30)) + 2 * outline
      await expect.poll(height).toBeGreaterThanOrEqual(38)
      expect(await height()).toBeLessThanOrEqual(41)
      // A dark and a white ring around it, for light and dark base maps.
      const ink = await map.canvas.ink()
      const ring = boxAround(middle, 30)
      expect(heightOf(ink.extentOf([255, 255, 255], ring, 30))).toBeGreaterThan(46)
      expect(heightOf(ink.extentOf(rgb('#14181b'), ring, 60))).toBeGreaterThan(47)
    }
  })
})

test('chooses the pins of crowded features, with the selected and the most urgent on top', {
  tag: '@painted',
}, async ({ map, given }) => {
  await test.step('dots until the map zooms in', async () => {
    const zoom = 14
    const pixel = 1 / pixelsOfMeters(1, origin.lat, zoom)
    const corner = cornerOfTile(zoom)
    const onTile = (right: number, down: number) => ({
      east: corner.east + right * pixel,
      north: corner.north - down * pixel,
    })
    // Within one cell of 32 pixels, as far apart as possible: the first id represents the cell.
    const [first, second] = [onTile(258, 258), onTile(286, 286)]
    const water = (id: string, { east, north }: { east: number; north: number }) =>
      asset({ id, type: 'water', geometry: pointAt(east, north) })
    const pair = [water('a', first), water('b', second)]
    const crowd = Array.from({ length: 100 }, (_, index) =>
      water(`z-${index}`, onTile(150 + (index % 10) * 9, 150 + Math.floor(index / 10) * 9)),
    )
    const mapId = await given([...pair, ...crowd])
    for (const open of ['open', 'openViewer'] as const) {
      await map[open](mapId, { camera: { ...placeAt(first.east, first.north), zoom } })
      const heightAt = async ({ east, north }: { east: number; north: number }, reach: number) => {
        const box = boxAround(await map.canvas.pointOf(placeAt(east, north)), reach)
        return heightOf((await map.canvas.ink()).extentOf(blue, box, 60))
      }
      expect(await heightAt(first, 17), `pin, ${open}`).toBeGreaterThan(22)
      expect(Math.abs((await heightAt(second, 6)) - 6), `dot, ${open}`).toBeLessThanOrEqual(2)
      await map[open](mapId, { camera: { ...placeAt(second.east, second.north), zoom: 17 } })
      expect(await heightAt(second, 17), `pin from near, ${open}`).toBeGreaterThan(22)
    }
  })
  await test.step('the most urgent', async () => {
    const zoom = 14
    const beside = 20 / pixelsOfMeters(1, origin.lat, zoom)
    const fire = { type: 'fire', geometry: pointAt(0, 0) } as const
    const flood = { type: 'flood', geometry: pointAt(beside, 0) } as const
    const redInk = rgb(incidentColors.fire)
    const blueInk = rgb(incidentColors.flood)
    const pinInk = 100
    const inkOf = async (color: Rgb, east: number) => {
      const { x, y } = await map.canvas.pointOf(placeAt(east, 0))
      return (await map.canvas.ink()).count(color, boxAround({ x, y: y - 8 }, 20), 60)
    }
    const seen = async () => ({
      fire: (await inkOf(redInk, 0)) > pinInk,
      flood: (await inkOf(blueInk, beside)) > pinInk,
    })
    const mapId = await given([
      incident({ id: 'a', ...fire, severity: 'high', resolved: true }),
      incident({ id: 'b', ...flood, severity: 'low' }),
    ])
    await map.open(mapId, { camera: { ...origin, zoom } })
    expect(await seen()).toEqual({ fire: false, flood: true })
    await map.canvas.press('+', '+')
    await expect.poll(seen).toEqual({ fire: true, flood: true })
  })
  await test.step('the selected, and a stack with its count', async () => {
    const zoom = 14
    const beside = 20 / pixelsOfMeters(1, origin.lat, zoom)
    const mapId = await given([
      asset({ id: 'offline', type: 'water', status: 'offline', geometry: pointAt(0, 0) }),
      asset({ id: 'works', type: 'residence', geometry: pointAt(beside, 0) }),
      ...['c1', 'c2', 'c3'].map((id) => asset({ id, type: 'recreation', geometry: pointAt(600, 0) })),
      asset({ id: 'single', type: 'recreation', geometry: pointAt(-600, 0) }),
    ])
    const camera = { ...origin, zoom }
    const inkAt = async (east: number, color: Rgb) =>
      (await map.canvas.ink()).count(color, boxAround(await map.canvas.pointOf(placeAt(east, 0)), 15), 40)
    await map.open(mapId, { camera })
    expect(await inkAt(0, rgb(assetColors.water))).toBeGreaterThan(100)
    expect(await inkAt(beside, rgb(assetColors.residence))).toBeLessThan(60)
    const dark = rgb('#1b1f21')
    expect((await inkAt(600, dark)) - (await inkAt(-600, dark))).toBeGreaterThan(30)

    await map.open(mapId, { camera, search: { select: 'works' } })
    await map.hasDetailsOf('Asset works')
    await expect.poll(() => inkAt(beside, rgb(assetColors.residence))).toBeGreaterThan(200)
    await expect.poll(() => inkAt(0, rgb(assetColors.water))).toBeLessThan(60)
  })
})

/** North-west corner of the tile at the origin, in meters. */
function cornerOfTile(zoom: number) {
  const tiles = 2 ** (zoom - 1)
  return metersFromOrigin({
    lng: lngOfMercatorX(Math.floor(mercatorX(origin.lng) * tiles) / tiles),
    lat: latOfMercatorY(Math.floor(mercatorY(origin.lat) * tiles) / tiles),
  })
}

test('draws severity circles in meters, parcels, roads and water lines in their colors', {
  tag: '@painted',
}, async ({ map, given }) => {
  await test.step('severity circles', async () => {
    const circles = [
      { severity: 'high', meters: 300, east: -450, north: 350 },
      { severity: 'medium', meters: 200, east: 450, north: 350 },
      { severity: 'low', meters: 100, east: -450, north: -450 },
      { severity: null, meters: 150, east: 450, north: -450 },
    ] as const
    const features = circles.map(({ severity, east, north }) =>
      incident({ id: `i-${severity}`, type: 'other', severity, geometry: pointAt(east, north) }),
    )
    const zoom = 15
    await map.open(await given(features), { camera: { ...origin, zoom } })
    const ink = await map.canvas.ink()
    for (const { severity, meters, east, north } of circles) {
      const { lat, lng } = placeAt(east, north)
      const radius = pixelsOfMeters(meters, lat, zoom)
      const box = boxAround(await map.canvas.pointOf({ lat, lng }), radius + 8)
      const ring = ink.extentOf(rgb(severityColors[severity ?? 'unknown']), box, 50)
      // The line is 1.5 pixels wide.
      expect(Math.abs(widthOf(ring) / 2 - radius), `${severity} across`).toBeLessThanOrEqual(1.5)
      expect(Math.abs(heightOf(ring) / 2 - radius), `${severity} along`).toBeLessThanOrEqual(1.5)
    }
  })
  await test.step('parcels and lines', async () => {
    const mapId = await given([
      parcel({ id: 'p1', geometry: squareAt(-400, 150, 400) }),
      parcel({ id: 'p2', geometry: squareAt(400, 150, 400) }),
      asset({ id: 'road', type: 'road', geometry: lineThrough([-700, -250], [700, -250]) }),
      asset({ id: 'main', type: 'water', geometry: lineThrough([-700, -350], [700, -350]) }),
    ])
    const camera = { ...origin, zoom: 15 }
    await map.open(mapId, { camera, search: { select: 'p2', tab: 'parcel' } })
    await map.hasDetailsOf('Parcel p2')
    const edgeOf = async (east: number) => boxAround(await map.canvas.pointOf(placeAt(east, 350)), 8)
    await expect.poll(async () => (await map.canvas.ink()).count(blue, await edgeOf(400))).toBeGreaterThan(30)
    const ink = await map.canvas.ink()
    expect(ink.count(gray, await edgeOf(-400), 40)).toBeGreaterThan(10)
    expect(ink.count(blue, await edgeOf(-400))).toBe(0)
    for (const [type, north] of [
      ['road', -250],
      ['water', -350],
    ] as const) {
      const start = await map.canvas.pointOf(placeAt(-300, north))
      const right = await map.canvas.pointOf(placeAt(300, north))
      const along = { left: start.x, right: right.x, top: start.y - 6, bottom: start.y + 6 }
      const line = ink.extentOf(rgb(assetColors[type]), along)
      expect(widthOf(line), `length of ${type}`).toBeGreaterThanOrEqual(right.x - start.x - 1)
      expect(heightOf(line), `width of ${type}`).toBeLessThanOrEqual(4)
    }
  })
})

test('the legend explains the symbols in view', async ({ map, given, page }) => {
  const far = incident({ id: 'far', severity: 'high', geometry: pointAt(200_000, 0) })
  await map.open(await given([...pins, far, parcel({ id: 'p1' })]), { search: { off: 'asset' } })
  const legend = page.getByRole('region', { name: 'Legend' })
  await legend.getByRole('button', { name: 'Legend' }).click()
  const incidents = legend.getByRole('list', { name: 'Incidents' })
  await expect(incidents).toContainText('Fallen tree')
  await expect(legend.getByText('Incidents', { exact: true })).toBeVisible()
  const severities = legend.getByRole('list', { name: 'Severity (circle radius)' })
  await expect(severities).toHaveText('Low, about 330 ft (100 m)')
  await expect(legend.getByRole('list', { name: 'Parcels' })).toContainText('Selected parcel')
  await expect(legend.getByRole('list', { name: 'Assets' })).toBeHidden()

  /** Null while the symbol is drawn anew. */
  const isDrop = async (place: Locator) => {
    const box = await place.locator('svg > path').first().boundingBox()
    return box && box.width < 0.9 * box.height
  }
  await expect.poll(() => isDrop(incidents)).toBe(true)
  await map.rows.first().click()
  await expect(map.fact('Status')).toBeVisible()
  for (const place of [map.rows.first(), map.details.locator('header')])
    await expect.poll(() => isDrop(place)).toBe(true)
  await map.openTab('Assets')
  await expect.poll(() => isDrop(map.rows.first())).toBe(false)
})
