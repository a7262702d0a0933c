import { type RawBuilder, sql } from 'kysely'
import { dayOfInstant, undatedDay } from '#domain/features/filters.ts'
import type { WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, FeatureCountsTable } from '../database/tables.ts'

// Counts by kind, shape, type and day, so that totals never read features.

type Counted = Pick<FeatureColumns, 'kind' | 'shape' | 'type' | 'date'>
type Delta = Omit<FeatureCountsTable, 'map_id'>
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

export async function countRows(
  transaction: WriteTransaction,
  mapId: string,
  counted: RawBuilder<unknown>,
  sign: Sign,
) {
  // Division rounds toward zero on both engines; this also works before 1970.
  const { rows } = await sql<Delta>`
    select kind, shape, coalesce(type, '') as type, cast(${sign} as integer) * count(*) as count,
      case when date is null then ${sql.lit(undatedDay)}
        else (date - (date % 86400000 + 86400000) % 86400000) / 86400000 end as day
    from (${counted}) as counted group by kind, shape, coalesce(type, ''), day`.execute(transaction)
  await addDeltas(transaction, mapId, rows)
}

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
