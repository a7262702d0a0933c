import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, aParcel, squareRing, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { decodeTile, ringArea } from '#test/server/decode-tile.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

type Point = { x: number; y: number }

onEngine('sqlite', 'a shape on a tile', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let maps = 0
  beforeAll(async () => {
    database = await createDatabase()
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  async function draw(geometry: Geometry, tile: string) {
    const mapId = `m-${++maps}`
    await storeMap(database, mapId)
    await storeFeatures(database, [aParcel({ mapId, geometry })])
    const answer = await app.get(`/api/maps/${mapId}/tiles/${tile}.mvt`)
    return decodeTile(answer.rawPayload)
  }

  const [outer, hole] = [squareRing(-112, 33, 1), squareRing(-111.7, 33.3, 0.2)]
  const other = squareRing(-110.5, 33, 0.5)

  it.each<[what: string, geometry: Geometry]>([
    ['as RFC 7946 asks', { type: 'Polygon', coordinates: [outer, hole.toReversed()] }],
    ['the other way round', { type: 'Polygon', coordinates: [outer.toReversed(), hole] }],
    ['all one way', { type: 'Polygon', coordinates: [outer, hole] }],
  ])('has clockwise outer rings and counterclockwise holes for any winding: %s', async (_what, geometry) => {
    const [drawn, ...more] = await draw(geometry, '6/12/25')
    expect(more).toEqual([])
    const areas = drawn?.parts.map(ringArea) ?? []
    expect(areas).toEqual([expect.any(Number), expect.any(Number)])
    expect(areas[0]).toBeGreaterThan(0)
    expect(areas[1]).toBeLessThan(0)
    expect((areas[1] ?? 0) / (areas[0] ?? 1)).toBeCloseTo(-0.04, 2)
  })

  it('is one feature with all parts, each followed by its holes', async () => {
    const geometry: Geometry = { type: 'MultiPolygon', coordinates: [[outer, hole], [other]] }
    const drawn = await draw(geometry, '6/12/25')
    expect(drawn).toHaveLength(1)
    expect(drawn[0]?.parts.map((ring) => Math.sign(ringArea(ring)))).toEqual([1, -1, 1])
  })

  it('omits a hole or a part outside of the tile', async () => {
    const geometry: Geometry = { type: 'MultiPolygon', coordinates: [[outer, hole], [other]] }
    const [drawn] = await draw(geometry, '11/387/818')
    expect(drawn?.parts.map((ring) => Math.sign(ringArea(ring)))).toEqual([1])
  })

  it('covers the same area, cut at the margin of the tile', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryStar, arbitraryProbes, async (star, probes) => {
        const parts = (await draw({ type: 'Polygon', coordinates: [star.map(toLngLat)] }, `${z}/${x}/${y}`))
          .filter(({ type }) => type === 3)
          .flatMap((drawn) => drawn.parts)
        for (const point of parts.flat()) {
          expect(Math.min(point.x, point.y)).toBeGreaterThanOrEqual(-128)
          expect(Math.max(point.x, point.y)).toBeLessThanOrEqual(4096 + 128)
        }
        for (const probe of probes.filter((point) => distanceToRing(point, star) > 2))
          expect(isInside(probe, parts), JSON.stringify(probe)).toBe(isInside(probe, [star]))
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })

  it('has tags, but no names', async () => {
    await storeMap(database, 'tags')
    const named = { mapId: 'tags', name: 'Secret name', description: 'Secret story' }
    const asset = anAsset({
      ...named,
      id: 'a',
      type: null,
      status: 'offline',
      geometry: { type: 'Polygon', coordinates: [outer] },
    })
    await storeFeatures(database, [asset, aParcel({ ...named, id: 'p' })])
    const answer = await app.get('/api/maps/tags/tiles/6/12/25.mvt')
    expect(answer.rawPayload.toString('latin1')).not.toContain('Secret')
    expect(decodeTile(answer.rawPayload).map(({ layer, tags }) => ({ layer, tags }))).toEqual(
      expect.arrayContaining([
        { layer: 'assets', tags: { id: 'a', shape: 'polygon', status: 'offline' } },
        { layer: 'parcels', tags: { id: 'p', shape: 'polygon' } },
      ]),
    )
  })
})

// In units of one tile: 0 to 4096 from its north-west corner.
const [z, x, y] = [12, 784, 1638]

function toLngLat(point: Point): Position {
  const [unitX, unitY] = [(x + point.x / 4096) / 2 ** z, (y + point.y / 4096) / 2 ** z]
  return [(unitX - 0.5) * 360, (Math.atan(Math.sinh(2 * Math.PI * (0.5 - unitY))) * 180) / Math.PI]
}

const arbitraryStar = fc
  .record({
    center: fc.record({ x: fc.integer({ min: -1000, max: 5000 }), y: fc.integer({ min: -1000, max: 5000 }) }),
    radii: fc.array(fc.integer({ min: 200, max: 5000 }), { minLength: 5, maxLength: 20 }),
  })
  .map(({ center, radii }) => {
    const points = radii.map((radius, index) => {
      const angle = (index / radii.length) * 2 * Math.PI
      return { x: center.x + radius * Math.cos(angle), y: center.y + radius * Math.sin(angle) }
    })
    return [...points, points[0] as Point]
  })

const arbitraryProbes = fc.array(
  fc.record({ x: fc.integer({ min: 0, max: 4096 }), y: fc.integer({ min: 0, max: 4096 }) }),
  { minLength: 60, maxLength: 60 },
)

function isInside({ x, y }: Point, rings: readonly Point[][]): boolean {
  let crossings = 0
  for (const [from, to] of rings.flatMap(edgesOf))
    if (from.y > y !== to.y > y && x < ((to.x - from.x) * (y - from.y)) / (to.y - from.y) + from.x)
      crossings++
  return crossings % 2 === 1
}

const edgesOf = (ring: readonly Point[]) =>
  ring.slice(1).map((to, index): [Point, Point] => [ring[index] as Point, to])

function distanceToRing(point: Point, ring: readonly Point[]): number {
  return Math.min(
    ...edgesOf(ring).map(([from, to]) => {
      const [dx, dy] = [to.x - from.x, to.y - from.y]
      const share = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy)
      const nearest = Math.max(0, Math.min(1, share))
      return Math.hypot(point.x - from.x - nearest * dx, point.y - from.y - nearest * dy)
    }),
  )
}
