import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Ranks, rankFeatures } from '#domain/thinning/rank-features.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, anIncident, aParcel, point, square, storeMap } from '#test/databases/feature-builders.ts'
import { toFeatureRow } from '../features/rows/feature-row.ts'
import { applyMigrations, migrate, migrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import type { FeatureColumns } from './tables.ts'

const homes = ['oak-hills', 'elm-park']

const features = homes.flatMap((mapId) =>
  Array.from({ length: 60 }, (_, index) => {
    const [lng, lat] = [-111 + 10 / 4 ** (index % 12), 34]
    const common = { mapId, id: `f${index}`, geometry: point(lng, lat) }
    if (index % 3 === 0)
      return anIncident({
        ...common,
        date: index % 2 === 0 ? null : `1969-12-${10 + (index % 9)}T23:00:00.000Z`,
      })
    if (index % 3 === 1) return anAsset({ ...common, type: index % 2 === 0 ? null : 'water' })
    return aParcel({ ...common, geometry: square(lng, lat, 0.001 * index) })
  }),
)

onEachEngine('a database without ranks', (_createDatabase, { createLocation }) => {
  it('gets ranks, counts and extents', async () => {
    const database = await openDatabase(await createLocation())
    const { engine } = database
    await database.write((transaction) => applyMigrations(transaction, engine, migrations.slice(0, 3)))
    for (const mapId of homes) await storeMap(database, mapId)
    const rows = features.map((feature) => asOfThen(toFeatureRow(feature, { now: 0 })))
    await database.write((transaction) => transaction.insertInto('features').values(rows).execute())

    expect(await migrate(database)).toEqual(migrations.slice(3).map(({ name }) => name))
    for (const mapId of homes) {
      const inMap = database.read.selectFrom('features').where('map_id', '=', mapId)
      const found = await inMap.selectAll().orderBy('id').execute()
      expect(found).toHaveLength(60)
      const ranks = found.map(({ min_zoom, type_min_zoom }) => ({ min_zoom, type_min_zoom }))
      expect(ranks).toEqual(rankFeatures(found))
      const counts = database.read.selectFrom('feature_counts').where('map_id', '=', mapId)
      expect(
        await counts
          .select(['kind', sql<number>`sum(count)`.as('count')])
          .groupBy('kind')
          .orderBy('kind')
          .execute(),
      ).toEqual(['asset', 'incident', 'parcel'].map((kind) => ({ kind, count: 20 })))
      expect(
        await counts.select('day').where('kind', '=', 'incident').distinct().orderBy('day').execute(),
      ).toEqual(expect.arrayContaining([{ day: -22 }, { day: 2_147_483_647 }]))
      const extent = await database.read
        .selectFrom('map_extents')
        .selectAll()
        .where('map_id', '=', mapId)
        .execute()
      expect(extent).toEqual([
        {
          map_id: mapId,
          west: Math.min(...found.map((row) => row.west)),
          south: Math.min(...found.map((row) => row.south)),
          east: Math.max(...found.map((row) => row.east)),
          north: Math.max(...found.map((row) => row.north)),
        },
      ])
    }
    const large = { west: -111.01, south: 33.9, east: -110.9, north: 34.1 }
    const shapes = database.read.selectFrom('features').select('id')
    const touching = homes.flatMap((mapId) => database.dialect.touching(mapId, large, 12, null))
    const all = await shapes.where((found) => found.or(touching)).execute()
    expect(all.length).toBeGreaterThan(0)
    expect(all.length).toBeLessThan(40)
    await database.close()
  })
})

function asOfThen({ is_general: _, name_order, ...row }: FeatureColumns) {
  return { ...row, leader_zoom: 0, list_order: name_order } as unknown as FeatureColumns & Ranks
}
