import { setImmediate } from 'node:timers/promises'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import type { Database, ReadDatabase } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../database/row-parts.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { type ListPosition, readRowsInOrder, type WholeRow } from '../features/lists/feature-list.queries.ts'
import { isInListOrder, readFeatures } from '../features/lists/feature-matches.queries.ts'
import { readIdsInOrder } from '../features/lists/feature-order.queries.ts'
import { readNames } from '../features/lists/feature-summaries.queries.ts'

/** A feature as it is stored, and the name of the parcel that it is on. */
export type ExportedRow = WholeRow & { parcelName: string | null }

export type RowsWish = {
  filter: FeatureFilter
  /** List order without. */
  sort: FeatureSort | undefined
  /** Of those that the filter means only these. */
  isMeant?: ((id: string) => boolean) | undefined
}

/**
 * All features that a filter means, in the order of the list or the table, a part at a time: no more than a part is in
 * memory, and nothing of the database is held between two of them. What is changed meanwhile may come as it was or as it is.
 */
export async function* readExportedRows(
  database: Database,
  asker: QueueClient,
  wish: RowsWish,
): AsyncGenerator<ExportedRow[]> {
  // The index of the list leads from part to part. In any other order each part would be looked for in the whole map.
  const isAtHand = wish.sort === undefined && wish.isMeant === undefined && isInListOrder(wish.filter)
  const parts = isAtHand ? partsInListOrder(database, asker, wish.filter) : partsById(database, asker, wish)
  for await (const rows of parts) {
    yield await withParcels(database.read, asker.mapId, rows)
    // SQLite answers at once, and so may a reader: without a pause nobody else would have their turn.
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
  asker: QueueClient,
  { filter, sort, isMeant = () => true }: RowsWish,
): AsyncGenerator<WholeRow[]> {
  const { mapId, signal } = asker
  const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER, sort }
  const found = await readFeatures(database, asker, filter, all, (read) =>
    readIdsInOrder(database, read, mapId, filter, all),
  )
  const ids = found.filter(isMeant)
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

/** In the order of the ids; what is gone meanwhile is left out. */
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
