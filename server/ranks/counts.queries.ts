import { type RawBuilder, sql } from 'kysely'
import type { FeatureCounts } from '#domain/features/feature.schema.ts'
import { dayOfInstant, startOfUtcDay, typesByKind, undatedDay } from '#domain/features/filters.ts'
import { type FeatureKind, type FeatureShape, featureKinds, featureShapes } from '#domain/features/kinds.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, FeatureCountsTable } from '../database/tables.ts'

// How many features are alike, kept so that no count ever looks at the features themselves.

type Counted = Pick<FeatureColumns, 'kind' | 'shape' | 'type' | 'date'>
type Delta = Omit<FeatureCountsTable, 'map_id'>
/** Features that come, or go. */
type Sign = 1 | -1

const rowsPerStatement = 1_000
const key = ['map_id', 'kind', 'shape', 'type', 'day'] as const

export async function countFeatures(
  transaction: WriteTransaction,
  mapId: string,
  features: readonly Counted[],
  sign: Sign,
) {
  const sums = new CountSums()
  sums.add(features, sign)
  await sums.store(transaction, mapId)
}

/** For features that come a page at a time. */
export class CountSums {
  private readonly deltas = new Map<string, Delta>()

  add(features: readonly Counted[], sign: Sign) {
    for (const { kind, shape, type, date } of features) {
      const day = dayOfInstant(date)
      const alike = `${kind} ${shape} ${day} ${type ?? ''}`
      const delta = this.deltas.get(alike)
      if (delta) delta.count += sign
      else this.deltas.set(alike, { kind, shape, type: type ?? '', day, count: sign })
    }
  }

  async store(transaction: WriteTransaction, mapId: string) {
    await addDeltas(transaction, mapId, [...this.deltas.values()])
  }
}

/** The same for the rows of a query that gives their kind, shape, type and date. */
export async function countRows(
  transaction: WriteTransaction,
  mapId: string,
  counted: RawBuilder<unknown>,
  sign: Sign,
) {
  // Division rounds towards zero on both engines; days before 1970 are whole ones, too.
  const { rows } = await sql<Delta>`
    select kind, shape, coalesce(type, '') as type, cast(${sign} as integer) * count(*) as count,
      case when date is null then ${sql.lit(undatedDay)}
        else (date - (date % 86400000 + 86400000) % 86400000) / 86400000 end as day
    from (${counted}) as counted group by kind, shape, coalesce(type, ''), day`.execute(transaction)
  await addDeltas(transaction, mapId, rows)
}

/** Counts the features of a map anew. */
export async function recountFeatures(transaction: WriteTransaction, mapId: string) {
  await transaction.deleteFrom('feature_counts').where('map_id', '=', mapId).execute()
  await countRows(
    transaction,
    mapId,
    sql`select kind, shape, type, date from features where map_id = ${mapId}`,
    1,
  )
}

async function addDeltas(transaction: WriteTransaction, mapId: string, deltas: readonly Delta[]) {
  for (let start = 0; start < deltas.length; start += rowsPerStatement) {
    const part = deltas.slice(start, start + rowsPerStatement)
    await transaction
      .insertInto('feature_counts')
      .values(part.map((delta) => ({ map_id: mapId, ...delta })))
      .onConflict((conflict) =>
        conflict.columns(key).doUpdateSet({ count: sql<number>`feature_counts.count + excluded.count` }),
      )
      .execute()
    await forgetEmpty(
      transaction,
      mapId,
      part.filter((delta) => delta.count < 0),
    )
  }
}

async function forgetEmpty(transaction: WriteTransaction, mapId: string, deltas: readonly Delta[]) {
  if (deltas.length === 0) return
  const keys = deltas.map(
    ({ kind, shape, type, day }) => sql`(${kind}, ${shape}, ${type}, cast(${day} as integer))`,
  )
  await sql`
    delete from feature_counts where map_id = ${mapId} and count = 0
      and (kind, shape, type, day) in (values ${sql.join(keys)})`.execute(transaction)
}

/** Those of a map, or of all maps. */
export async function countAllFeatures(database: ReadDatabase, mapId?: string): Promise<number> {
  const { count } = await database
    .selectFrom('feature_counts')
    .select(sql<number>`coalesce(cast(sum(count) as bigint), 0)`.as('count'))
    .$if(mapId !== undefined, (query) => query.where('map_id', '=', mapId as string))
    .executeTakeFirstOrThrow()
  return count
}

/** The first and the last day of a map's incidents, each found at one place of the index; null where none has a date. */
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

/** What the kept counts can tell apart. Types constrain only their own kind, `since` only what has a date. */
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
      return allowed ? sql`(kind = ${wanted} and type in (${sql.join(allowed)}))` : sql`kind = ${wanted}`
    })
  return database
    .selectFrom('feature_counts')
    .select(['kind', 'shape', sql<number>`sum(count)`.as('count')])
    .where('map_id', '=', mapId)
    .where(sql<boolean>`(${sql.join(conditions, sql` or `)})`)
    .$if(shape.length > 0, (query) => query.where('shape', 'in', shape))
    .$if(since !== undefined, (query) =>
      query.where('day', '>=', dayOfInstant(startOfUtcDay(since as string))),
    )
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
