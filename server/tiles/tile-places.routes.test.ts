import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureCollection } from '#domain/features/feature-collection.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { featuresAsTiles } from '#domain/tiles/features-as-tiles.ts'
import { makeTile } from '#domain/tiles/make-tile.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  home,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { timeLimit, times } from '#test/random/how-much.ts'
import { type DecodedFeature, decodeTile } from '#test/server/decode-tile.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

// A second implementation of the design: which features are on which tiles. Lengths are tile widths of the
// zoom.

const pixels = 512
const units = 4096
const margin = 16 / pixels

type Point = { x: number; y: number }
type Placed = { shape: 'point' | 'line' | 'polygon'; feature: NewFeature; pin: Point; from: Point; to: Point }
type Tile = Point & { features: DecodedFeature[] }

onEachEngine('a feature', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let maps = 0
  beforeAll(async () => {
    database = await createDatabase()
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  it(
    'is on exactly the expected tiles, with the page’s tile logic too',
    async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryFeatures, async ({ z, placed }) => {
          const mapId = `m-${++maps}`
          await storeMap(database, mapId)
          await storeFeatures(
            database,
            placed.map(({ feature }) => ({ ...feature, mapId })),
          )
          const found = await app.getJson<FeatureCollection>(`/api/maps/${mapId}/features.geojson`)
          const source = featuresAsTiles(found.features)
          for (const tile of await readTilesAround(mapId, z)) {
            for (const item of placed) expectOnTile(item, tile, leadsItsCell(item, placed))
            const made = await makeTile(source, { z, x: tile.x, y: tile.y })
            expect(inAnyOrder(decodeTile(made))).toEqual(inAnyOrder(tile.features))
          }
        }),
        { numRuns: times(5), endOnFailure: true },
      )
    },
    timeLimit(60_000),
  )

  function readTilesAround(mapId: string, z: number): Promise<Tile[]> {
    const steps = [-3, -2, -1, 0, 1, 2, 3]
    const { x: homeX, y: homeY } = toTiles(z, home.lng, home.lat)
    const addresses = steps.flatMap((right) =>
      steps.map((down) => ({ x: Math.floor(homeX) + right, y: Math.floor(homeY) + down })),
    )
    return Promise.all(
      addresses
        .filter(({ x, y }) => Math.min(x, y) >= 0 && Math.max(x, y) < 2 ** z)
        .map(async ({ x, y }) => {
          const answer = await app.get(`/api/maps/${mapId}/tiles/${z}/${x}/${y}.mvt`)
          expect(answer.statusCode).toBe(200)
          return { x, y, features: decodeTile(answer.rawPayload) }
        }),
    )
  }
})

const inAnyOrder = (features: readonly DecodedFeature[]) =>
  features.map((feature) => JSON.stringify(feature)).sort()

/** Within a cell of 8 pixels, the newest or largest feature of its kind and shape; ties by id. */
function leadsItsCell(item: Placed, placed: readonly Placed[]): boolean {
  const cellOf = ({ pin }: Placed) => `${Math.floor(pin.x * 64)} ${Math.floor(pin.y * 64)}`
  const [cell, size] = [cellOf(item), sizeOf(item)]
  return placed
    .filter(({ shape, feature }) => shape === item.shape && feature.kind === item.feature.kind)
    .filter((other) => other !== item && cellOf(other) === cell)
    .every((other) => size > sizeOf(other) || (size === sizeOf(other) && item.feature.id < other.feature.id))
}

function sizeOf({ feature }: Placed): number {
  return feature.kind === 'incident' ? 0 : toFeatureRow(feature, { now: 0 }).size
}

function expectOnTile(item: Placed, tile: Tile, leads: boolean) {
  const width = (item.to.x - item.from.x) * pixels
  const height = (item.to.y - item.from.y) * pixels
  const size = { point: 0, line: Math.hypot(width, height) / 8, polygon: (width * height) / 64 }[item.shape]
  const isTooCloseToCall = Math.abs(size - 1) < 0.001
  if (isTooCloseToCall) return
  const isDrawn = size > 1
  const hasPin = !isDrawn || (item.shape === 'polygon' && item.feature.kind !== 'parcel')
  const here = tile.features.filter(
    ({ layer, tags }) => layer !== 'incident_areas' && tags.id === item.feature.id,
  )
  for (const found of here) {
    expect(found.layer).toBe(`${item.feature.kind}s`)
    expect(found.tags.shape).toBe(item.shape)
  }
  const isPinHere = hasPin && leads && Math.floor(item.pin.x) === tile.x && Math.floor(item.pin.y) === tile.y
  const points = here.filter(({ type }) => type === 1).map(({ parts }) => parts)
  expect(points).toEqual(isPinHere ? [[[near(inTile(tile, item.pin))]]] : [])

  const drawn = here.filter(({ type }) => type !== 1)
  const part = isDrawn ? visiblePart(item, tile) : undefined
  if (!part) return expect(drawn).toEqual([])
  const isSliver = part.to.x - part.from.x < 2 && part.to.y - part.from.y < 2
  if (
    isSliver ||
    (item.shape === 'polygon' && Math.min(part.to.x - part.from.x, part.to.y - part.from.y) < 2)
  )
    return expect(drawn.length).toBeLessThanOrEqual(1)
  expect(drawn.map(({ type }) => type)).toEqual([item.shape === 'line' ? 2 : 3])
  const positions = drawn.flatMap(({ parts }) => parts.flat())
  const [xs, ys] = [positions.map(({ x }) => x), positions.map(({ y }) => y)]
  expect({ x: Math.min(...xs), y: Math.min(...ys) }).toEqual(near(part.from))
  expect({ x: Math.max(...xs), y: Math.max(...ys) }).toEqual(near(part.to))
}

function visiblePart({ shape, from, to }: Placed, tile: Point): { from: Point; to: Point } | undefined {
  const low = { x: tile.x - margin, y: tile.y - margin }
  const high = { x: tile.x + 1 + margin, y: tile.y + 1 + margin }
  if (shape === 'polygon') {
    const start = { x: Math.max(from.x, low.x), y: Math.max(from.y, low.y) }
    const end = { x: Math.min(to.x, high.x), y: Math.min(to.y, high.y) }
    return start.x < end.x && start.y < end.y
      ? { from: inTile(tile, start), to: inTile(tile, end) }
      : undefined
  }
  const [width, height] = [to.x - from.x, to.y - from.y]
  const first = Math.max(0, (low.x - from.x) / width, (low.y - from.y) / height)
  const last = Math.min(1, (high.x - from.x) / width, (high.y - from.y) / height)
  if (first >= last) return undefined
  const at = (share: number) => inTile(tile, { x: from.x + share * width, y: from.y + share * height })
  return { from: at(first), to: at(last) }
}

const inTile = (tile: Point, { x, y }: Point): Point => ({ x: (x - tile.x) * units, y: (y - tile.y) * units })

const near = ({ x, y }: Point): Point => ({
  x: expect.toSatisfy((value: number) => Math.abs(value - x) <= 1),
  y: expect.toSatisfy((value: number) => Math.abs(value - y) <= 1),
})

function toTiles(z: number, lng: number, lat: number): Point {
  const radians = (lat * Math.PI) / 180
  return {
    x: (lng / 360 + 0.5) * 2 ** z,
    y: (0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** z,
  }
}

function toLngLat(z: number, { x, y }: Point): [number, number] {
  const radians = Math.atan(Math.sinh(2 * Math.PI * (0.5 - y / 2 ** z)))
  return [(x / 2 ** z - 0.5) * 360, (radians * 180) / Math.PI]
}

const builders = { incident: anIncident, asset: anAsset, parcel: aParcel }

const arbitraryFeatures = fc.constantFrom(4, 5, 8, 11, 14, 16, 17).chain((z) =>
  fc.record({
    z: fc.constant(z),
    placed: fc.array(
      fc
        .record({
          kind: fc.constantFrom('incident', 'asset', 'parcel'),
          shape: fc.constantFrom('point', 'line', 'polygon'),
          right: fc.double({ min: -1.6, max: 1.6, noNaN: true }),
          down: fc.double({ min: -1.6, max: 1.6, noNaN: true }),
          width: arbitraryLength(),
          height: arbitraryLength(),
        })
        .map((drawn) => place(z, drawn)),
      { minLength: 1, maxLength: 40 },
    ),
  }),
)

function arbitraryLength() {
  return fc.double({ min: Math.log(2), max: Math.log(820), noNaN: true }).map((log) => Math.exp(log) / pixels)
}

type Drawn = {
  kind: 'incident' | 'asset' | 'parcel'
  shape: Placed['shape']
  right: number
  down: number
  width: number
  height: number
}

function place(z: number, { kind, shape, right, down, width, height }: Drawn): Placed {
  const center = toTiles(z, home.lng, home.lat)
  const from = { x: center.x + right - width / 2, y: center.y + down - height / 2 }
  const to = { x: from.x + width, y: from.y + height }
  const [west, north] = toLngLat(z, from)
  const [east, south] = toLngLat(z, to)
  const geometries: Record<Placed['shape'], Geometry> = {
    point: { type: 'Point', coordinates: [west, north] },
    line: {
      type: 'LineString',
      coordinates: [
        [west, north],
        [east, south],
      ],
    },
    polygon: {
      type: 'Polygon',
      coordinates: [
        [
          [west, north],
          [east, north],
          [east, south],
          [west, south],
          [west, north],
        ],
      ],
    },
  }
  const pin = shape === 'point' ? from : toTiles(z, (west + east) / 2, (north + south) / 2)
  return { shape, feature: builders[kind]({ geometry: geometries[shape] }), pin, from, to }
}
