import { sql } from 'kysely'
import { type FeatureKind, type FeatureShape, featureKinds, featureShapes } from '#domain/definition/kinds.ts'
import type { FeatureCounts } from '#domain/features/feature.schema.ts'
import { dayOfInstant, startOfUtcDay, typesByKind, undatedDay } from '#domain/features/filters.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import type { Extent, ReadDatabase } from '../database/database.ts'

// What is known of all features of a map together, without looking at any of them: how many, and where.

/** Those of a map, or of all maps. */
export async function countAllFeatures(database: ReadDatabase, mapId?: string): Promise<number> {
  const { count } = await database
    .selectFrom('feature_counts')
    .select(sql<number>`coalesce(cast(sum(count) as bigint), 0)`.as('count'))
    .$if(mapId !== undefined, (query) => query.where('map_id', '=', mapId as string))
    .executeTakeFirstOrThrow()
  return count
}

/** The first and the last day of a map's incidents, each found at one end of the index; null where none has a date. */
export async function readIncidentDays(
  database: ReadDatabase,
  mapId: string,
): Promise<{ first: number; last: number } | null> {
  const alike = featureShapes.flatMap((shape) => ['', ...incidentTypes].map((type) => ({ shape, type })))
  const dayOf = (aggregate: 'min' | 'max') =>
    alike.map(
      ({ shape, type }) => sql`
        select (select ${sql.raw(aggregate)}(day) from feature_counts
          where map_id = ${mapId} and kind = 'incident' and shape = ${shape} and type = ${type}
            and day < ${sql.lit(undatedDay)}) as day`,
    )
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(day) as first, max(day) as last
    from (${sql.join([...dayOf('min'), ...dayOf('max')], sql` union all `)}) as days`.execute(database)
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { first, last }
}

/** What the kept counts can tell apart. Types constrain only their own kind, `since` only incidents. */
export type CountFilter = {
  kind?: readonly FeatureKind[] | undefined
  shape?: readonly FeatureShape[] | undefined
  type?: readonly string[] | undefined
  since?: string | undefined
}

/** How many features of a map a filter means, for each kind and shape of which there are any. */
export async function readCounts(
  database: ReadDatabase,
  mapId: string,
  { kind = [], shape = [], type = [], since }: CountFilter,
): Promise<{ kind: FeatureKind; shape: FeatureShape; count: number }[]> {
  const types = typesByKind(type)
  const conditions = featureKinds
    .filter((wanted) => kind.length === 0 || kind.includes(wanted))
    .map((wanted) => {
      const allowed = types[wanted]
      const ofKind = [sql`kind = ${wanted}`]
      if (allowed) ofKind.push(sql`type in (${sql.join(allowed)})`)
      if (wanted === 'incident' && since !== undefined)
        ofKind.push(sql`day >= ${dayOfInstant(startOfUtcDay(since))}`)
      return sql`(${sql.join(ofKind, sql` and `)})`
    })
  return database
    .selectFrom('feature_counts')
    .select(['kind', 'shape', sql<number>`sum(count)`.as('count')])
    .where('map_id', '=', mapId)
    .where(sql<boolean>`(${sql.join(conditions, sql` or `)})`)
    .$if(shape.length > 0, (query) => query.where('shape', 'in', shape))
    .groupBy(['kind', 'shape'])
    .execute()
}

/** The same as sums; 0 where there are none. */
export function sumCounts(counts: Awaited<ReturnType<typeof readCounts>>): FeatureCounts {
  const sum: FeatureCounts = {
    total: 0,
    byKind: { incident: 0, asset: 0, parcel: 0 },
    byShape: { point: 0, line: 0, polygon: 0 },
  }
  for (const { kind, shape, count } of counts) {
    sum.total += count
    sum.byKind[kind] += count
    sum.byShape[shape] += count
  }
  return sum
}

/** The number of parcels of every map that has any; for queries that sort by it. */
export function parcelsByMap(database: ReadDatabase) {
  return database
    .selectFrom('feature_counts')
    .select(['map_id', sql<number>`cast(sum(count) as bigint)`.as('number')])
    .where('kind', '=', 'parcel')
    .groupBy('map_id')
}

/** The number of parcels of each of some maps that has any. */
export async function countParcels(
  database: ReadDatabase,
  mapIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (mapIds.length === 0) return new Map()
  const rows = await parcelsByMap(database).where('map_id', 'in', mapIds).execute()
  return new Map(rows.map((row) => [row.map_id, row.number]))
}

/** The box around all features of a map; undefined while it is empty. */
export function readExtent(database: ReadDatabase, mapId: string) {
  return database
    .selectFrom('map_extents')
    .select(['west', 'south', 'east', 'north'])
    .where('map_id', '=', mapId)
    .executeTakeFirst()
}

/** The ids of the maps whose land reaches into a box; for queries that ask for more of them. */
export function mapsReachingInto(database: ReadDatabase, { west, south, east, north }: Extent) {
  return database
    .selectFrom('map_extents')
    .select('map_id')
    .where('south', '<', north)
    .where('north', '>', south)
    .where('west', '<', east)
    .where('east', '>', west)
}
