import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { anIncident, point, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

type LngLat = [lng: number, lat: number]

const radiusMeters = { high: 300, medium: 200, low: 100, unknown: 150 }
const places: LngLat[] = [
  [0.001, 0.001],
  [-111.09, 34.05],
  [25.78, 71.17],
  [-68.3, -54.8],
]

onEngine('sqlite', 'the circle around an incident', (createDatabase) => {
  let app: TestApp
  beforeAll(async () => {
    const database = await createDatabase()
    for (const severity of [null, 'low', 'medium', 'high'] as const) {
      const mapId = severity ?? 'unknown'
      await storeMap(database, mapId)
      await storeFeatures(
        database,
        places.map(([lng, lat], index) =>
          anIncident({ mapId, id: `${index}`, severity, geometry: point(lng, lat), resolved: index === 1 }),
        ),
      )
    }
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  async function ringsOn(severity: string, z: number, x: number, y: number) {
    const answer = await app.get(`/api/maps/${severity}/tiles/${z}/${x}/${y}.mvt`)
    return decodeTile(answer.rawPayload).filter(({ layer }) => layer === 'incident_areas')
  }

  describe.each(['high', 'medium', 'low', 'unknown'] as const)('of severity %s', (severity) => {
    it.each([15, 16, 17])('has its radius in meters at any latitude, at zoom %i', async (z) => {
      for (const [index, place] of places.entries()) {
        const [homeX, homeY] = tileOf(z, place)
        const tileMeters = haversineMeters([0, 0], [360 / 2 ** z, 0]) * Math.cos((place[1] * Math.PI) / 180)
        const reach = Math.ceil(radiusMeters[severity] / tileMeters)
        const steps = Array.from({ length: 2 * reach + 1 }, (_, step) => step - reach)
        let corners = 0
        for (const [x, y] of steps.flatMap((right) =>
          steps.map((down) => [homeX + right, homeY + down] as const),
        )) {
          const [ring, ...more] = (await ringsOn(severity, z, x, y)).filter(
            ({ tags }) => tags.id === `${index}`,
          )
          expect(more).toEqual([])
          if (x === homeX && y === homeY)
            expect(ring).toMatchObject({
              type: 3,
              tags: { severity, status: index === 1 ? 'resolved' : 'unresolved' },
            })
          for (const position of ring?.parts[0] ?? []) {
            if ([position.x, position.y].some((at) => at === -128 || at === 4096 + 128)) continue
            corners += 1
            const meters = haversineMeters(place, lngLatOf(z, x, y, position))
            expect(Math.abs(meters / radiusMeters[severity] - 1)).toBeLessThan(0.01)
          }
        }
        expect(corners).toBeGreaterThan(32)
      }
    })

    it('is on exactly the tiles that it intersects', async () => {
      const z = 17
      const place = places[1] as LngLat
      const [homeX, homeY] = tileOf(z, place)
      for (const right of [-3, -2, -1, 0, 1, 2, 3]) {
        for (const down of [-3, -2, -1, 0, 1, 2, 3]) {
          const [x, y] = [homeX + right, homeY + down]
          const meters = haversineMeters(place, nearestOnTile(z, x, y, place))
          const rings = await ringsOn(severity, z, x, y)
          if (meters < radiusMeters[severity] * 0.98) expect(rings).toHaveLength(1)
          if (meters > radiusMeters[severity] * 1.5 + 10) expect(rings).toHaveLength(0)
        }
      }
    })
  })

  it('is omitted if it would be smaller than 8 pixels', async () => {
    // 300 m at latitude 34.05 are 9.5 pixels of zoom 11 and 4.7 of zoom 10; 100 m are 6.3 of zoom 12.
    const count = async (severity: string, z: number) =>
      (await ringsOn(severity, z, ...tileOf(z, places[1] as LngLat))).length
    expect(await count('high', 11)).toBe(1)
    expect(await count('high', 10)).toBe(0)
    expect(await count('low', 13)).toBe(1)
    expect(await count('low', 12)).toBe(0)
  })
})

onEngine('sqlite', 'overlapping circles', (createDatabase) => {
  it('are reduced to the newest incident per cell of 16 pixels, with few corners while they are small', async () => {
    const z = 12
    const database = await createDatabase()
    await storeMap(database, 'close')
    const pixel = 360 / 2 ** z / 512
    const west = Math.floor(-111.09 / (16 * pixel)) * 16 * pixel
    const at = (id: string, pixels: number, date: string | null, severity: 'high' | 'low' = 'high') =>
      anIncident({ mapId: 'close', id, date, severity, geometry: point(west + pixels * pixel, 34.05) })
    await storeFeatures(database, [
      at('old', 2, '2026-05-01T00:00:00.000Z'),
      at('new', 10, '2026-05-02T00:00:00.000Z'),
      at('other', 18, '2026-04-01T00:00:00.000Z'),
      at('none', 34, '2026-04-01T00:00:00.000Z', 'low'),
    ])
    await using app = await startTestApp(database)
    const [x, y] = tileOf(z, [west + pixel, 34.05])
    const features = decodeTile((await app.get(`/api/maps/close/tiles/${z}/${x}/${y}.mvt`)).rawPayload)
    const idsOn = (wanted: string) =>
      features.filter(({ layer }) => layer === wanted).map(({ tags }) => tags.id)
    expect(idsOn('incidents').sort()).toEqual(['new', 'none', 'old', 'other'])
    expect(idsOn('incident_areas').sort()).toEqual(['new', 'other'])
    const rings = features.filter(({ layer }) => layer === 'incident_areas')
    for (const { parts } of rings) expect(parts[0]?.length).toBe(33)
  })
})

function tileOf(z: number, [lng, lat]: LngLat): [x: number, y: number] {
  const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
  return [Math.floor((lng / 360 + 0.5) * 2 ** z), Math.floor(y * 2 ** z)]
}

function lngLatOf(z: number, x: number, y: number, position: { x: number; y: number }): LngLat {
  const unitY = (y + position.y / 4096) / 2 ** z
  return [
    ((x + position.x / 4096) / 2 ** z - 0.5) * 360,
    (Math.atan(Math.sinh(2 * Math.PI * (0.5 - unitY))) * 180) / Math.PI,
  ]
}

function nearestOnTile(z: number, x: number, y: number, [lng, lat]: LngLat): LngLat {
  const [west, north] = lngLatOf(z, x, y, { x: 0, y: 0 })
  const [east, south] = lngLatOf(z, x, y, { x: 4096, y: 4096 })
  return [Math.max(west, Math.min(east, lng)), Math.max(south, Math.min(north, lat))]
}

function haversineMeters([lngA, latA]: LngLat, [lngB, latB]: LngLat): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2
  const share = half(latA, latB) + Math.cos(radians(latA)) * Math.cos(radians(latB)) * half(lngA, lngB)
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(share))
}
