import { sql } from 'kysely'
import {
  type FeatureKind,
  type FeatureShape,
  featureKinds,
  featureShapes,
  recordOf,
} from '#domain/definition/kinds.ts'
import type { FeatureCounts } from '#domain/features/feature.schema.ts'
import { dayOfInstant, typesByKind, undatedDay } from '#domain/features/filters.ts'
import { datedKinds, kindTraits } from '#domain/features/kind-traits.ts'
import { type Box, boxAround } from '#domain/geometry/box.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry, partsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { cachePerMap } from '../database/cache-per-map.ts'
import type { Database, ReadDatabase } from '../database/database.ts'

export async function countAllFeatures(database: ReadDatabase, mapId?: string): Promise<number> {
  const { count } = await database
    .selectFrom('feature_counts')
    .select(sql<number>`coalesce(cast(sum(count) as bigint), 0)`.as('count'))
    .$if(mapId !== undefined, (query) => query.where('map_id', '=', mapId as string))
    .executeTakeFirstOrThrow()
  return count
}

/** UTC days since 1970, from the ends of the index; null if no incident has a date. */
export async function readIncidentDays(
  database: ReadDatabase,
  mapId: string,
): Promise<{ first: number; last: number } | null> {
  const alike = datedKinds.flatMap((kind) =>
    featureShapes.flatMap((shape) =>
      ['', ...Object.keys(kindTraits[kind].types)].map((type) => ({ kind, shape, type })),
    ),
  )
  const dayOf = (aggregate: 'min' | 'max') =>
    alike.map(
      ({ kind, shape, type }) => sql`
        select (select ${sql.raw(aggregate)}(day) from feature_counts
          where map_id = ${mapId} and kind = ${kind} and shape = ${shape} and type = ${type}
            and day < ${sql.lit(undatedDay)}) as day`,
    )
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(day) as first, max(day) as last
    from (${sql.join([...dayOf('min'), ...dayOf('max')], sql` union all `)}) as days`.execute(database)
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { first, last }
}

export type CountFilter = {
  kind?: readonly FeatureKind[] | undefined
  shape?: readonly FeatureShape[] | undefined
  type?: readonly string[] | undefined
  since?: string | undefined
}

export async function readCounts(
  database: ReadDatabase,
  mapId: string,
  { kind = [], shape = [], type = [], since }: CountFilter,
): Promise<{ kind: FeatureKind; shape: FeatureShape; count: number }[]> {
  const types = typesByKind(type)
  const start = since === undefined ? undefined : Date.parse(since)
  const conditions = featureKinds
    .filter((wanted) => kind.length === 0 || kind.includes(wanted))
    .map((wanted) => {
      const allowed = types[wanted]
      const parts = [sql`kind = ${wanted}`]
      if (allowed) parts.push(sql`type in (${sql.join(allowed)})`)
      if (start !== undefined && datedKinds.includes(wanted)) parts.push(sql`day >= ${dayOfInstant(start)}`)
      return sql`(${sql.join(parts, sql` and `)})`
    })
  const counts = await database
    .selectFrom('feature_counts')
    .select(['kind', 'shape', sql<number>`sum(count)`.as('count')])
    .where('map_id', '=', mapId)
    .where(sql<boolean>`(${sql.join(conditions, sql` or `)})`)
    .$if(shape.length > 0, (query) => query.where('shape', 'in', shape))
    .groupBy(['kind', 'shape'])
    .execute()
  if (start === undefined || start % dayMs === 0) return counts
  const dated = datedKinds.filter((one) => kind.length === 0 || kind.includes(one))
  const early = await countEarlier(database, mapId, { kinds: dated, types, start })
  return counts.map((one) => ({ ...one, count: one.count - (early.get(`${one.kind} ${one.shape}`) ?? 0) }))
}

type EarlierFilter = { kinds: readonly FeatureKind[]; types: ReturnType<typeof typesByKind>; start: number }

/** Counts are by UTC day: the features of its first day that are before `start`, by kind and shape. */
async function countEarlier(
  database: ReadDatabase,
  mapId: string,
  { kinds, types, start }: EarlierFilter,
): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(
    kinds.map((kind) =>
      database
        .selectFrom('features')
        .select(['shape', ({ fn }) => fn.countAll<number>().as('count')])
        .where('map_id', '=', mapId)
        .where('kind', '=', kind)
        // The index of the list, which has the newest first.
        .where('date_order', '>', -start)
        .where('date_order', '<=', -dayOfInstant(start) * dayMs)
        .$if(types[kind] !== null, (query) => query.where('type', 'in', types[kind]))
        .groupBy('shape')
        .execute()
        .then((rows) => rows.map(({ shape, count }) => [`${kind} ${shape}`, count] as const)),
    ),
  )
  return new Map(found.flat())
}

const dayMs = 86_400_000

export function sumCounts(counts: Awaited<ReturnType<typeof readCounts>>): FeatureCounts {
  const sum: FeatureCounts = {
    total: 0,
    byKind: recordOf(featureKinds, () => 0),
    byShape: { point: 0, line: 0, polygon: 0 },
  }
  for (const { kind, shape, count } of counts) {
    sum.total += count
    sum.byKind[kind] += count
    sum.byShape[shape] += count
  }
  return sum
}

export function parcelsByMap(database: ReadDatabase) {
  return database
    .selectFrom('feature_counts')
    .select(['map_id', sql<number>`cast(sum(count) as bigint)`.as('number')])
    .where('kind', '=', 'parcel')
    .groupBy('map_id')
}

export async function countParcels(
  database: ReadDatabase,
  mapIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (mapIds.length === 0) return new Map()
  const rows = await parcelsByMap(database).where('map_id', 'in', mapIds).execute()
  return new Map(rows.map((row) => [row.map_id, row.number]))
}

export function readExtent(database: ReadDatabase, mapId: string) {
  return database
    .selectFrom('map_extents')
    .select(['west', 'south', 'east', 'north'])
    .where('map_id', '=', mapId)
    .executeTakeFirst()
}

/** Shapes that are cut at the date line have extents around the world. At most this many are examined. */
const maxCut = 200

/**
 * The box around all features; null for an empty map. Across the date line, west is greater than east if that
 * is narrower: measured after changes, and only for extents of more than half the world.
 */
export async function readLandExtent(database: Database, mapId: string): Promise<Box | null> {
  const extent = await readExtent(database.read, mapId)
  if (!extent) return null
  if (extent.east - extent.west <= 180) return extent
  return readWideLand(database, mapId)
}

const readWideLand = cachePerMap(async (database, mapId) => {
  const { signal } = new AbortController()
  return database.readInWorker({ mapId, signal }, async (read) => {
    const extent = await readExtent(read, mapId)
    return extent ? measureLand(read, mapId, extent) : null
  })
})

async function measureLand(read: ReadDatabase, mapId: string, extent: Box): Promise<Box> {
  const features = read.selectFrom('features').where('map_id', '=', mapId)
  const narrow = await features
    .where(sql<boolean>`east - west <= 180`)
    .select(({ fn }) => [
      fn.min<number>('west').as('west'),
      fn.min<number>('south').as('south'),
      fn.max<number>('east').as('east'),
      fn.max<number>('north').as('north'),
    ])
    // In whole numbers: PostgreSQL refuses to divide a number such as 5e-324.
    .groupBy(sql`cast(west as integer) / 5`)
    .execute()
  const cut = await features
    .where(sql<boolean>`east - west > 180`)
    .select('geometry')
    .limit(maxCut + 1)
    .execute()
  if (cut.length > maxCut) return extent
  const parts = cut.flatMap(({ geometry }) => partsOfGeometry(JSON.parse(geometry) as Geometry))
  const boxes = parts.map((coordinates) => extentOfGeometry({ type: 'LineString', coordinates }))
  return boxAround([...narrow, ...boxes]) ?? extent
}
