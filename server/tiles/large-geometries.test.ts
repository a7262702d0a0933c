import { beforeAll, expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, aParcel, home, square, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import type { TileFilter } from '../thinning/filter.ts'
import { readTileGeometries } from '../thinning/read-tile.queries.ts'

const tile = { z: 10, x: 196, y: 408 }
const all: TileFilter = { kinds: [], types: [], since: undefined }
const assetsAlone: TileFilter = { ...all, kinds: ['asset'] }

onEachEngine('the shapes of a tile', (createDatabase) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    const place = (mapId: string, count: number, side: number) =>
      Array.from({ length: count }, (_, index) =>
        aParcel({ mapId, id: `${index}`, geometry: square(home.lng, home.lat, side * (1 + index / 200)) }),
      )
    for (const mapId of ['crowded', 'quiet']) await storeMap(database, mapId)
    const asset = anAsset({ mapId: 'crowded', id: 'asset', geometry: square(home.lng, home.lat, 0.02) })
    await storeFeatures(database, [...place('crowded', 400, 0.2), ...place('quiet', 3, 0.02), asset])
  })

  const read = (mapId: string, limit: number, filter = all) =>
    readTileGeometries(database, mapId, tile, { margin: 0, limit }, filter)
  const idsOf = async (mapId: string, limit: number) => (await read(mapId, limit)).map(({ id }) => id)

  it('are the largest, in order of size', async () => {
    expect(await idsOf('quiet', 10)).toEqual(['2', '1', '0'])
    const some = await idsOf('crowded', 20)
    expect(some).toHaveLength(20)
    expect(some).toEqual(some.toSorted((one, other) => Number(other) - Number(one)))
  })

  it('are those visible from the earliest zooms above the limit', async () => {
    const zoomsOf = async (limit: number) => {
      const shapes = await read('crowded', limit)
      return shapes.map((shape) => shape.size_zoom).sort((one, other) => one - other)
    }
    const zooms = await zoomsOf(1_000)
    expect(zooms).toHaveLength(401)
    expect(new Set(zooms).size).toBeGreaterThan(1)
    for (const limit of [10, 200]) expect(await zoomsOf(limit)).toEqual(zooms.slice(0, limit))
  })

  it('are found if the filter excludes many larger ones', async () => {
    expect(await read('crowded', 5, assetsAlone)).toMatchObject([{ id: 'asset' }])
  })

  it('are found if another map has many larger ones', async () => {
    expect(await idsOf('quiet', 5)).toHaveLength(3)
  })
})
