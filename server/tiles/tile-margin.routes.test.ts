import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  home,
  line,
  point,
  square,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

// Map engines cut or reject geometries far beyond a tile.

const [extent, margin] = [4096, 128]

const zigzag: Position[] = Array.from({ length: 21 }, (_, index) => [
  index === 10 ? home.lng : index % 2 === 0 ? -179 : 179,
  home.lat - 20 + 2 * index,
])
const wideStar: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [-170, -60],
      [home.lng, home.lat - 1e-3],
      [170, -60],
      [home.lng + 1e-3, home.lat],
      [170, 80],
      [home.lng, home.lat + 1e-3],
      [-170, 80],
      [home.lng - 1e-3, home.lat],
      [-170, -60],
    ],
  ],
}

onEachEngine('a tile', (createDatabase) => {
  let app: TestApp
  beforeAll(async () => {
    const database = await createDatabase()
    await storeMap(database, 'huge')
    await storeFeatures(database, [
      aParcel({ mapId: 'huge', id: 'star', geometry: wideStar }),
      aParcel({ mapId: 'huge', id: 'square', geometry: square(home.lng - 30, home.lat - 20, 50) }),
      anAsset({ mapId: 'huge', id: 'zigzag', geometry: line(...zigzag) }),
      anAsset({ mapId: 'huge', id: 'area', geometry: square(home.lng - 0.01, home.lat - 0.01, 0.02) }),
      ...(['high', 'medium', 'low', null] as const).map((severity, index) =>
        anIncident({
          mapId: 'huge',
          id: `${severity}`,
          severity,
          geometry: point(home.lng + index * 3e-4, home.lat),
        }),
      ),
    ])
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  it('contains nothing beyond its margin, at any zoom and for any shape', async () => {
    const seen = new Set<unknown>()
    for (let z = 0; z <= maxTileZoom; z++) {
      const tiles = 2 ** z
      const [homeX, homeY] = [
        Math.floor(mercatorX(home.lng) * tiles),
        Math.floor(mercatorY(home.lat) * tiles),
      ]
      for (const [right, down] of [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const))) {
        const [x, y] = [homeX + right, homeY + down]
        if (Math.min(x, y) < 0 || Math.max(x, y) >= tiles) continue
        const answer = await app.get(`/api/maps/huge/tiles/${z}/${x}/${y}.mvt`)
        for (const { layer, type, tags, parts } of decodeTile(answer.rawPayload)) {
          if (z === maxTileZoom) seen.add(`${layer} ${type}`)
          for (const position of parts.flat()) {
            const where = `${z}/${x}/${y} ${layer} ${tags.id} ${position.x} ${position.y}`
            expect(Math.min(position.x, position.y), where).toBeGreaterThanOrEqual(-margin)
            expect(Math.max(position.x, position.y), where).toBeLessThanOrEqual(extent + margin)
          }
        }
      }
    }
    for (const kind of ['incidents 1', 'incident_areas 3', 'assets 2', 'assets 3', 'parcels 3'])
      expect(seen).toContain(kind)
  })
})
