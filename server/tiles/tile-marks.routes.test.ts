import { expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { latOfMercatorY, lngOfMercatorX, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  home,
  square,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { startTestApp } from '#test/server/test-app.ts'

const pixels = 512
const z = 13
const [homeX, homeY] = [mercatorX(home.lng) * 2 ** z, mercatorY(home.lat) * 2 ** z].map(Math.floor) as [
  number,
  number,
]

function onTile(x: number, y: number): [number, number] {
  return [lngOfMercatorX((homeX + x / pixels) / 2 ** z), latOfMercatorY((homeY + y / pixels) / 2 ** z)]
}

const crowdOf = (count: number): NewFeature[] =>
  Array.from({ length: count }, (_, index) =>
    anAsset({
      id: `a-${index}`,
      geometry: {
        type: 'Point',
        coordinates: onTile(40 + (index % 10) * 9, 40 + Math.floor(index / 10) * 9),
      },
    }),
  )

onEachEngine('a tile', (createDatabase) => {
  it('shows overlapping pins as dots', async () => {
    const database = await createDatabase()
    await using app = await startTestApp(database)
    const marksOf = async (mapId: string, tile = `${z}/${homeX}/${homeY}`) => {
      const answer = await app.get(`/api/maps/${mapId}/tiles/${tile}.mvt`)
      return decodeTile(answer.rawPayload)
        .filter(({ layer }) => layer !== 'incident_areas')
        .map(({ tags, parts }) => ({
          id: String(tags.id),
          mark: tags.mark,
          at: parts[0]?.[0] ?? { x: -1, y: -1 },
        }))
    }
    const store = async (mapId: string, features: NewFeature[]) => {
      await storeMap(database, mapId)
      await storeFeatures(
        database,
        features.map((feature) => ({ ...feature, mapId })),
      )
    }

    await store('few', crowdOf(80))
    expect(new Set((await marksOf('few')).map(({ mark }) => mark))).toEqual(new Set([undefined]))

    const road = anAsset({
      id: 'road',
      geometry: { type: 'LineString', coordinates: [onTile(44, 44), onTile(44.5, 44.5)] },
    })
    const fire = anIncident({ id: 'fire', geometry: { type: 'Point', coordinates: onTile(45, 45) } })
    await store('many', [...crowdOf(100), road, fire])
    const marks = await marksOf('many')
    expect(marks).toHaveLength(102)
    const pins = marks.filter(({ mark, id }) => mark === undefined && id.startsWith('a-'))
    expect(marks.filter(({ mark }) => mark === 'dot')).toHaveLength(100 - pins.length)
    const cells = pins.map(({ at }) => `${Math.floor(at.x / 256)} ${Math.floor(at.y / 256)}`)
    expect(cells.toSorted()).toEqual([1, 2, 3].flatMap((x) => [1, 2, 3].map((y) => `${x} ${y}`)))
    for (const id of ['road', 'fire'])
      expect(marks.find((one) => one.id === id)).toMatchObject({ mark: undefined })

    const far = await marksOf('many', `10/${homeX >> 3}/${homeY >> 3}`)
    expect(new Set(far.map(({ mark }) => mark))).toEqual(new Set([undefined]))
  })

  it('prefers pins that are unresolved, then severe, then new', async () => {
    const database = await createDatabase()
    await using app = await startTestApp(database)
    const near = (x: number) => ({ type: 'Point' as const, coordinates: onTile(289 + x, 300) })
    const incidents = [
      anIncident({ id: 'new', severity: 'low', date: '2026-06-01T00:00:00.000Z', geometry: near(0) }),
      anIncident({ id: 'severe', severity: 'high', date: '2026-05-01T00:00:00.000Z', geometry: near(9) }),
      anIncident({ id: 'old', severity: 'high', date: '2026-04-01T00:00:00.000Z', geometry: near(18) }),
      anIncident({ id: 'done', severity: 'high', resolved: true, date: null, geometry: near(27) }),
    ]
    const assets = [
      anAsset({ id: 'works', geometry: near(1) }),
      anAsset({ id: 'broken', status: 'offline', geometry: near(10) }),
    ]
    for (const [mapId, crowd] of [
      ['few', []],
      ['many', crowdOf(100)],
    ] as const) {
      await storeMap(database, mapId)
      const features = [...incidents, ...assets, ...crowd].map((feature) => ({ ...feature, mapId }))
      await storeFeatures(database, features)
    }
    const tile = async (mapId: string) => {
      const answer = await app.get(`/api/maps/${mapId}/tiles/${z}/${homeX}/${homeY}.mvt`)
      return decodeTile(answer.rawPayload).filter(({ layer }) => layer !== 'incident_areas')
    }
    const orderOf = ({ tags }: { tags: Record<string, unknown> }) => Number(tags.pin_order)
    const inOrder = (await tile('few'))
      .sort((one, other) => orderOf(one) - orderOf(other))
      .map(({ tags }) => tags.id)
    expect(inOrder).toEqual(['severe', 'old', 'new', 'broken', 'works', 'done'])

    const pins = (await tile('many')).filter(({ tags }) => tags.mark === undefined).map(({ tags }) => tags.id)
    expect(pins).toContain('severe')
    expect(pins).toContain('broken')
    for (const id of ['new', 'old', 'done', 'works']) expect(pins).not.toContain(id)
  })

  it('counts co-located features of a kind and shape that match the filter', async () => {
    const database = await createDatabase()
    await using app = await startTestApp(database)
    await storeMap(database, 'oak-hills')
    const at = { type: 'Point' as const, coordinates: onTile(300, 300) }
    const [x, y] = onTile(100, 100)
    const lot = square(x, y, 0.005)
    await storeFeatures(database, [
      ...['w1', 'w2', 'w3'].map((id) => anAsset({ id, type: 'water', geometry: at })),
      anAsset({ id: 'r1', type: 'road', geometry: at }),
      anAsset({ id: 'r2', type: 'road', status: 'offline', geometry: at }),
      anIncident({ id: 'fire', geometry: at }),
      aParcel({ id: 'lot-1', geometry: lot }),
      aParcel({ id: 'lot-2', geometry: lot }),
      aParcel({ id: 'alone', geometry: square(x + 0.006, y, 0.005) }),
    ])
    const countsOf = async (query = '', tile = `${z}/${homeX}/${homeY}`) => {
      const answer = await app.get(`/api/maps/oak-hills/tiles/${tile}.mvt${query}`)
      const features = decodeTile(answer.rawPayload).filter(({ layer }) => layer !== 'incident_areas')
      const counts = new Map(features.map(({ tags }) => [String(tags.id).replace(/\d/, ''), tags.count]))
      return Object.fromEntries(counts)
    }
    const alone = { alone: undefined, fire: undefined }
    expect(await countsOf()).toMatchObject({ ...alone, 'lot-': '2' })
    expect(Object.values(await countsOf('?kind=asset'))).toEqual(['5'])
    expect(await countsOf('?type=water')).toMatchObject({ ...alone, w: '3' })
    expect(await countsOf('?type=road')).toMatchObject({ ...alone, r: '2' })
    expect(Object.values(await countsOf('?type=road,water&kind=asset'))).toEqual(['5'])
    expect(Object.values(await countsOf('?status=operational&kind=asset'))).toEqual(['4'])
    expect(await countsOf('?status=offline&kind=asset')).toEqual({ r: undefined })
    expect(await countsOf('?since=2026-05-01')).toMatchObject({ ...alone, 'lot-': '2' })
    const far = await countsOf('?kind=asset', `10/${homeX >> 3}/${homeY >> 3}`)
    expect(Object.values(far)).toEqual([undefined])
  })
})
