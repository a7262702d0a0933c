import { sql } from 'kysely'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { FeatureHistoryTable, RemovedFeaturesTable } from '../../database/tables.ts'

const rowsPerInsert = 500

export async function insertHistory(transaction: WriteTransaction, rows: readonly FeatureHistoryTable[]) {
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await transaction
      .insertInto('feature_history')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute()
}

const selectHistory = (read: ReadDatabase, mapId: string) =>
  read.selectFrom('feature_history').selectAll().where('map_id', '=', mapId)

export function readHistory(
  read: ReadDatabase,
  mapId: string,
  featureId: string,
): Promise<FeatureHistoryTable[]> {
  return selectHistory(read, mapId)
    .where('feature_id', '=', featureId)
    .orderBy('at', 'desc')
    .orderBy('version', 'desc')
    .execute()
}

export async function readAdditions(
  read: ReadDatabase,
  mapId: string,
  featureIds: readonly string[],
): Promise<ReadonlyMap<string, FeatureHistoryTable>> {
  if (featureIds.length === 0) return new Map()
  const rows = await selectHistory(read, mapId)
    .where('feature_id', 'in', featureIds)
    .where('action', '=', 'added')
    .orderBy('at')
    .orderBy('version')
    .execute()
  return new Map(rows.map((row) => [row.feature_id, row]))
}

export function readHistoryOfChange(
  read: ReadDatabase,
  mapId: string,
  changeId: string,
  page?: { after: string; limit: number },
): Promise<FeatureHistoryTable[]> {
  const whole = selectHistory(read, mapId).where('change_id', '=', changeId).orderBy('feature_id')
  return page ? whole.where('feature_id', '>', page.after).limit(page.limit).execute() : whole.execute()
}

/** Of one change, or since a time. */
export async function readHistoryOfPart(
  read: ReadDatabase,
  mapId: string,
  featureIds: readonly string[],
  part: { changeId: string } | { since: number },
): Promise<FeatureHistoryTable[]> {
  if (featureIds.length === 0) return []
  const whole = selectHistory(read, mapId).where('feature_id', 'in', featureIds)
  return 'changeId' in part
    ? whole.where('change_id', '=', part.changeId).orderBy('feature_id').execute()
    : whole.where('at', '>=', part.since).execute()
}

/** Always increases: a second change in the same millisecond gets a later time. */
export async function readLastChanges(
  transaction: WriteTransaction,
  mapId: string,
  featureIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (featureIds.length === 0) return new Map()
  const rows = await transaction
    .selectFrom('feature_history')
    .select(({ fn }) => ['feature_id', fn.max('at').as('at')])
    .where('map_id', '=', mapId)
    .where('feature_id', 'in', featureIds)
    .groupBy('feature_id')
    .execute()
  return new Map(rows.map((row) => [row.feature_id, row.at]))
}

/** Of each change except bulk changes. */
export async function countFeaturesOf(
  read: ReadDatabase,
  mapId: string,
  changeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (changeIds.length === 0) return new Map()
  const rows = await read
    .selectFrom('feature_history')
    .select(({ fn }) => ['change_id', fn.countAll<number>().as('count')])
    .where('map_id', '=', mapId)
    .where('change_id', 'in', changeIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_changes')
            .select('bulk_changes.id')
            .where('bulk_changes.map_id', '=', mapId)
            .whereRef('bulk_changes.id', '=', 'feature_history.change_id'),
        ),
      ),
    )
    .groupBy('change_id')
    .execute()
  return new Map(rows.map((row) => [row.change_id, Number(row.count)]))
}

/** Imports that were not undone, with the row that each replaced; null if it added the feature. */
export function readImportsOf(read: ReadDatabase, mapId: string, featureId: string) {
  return (
    read
      .selectFrom('import_changes as change')
      .innerJoin('imports as import', (join) =>
        join.onRef('import.map_id', '=', 'change.map_id').onRef('import.id', '=', 'change.import_id'),
      )
      .select([
        'change.import_id',
        'change.previous',
        'import.source',
        'import.started_at',
        'import.finished_at',
      ])
      .where('change.map_id', '=', mapId)
      .where('change.id', '=', featureId)
      .where('import.state', '=', 'done')
      // Removals are in the history itself.
      .where('change.deed', '<>', 'removal')
      .execute()
  )
}

export async function insertRemoved(transaction: WriteTransaction, rows: readonly RemovedFeaturesTable[]) {
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await transaction
      .insertInto('removed_features')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute()
}

export async function deleteRemoved(
  transaction: WriteTransaction,
  mapId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await transaction
    .deleteFrom('removed_features')
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
}

export async function readRemoved(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RemovedFeaturesTable>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .selectFrom('removed_features')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export type RemovedPosition = { at: number; id: string }

/** Newest first, after a position. Skips features removed before `since`, which are about to be deleted. */
export function listRemoved(
  read: ReadDatabase,
  mapId: string,
  { since, limit, after }: { since: number; limit: number; after: RemovedPosition | undefined },
) {
  return read
    .selectFrom('removed_features')
    .select(['id', 'kind', 'name', 'change_id', 'removed_at', 'removed_by'])
    .where('map_id', '=', mapId)
    .where('removed_at', '>=', since)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(removed_at, id) < (${after?.at ?? 0}, ${after?.id ?? ''})`),
    )
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes features removed before `before`, with their history up to then. */
export async function deleteExpiredRemovals(
  transaction: WriteTransaction,
  mapId: string,
  before: number,
): Promise<void> {
  await sql`
    delete from feature_history where map_id = ${mapId}
      and feature_id in (
        select id from removed_features where map_id = ${mapId} and removed_at < ${before}
      )
      and at <= (
        select removed_at from removed_features
        where removed_features.map_id = ${mapId} and removed_features.id = feature_history.feature_id
      )`.execute(transaction)
  await transaction
    .deleteFrom('removed_features')
    .where('map_id', '=', mapId)
    .where('removed_at', '<', before)
    .execute()
}
