import { sql } from 'kysely'
import { bulkBatchSize, type KindCounts, maxBulk } from '#domain/features/bulk-change.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import type { BulkChangesTable } from '../../database/tables.ts'
import type { FeatureFilter } from '../lists/feature-filter.ts'
import { matchesFilter, withoutUselessBox } from '../lists/feature-matches.queries.ts'
import { kindOfRow } from '../rows/derive-columns.ts'

export type Selected = { items: { id: string; version: number }[]; kinds: KindCounts }

const identity = ['id', 'version', 'kind', 'is_general'] as const

export async function readSelectedByFilter(
  database: Database,
  caller: QueueClient,
  query: FeatureFilter,
  except: readonly string[],
): Promise<Selected> {
  const { mapId } = caller
  const filter = await withoutUselessBox(database, mapId, query)
  const rows = await database.readInWorker(caller, (read) =>
    read
      .selectFrom('features')
      .select(identity)
      .where(matchesFilter(database, mapId, filter))
      .limit(maxBulk + except.length + 1)
      .execute(),
  )
  const excluded = new Set(except)
  return toSelected(rows.filter(({ id }) => !excluded.has(id)))
}

export async function readSelectedByIds(
  { read }: Database,
  mapId: string,
  ids: readonly string[],
): Promise<Selected> {
  const rows = []
  for (let start = 0; start < ids.length; start += bulkBatchSize)
    rows.push(
      ...(await read
        .selectFrom('features')
        .select(identity)
        .where('map_id', '=', mapId)
        .where('id', 'in', ids.slice(start, start + bulkBatchSize))
        .execute()),
    )
  return toSelected(rows)
}

function toSelected(
  rows: readonly (Parameters<typeof kindOfRow>[0] & { id: string; version: number })[],
): Selected {
  const kinds: KindCounts = {}
  for (const row of rows) {
    const kind = kindOfRow(row)
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  return { items: rows.map(({ id, version }) => ({ id, version })), kinds }
}

export async function readSelectedByChange(
  read: ReadDatabase,
  mapId: string,
  changeId: string,
): Promise<Selected['items']> {
  return read
    .selectFrom('feature_history')
    .select(['feature_id as id', 'version'])
    .where('map_id', '=', mapId)
    .where('change_id', '=', changeId)
    .execute()
}

/** Uses the same rule as undo.commands.ts. */
export async function isAnyUnchangedSince(
  read: ReadDatabase,
  mapId: string,
  changeId: string,
): Promise<boolean> {
  const found = await read
    .selectFrom('feature_history as entry')
    .leftJoin('features as feature', (join) =>
      join.onRef('feature.map_id', '=', 'entry.map_id').onRef('feature.id', '=', 'entry.feature_id'),
    )
    .leftJoin('removed_features as removed', (join) =>
      join.onRef('removed.map_id', '=', 'entry.map_id').onRef('removed.id', '=', 'entry.feature_id'),
    )
    .select('entry.feature_id')
    .where('entry.map_id', '=', mapId)
    .where('entry.change_id', '=', changeId)
    .where(({ eb, and, or, ref }) =>
      or([
        and([eb('entry.action', '<>', 'removed'), eb('feature.version', '=', ref('entry.version'))]),
        and([
          eb('entry.action', '=', 'removed'),
          eb('feature.id', 'is', null),
          eb('removed.version', '=', ref('entry.version')),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export function readBulkRow(
  read: ReadDatabase,
  mapId: string,
  id: string,
): Promise<BulkChangesTable | undefined> {
  return read
    .selectFrom('bulk_changes')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockBulkRow(
  { dialect }: Database,
  transaction: WriteTransaction,
  mapId: string,
  id: string,
): Promise<BulkChangesTable | undefined> {
  const row = transaction
    .selectFrom('bulk_changes')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
  return dialect.lockForUpdate(row).executeTakeFirst()
}

export async function insertBulkRow(
  { dialect }: Database,
  transaction: WriteTransaction,
  row: BulkChangesTable,
  items: Selected['items'],
): Promise<void> {
  await transaction.insertInto('bulk_changes').values(row).execute()
  const { map_id, id: bulkId } = row
  // One parameter for all: thousands of statements would block other requests.
  const listed = JSON.stringify(items.map(({ id, version }) => ({ id, version })))
  await sql`
    insert into bulk_change_items (map_id, bulk_id, feature_id, version)
    select ${map_id}, ${bulkId}, item.value ->> 'id', cast(item.value ->> 'version' as integer)
    from ${dialect.elements(sql`${listed}`, 'item')}`.execute(transaction)
}

export async function updateBulkRow(
  transaction: WriteTransaction,
  { map_id, id }: Pick<BulkChangesTable, 'map_id' | 'id'>,
  change: Partial<BulkChangesTable>,
): Promise<void> {
  await transaction
    .updateTable('bulk_changes')
    .set(change)
    .where('map_id', '=', map_id)
    .where('id', '=', id)
    .execute()
}

export function readItemsToDo(
  transaction: WriteTransaction,
  mapId: string,
  bulkId: string,
): Promise<{ feature_id: string; version: number }[]> {
  return transaction
    .selectFrom('bulk_change_items')
    .select(['feature_id', 'version'])
    .where('map_id', '=', mapId)
    .where('bulk_id', '=', bulkId)
    .where('reason', 'is', null)
    .orderBy('feature_id')
    .limit(bulkBatchSize)
    .execute()
}

export async function finishItems(
  transaction: WriteTransaction,
  { map_id, id: bulkId }: Pick<BulkChangesTable, 'map_id' | 'id'>,
  featureIds: readonly string[],
  skipped: readonly { id: string; reason: string }[],
): Promise<void> {
  await transaction
    .deleteFrom('bulk_change_items')
    .where('map_id', '=', map_id)
    .where('bulk_id', '=', bulkId)
    .where('feature_id', 'in', featureIds)
    .execute()
  if (skipped.length === 0) return
  await transaction
    .insertInto('bulk_change_items')
    .values(
      skipped.map(({ id, reason }) => ({ map_id, bulk_id: bulkId, feature_id: id, version: 0, reason })),
    )
    .execute()
}

export async function deleteItemsToDo(
  transaction: WriteTransaction,
  { map_id, id }: Pick<BulkChangesTable, 'map_id' | 'id'>,
): Promise<void> {
  await transaction
    .deleteFrom('bulk_change_items')
    .where('map_id', '=', map_id)
    .where('bulk_id', '=', id)
    .where('reason', 'is', null)
    .execute()
}

export async function readSkipped(
  read: ReadDatabase,
  mapId: string,
  bulkId: string,
  limit: number,
): Promise<{ id: string; name: string; reason: string }[]> {
  const rows = await read
    .selectFrom('bulk_change_items as item')
    .leftJoin('features as feature', (join) =>
      join.onRef('feature.map_id', '=', 'item.map_id').onRef('feature.id', '=', 'item.feature_id'),
    )
    .leftJoin('removed_features as removed', (join) =>
      join.onRef('removed.map_id', '=', 'item.map_id').onRef('removed.id', '=', 'item.feature_id'),
    )
    .select(['item.feature_id', 'item.reason', 'feature.name', 'removed.name as removed_name'])
    .where('item.map_id', '=', mapId)
    .where('item.bulk_id', '=', bulkId)
    .where('item.reason', 'is not', null)
    .orderBy('item.feature_id')
    .limit(limit)
    .execute()
  return rows.map(({ feature_id, reason, name, removed_name }) => ({
    id: feature_id,
    name: name ?? removed_name ?? '',
    reason: reason ?? '',
  }))
}
