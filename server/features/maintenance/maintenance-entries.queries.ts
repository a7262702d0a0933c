import { randomUUID } from 'node:crypto'
import {
  type Entries,
  type EntryValues,
  entriesMissing,
  entryOf,
  type ListedEntry,
} from '#domain/maintenance/follow-entries.ts'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { MaintenanceEntriesTable } from '../../database/tables.ts'

const rowsPerStatement = 500

export type StoredEntry = EntryValues & { id: string; version: number }

export async function readEntries(
  read: ReadDatabase,
  mapId: string,
  featureIds: readonly string[],
): Promise<Map<string, StoredEntry[]>> {
  const entries = new Map<string, StoredEntry[]>()
  for (let start = 0; start < featureIds.length; start += rowsPerStatement) {
    const rows = await read
      .selectFrom('maintenance_entries')
      .selectAll()
      .where('map_id', '=', mapId)
      .where('feature_id', 'in', featureIds.slice(start, start + rowsPerStatement))
      .orderBy('feature_id')
      .orderBy('id')
      .execute()
    for (const row of rows)
      entries.set(row.feature_id, [...(entries.get(row.feature_id) ?? []), toStoredEntry(row)])
  }
  return entries
}

export async function hasEntry(
  read: ReadDatabase,
  { mapId, featureId, entryId }: { mapId: string; featureId: string; entryId: string },
): Promise<boolean> {
  const row = await read
    .selectFrom('maintenance_entries')
    .select('id')
    .where('map_id', '=', mapId)
    .where('feature_id', '=', featureId)
    .where('id', '=', entryId)
    .executeTakeFirst()
  return row !== undefined
}

function toStoredEntry(row: MaintenanceEntriesTable): StoredEntry {
  return {
    id: row.id,
    version: row.version,
    date: row.date,
    text: row.text,
    performedBy: row.performed_by,
    costCents: row.cost_cents,
    hours: row.hours,
    nextDue: row.next_due,
    createdAt: row.created_at,
    createdBy: row.created_by,
    importId: row.import_id,
  }
}

export const toEntries = (stored: readonly StoredEntry[]): Entries =>
  Object.fromEntries(stored.map(({ id, version: _, ...entry }) => [id, entry]))

export type EntryChange = { featureId: string; id: string; version: number; entry: EntryValues | null }

/** Null deletes an entry. */
export async function writeEntries(
  transaction: WriteTransaction,
  mapId: string,
  changes: readonly EntryChange[],
) {
  for (const [featureId, featureChanges] of Map.groupBy(changes, (change) => change.featureId)) {
    const ids = featureChanges.map(({ id }) => id)
    for (let start = 0; start < ids.length; start += rowsPerStatement)
      await transaction
        .deleteFrom('maintenance_entries')
        .where('map_id', '=', mapId)
        .where('feature_id', '=', featureId)
        .where('id', 'in', ids.slice(start, start + rowsPerStatement))
        .execute()
  }
  const rows = changes.flatMap(({ featureId, id, version, entry }) =>
    entry ? [toRow(mapId, featureId, { id, version, ...entry })] : [],
  )
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    await transaction
      .insertInto('maintenance_entries')
      .values(rows.slice(start, start + rowsPerStatement))
      .execute()
}

export async function deleteEntriesOfImport(
  transaction: WriteTransaction,
  { mapId, importId }: { mapId: string; importId: string },
  featureIds: readonly string[],
) {
  if (featureIds.length === 0) return
  await transaction
    .deleteFrom('maintenance_entries')
    .where('map_id', '=', mapId)
    .where('feature_id', 'in', featureIds)
    .where('import_id', '=', importId)
    .execute()
}

const toRow = (mapId: string, featureId: string, entry: StoredEntry): MaintenanceEntriesTable => ({
  map_id: mapId,
  feature_id: featureId,
  id: entry.id,
  date: entry.date,
  text: entry.text,
  performed_by: entry.performedBy,
  cost_cents: entry.costCents,
  hours: entry.hours,
  next_due: entry.nextDue,
  version: entry.version,
  created_at: entry.createdAt,
  created_by: entry.createdBy,
  import_id: entry.importId,
})

export type RowWithMaintenance = {
  map_id: string
  id: string
  fields: string
  version: number
  created_at: number
  import_id: string | null
}

/** Turns maintenance fields of rows into entries that do not exist yet. For rows written by imports. */
export async function createListedEntries(
  transaction: WriteTransaction,
  rows: readonly RowWithMaintenance[],
) {
  for (const [mapId, mapRows] of Map.groupBy(rows, (row) => row.map_id)) {
    const rowsWithEntries = mapRows.flatMap((row) => {
      const listed = listedIn(row.fields)
      return listed.length > 0 ? [{ ...row, listed }] : []
    })
    const stored = await readEntries(
      transaction,
      mapId,
      rowsWithEntries.map(({ id }) => id),
    )
    const changes = rowsWithEntries.flatMap(({ id, listed, version, created_at, import_id }) =>
      entriesMissing(listed, stored.get(id) ?? []).map((one) => {
        const source = { createdAt: created_at, createdBy: null, importId: import_id }
        return { featureId: id, id: randomUUID(), version, entry: entryOf(one, source) }
      }),
    )
    await writeEntries(transaction, mapId, changes)
  }
}

function listedIn(fields: string): ListedEntry[] {
  if (!fields.includes('"maintenanceHistory":[{')) return []
  return (JSON.parse(fields) as { maintenanceHistory: ListedEntry[] }).maintenanceHistory
}
