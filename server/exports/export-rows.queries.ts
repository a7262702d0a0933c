import { setImmediate } from 'node:timers/promises'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import type { Database, ReadDatabase } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../database/row-parts.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { type ListPosition, readRowsInOrder, type WholeRow } from '../features/lists/feature-list.queries.ts'
import { isCoveredByListIndex, readFeatures } from '../features/lists/feature-matches.queries.ts'
import { readIdsInOrder } from '../features/lists/feature-order.queries.ts'
import { readNames } from '../features/lists/feature-summaries.queries.ts'

export type ExportedRow = WholeRow & { parcelName: string | null }

export type RowQuery = {
  filter: FeatureFilter
  sort: FeatureSort | undefined
  isSelected?: ((id: string) => boolean) | undefined
}

/**
 * Reads the features that match a filter in batches, in the order of the list or the table. Only one batch is
 * in memory, and no lock or connection is held between batches. A feature that changes meanwhile is exported
 * in either version.
 */
export async function* readExportedRows(
  database: Database,
  client: QueueClient,
  query: RowQuery,
): AsyncGenerator<ExportedRow[]> {
  // The index of the list leads from batch to batch. In any other order, each batch would be searched in the
  // whole map.
  const isIndexed =
    query.sort === undefined && query.isSelected === undefined && isCoveredByListIndex(query.filter)
  const parts = isIndexed
    ? partsInListOrder(database, client, query.filter)
    : partsById(database, client, query)
  for await (const rows of parts) {
    yield await withParcels(database.read, client.mapId, rows)
    // SQLite answers synchronously, and a fast client never waits: without a pause, other requests would.
    await setImmediate()
  }
}

async function* partsInListOrder(
  database: Database,
  { mapId, signal }: QueueClient,
  filter: FeatureFilter,
): AsyncGenerator<WholeRow[]> {
  let after: ListPosition | undefined
  let limit = rowsOfFirstPart
  for (;;) {
    signal.throwIfAborted()
    const rows = await readRowsInOrder(database, database.read, mapId, filter, { limit, after })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = { kind: last.kind, dateOrder: last.date_order, nameOrder: last.name_order, id: last.id }
    limit = nextLimit(rows)
  }
}

async function* partsById(
  database: Database,
  client: QueueClient,
  { filter, sort, isSelected = () => true }: RowQuery,
): AsyncGenerator<WholeRow[]> {
  const { mapId, signal } = client
  const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER, sort }
  const found = await readFeatures(database, client, filter, all, (read) =>
    readIdsInOrder(database, read, mapId, filter, all),
  )
  const ids = found.filter(isSelected)
  let limit = rowsOfFirstPart
  for (let first = 0; first < ids.length; ) {
    signal.throwIfAborted()
    const rows = await readRows(database.read, mapId, ids.slice(first, first + limit))
    first += limit
    if (rows.length === 0) continue
    yield rows
    limit = nextLimit(rows)
  }
}

async function readRows(read: ReadDatabase, mapId: string, ids: readonly string[]): Promise<WholeRow[]> {
  const rows = await read
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function nextLimit(rows: readonly WholeRow[]): number {
  const bytes = rows.reduce(
    (sum, row) => sum + row.geometry.length + row.metadata.length + row.fields.length,
    0,
  )
  return rowsOfNextPart(rows.length, bytes)
}

async function withParcels(
  read: ReadDatabase,
  mapId: string,
  rows: readonly WholeRow[],
): Promise<ExportedRow[]> {
  const ids = [...new Set(rows.flatMap(({ parcel_id }) => parcel_id ?? []))]
  const names = await readNames(read, mapId, 'parcel', ids)
  return rows.map((row) => ({ ...row, parcelName: names.get(row.parcel_id ?? '') ?? null }))
}
