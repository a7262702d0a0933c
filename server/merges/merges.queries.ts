import { type SqlBool, sql } from 'kysely'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { MergedItemsTable, MergesTable } from '../database/tables.ts'

// A duplicate can be merged into an incident that is merged into a third. Items move to the last one. Each merge on the
// way records them, so that each can be undone first. Call the functions that write while the map is locked.

type Key = { mapId: string; id: string }

export const readMerge = (read: ReadDatabase, { mapId, id }: Key): Promise<MergesTable | undefined> =>
  read
    .selectFrom('merges')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('source_id', '=', id)
    .executeTakeFirst()

/** Newest first. */
export const listMergesInto = (read: ReadDatabase, { mapId, id }: Key): Promise<MergesTable[]> =>
  read
    .selectFrom('merges')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('target_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('source_id')
    .limit(100)
    .execute()

/** The ids of merged duplicates from this one on, and the incident that remains. It may have been removed since. */
export async function followMerges(read: ReadDatabase, { mapId, id }: Key) {
  const merged = new Set<string>()
  let remaining = id
  while (!merged.has(remaining)) {
    const merge = await readMerge(read, { mapId, id: remaining })
    if (!merge) break
    merged.add(remaining)
    remaining = merge.target_id
  }
  return { merged: [...merged], remaining }
}

type NewItem = Pick<MergedItemsTable, 'kind' | 'item_id' | 'list_order'>

/** Returns where a new file or note of a reporter belongs, which is not public yet. Undoing a merge moves it as well. */
export async function placeItem(transaction: WriteTransaction, key: Key, item: NewItem): Promise<string> {
  const { merged, remaining } = await followMerges(transaction, key)
  const rows = merged.map((source_id) => ({ map_id: key.mapId, source_id, ...item, is_public: 0 }))
  if (rows.length > 0) await transaction.insertInto('merged_items').values(rows).execute()
  return remaining
}

/** The copy of a file moves with it. */
export async function copyItem(
  transaction: WriteTransaction,
  { mapId, from, to }: { mapId: string; from: string; to: string },
): Promise<void> {
  await sql`
    insert into merged_items (map_id, source_id, kind, item_id, list_order, is_public)
    select map_id, source_id, kind, ${to}, list_order, is_public from merged_items
    where map_id = ${mapId} and kind = 'file' and item_id = ${from}
  `.execute(transaction)
}

/** Moves files, notes, followers and work links of the duplicate to the target. */
export async function insertMerge(transaction: WriteTransaction, merge: MergesTable): Promise<void> {
  const { map_id: mapId, source_id: source, target_id: target } = merge
  await transaction.insertInto('merges').values(merge).execute()
  const record = (kind: MergedItemsTable['kind'], table: MovedTable) => {
    const listOrder = table === 'files' ? sql.ref('list_order') : sql.lit(0)
    const isPublic = table === 'reports' || table === 'work_links' ? sql.lit(0) : sql.ref('is_public')
    return sql`
      insert into merged_items (map_id, source_id, kind, item_id, list_order, is_public)
      select map_id, ${source}, ${sql.lit(kind)}, id, ${listOrder}, ${isPublic} from ${sql.table(table)}
      where map_id = ${mapId} and ${belongsTo(table, source)}
    `.execute(transaction)
  }
  await record('file', 'files')
  await record('note', 'incident_notes')
  await record('report', 'reports')
  await record('work-link', 'work_links')
  const order = await transaction
    .selectFrom('files')
    .select(({ fn }) => fn.max<number | null>('list_order').as('last'))
    .where('map_id', '=', mapId)
    .where('feature_id', '=', target)
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('files')
    .set({ feature_id: target, list_order: sql`list_order + ${(order.last ?? -1) + 1}` })
    .where('map_id', '=', mapId)
    .where(belongsTo('files', source))
    .execute()
  await transaction
    .updateTable('incident_notes')
    .set({ incident_id: target })
    .where('map_id', '=', mapId)
    .where(belongsTo('incident_notes', source))
    .execute()
  await transaction
    .updateTable('reports')
    .set({ duplicate_of: target })
    .where('map_id', '=', mapId)
    .where(belongsTo('reports', source))
    .execute()
  await transaction
    .updateTable('work_links')
    .set({ incident_id: target })
    .where('map_id', '=', mapId)
    .where(belongsTo('work_links', source))
    .execute()
}

type MovedTable = 'files' | 'incident_notes' | 'reports' | 'work_links'

function belongsTo(table: MovedTable, id: string) {
  if (table === 'reports') return sql<SqlBool>`duplicate_of = ${id} and id <> ${id}`
  if (table === 'files') return sql<SqlBool>`feature_id = ${id} and maintenance_id is null`
  return sql<SqlBool>`incident_id = ${id}`
}

/** The merge is over; `restoreItems` follows. */
export async function deleteMerge(transaction: WriteTransaction, { map_id, source_id }: MergesTable) {
  await transaction
    .deleteFrom('merges')
    .where('map_id', '=', map_id)
    .where('source_id', '=', source_id)
    .execute()
}

/** Moves the items of a deleted merge back. Those that became public since are no longer public. */
export async function restoreItems(transaction: WriteTransaction, merge: MergesTable): Promise<string> {
  const { map_id: mapId, source_id: source, target_id, note_id: noteId } = merge
  const { merged, remaining } = await followMerges(transaction, { mapId, id: target_id })
  const idsOf = (kind: MergedItemsTable['kind']) =>
    transaction
      .selectFrom('merged_items')
      .select('item_id')
      .where('map_id', '=', mapId)
      .where('source_id', '=', source)
      .where('kind', '=', kind)
  const storedValue = (column: 'list_order' | 'is_public', kind: 'file' | 'note') => sql<number>`(
    select item.${sql.ref(column)} from merged_items as item
    where item.map_id = ${mapId} and item.source_id = ${source} and item.kind = ${sql.lit(kind)}
      and item.item_id = ${sql.ref(kind === 'file' ? 'files.id' : 'incident_notes.id')}
  )`
  if (noteId !== null)
    await transaction
      .deleteFrom('incident_notes')
      .where('map_id', '=', mapId)
      .where('id', '=', noteId)
      .execute()
  await transaction
    .updateTable('files')
    .set({
      feature_id: source,
      list_order: storedValue('list_order', 'file'),
      is_public: sql<number>`is_public * ${storedValue('is_public', 'file')}`,
    })
    .where('map_id', '=', mapId)
    .where('feature_id', '=', remaining)
    .where('id', 'in', idsOf('file'))
    .execute()
  await transaction
    .updateTable('incident_notes')
    .set({ incident_id: source, is_public: sql<number>`is_public * ${storedValue('is_public', 'note')}` })
    .where('map_id', '=', mapId)
    .where('incident_id', '=', remaining)
    .where('id', 'in', idsOf('note'))
    .execute()
  await transaction
    .updateTable('reports')
    .set({ duplicate_of: source })
    .where('map_id', '=', mapId)
    .where('duplicate_of', '=', remaining)
    .where('id', 'in', idsOf('report'))
    .execute()
  await transaction
    .updateTable('work_links')
    .set({ incident_id: source })
    .where('map_id', '=', mapId)
    .where('incident_id', '=', remaining)
    .where('id', 'in', idsOf('work-link'))
    .execute()
  await forgetItems(transaction, { mapId, source, later: merged })
  return remaining
}

/** They came back, so undoing a later merge must not move them again. */
async function forgetItems(
  transaction: WriteTransaction,
  { mapId, source, later }: { mapId: string; source: string; later: readonly string[] },
) {
  const ofSource = sql<SqlBool>`(kind, item_id) in (
    select item.kind, item.item_id from merged_items as item
    where item.map_id = ${mapId} and item.source_id = ${source}
  )`
  if (later.length > 0)
    await transaction
      .deleteFrom('merged_items')
      .where('map_id', '=', mapId)
      .where('source_id', 'in', later)
      .where(({ or, and, eb }) =>
        or([ofSource, and([eb('kind', '=', 'report'), eb('item_id', '=', source)])]),
      )
      .execute()
  await transaction
    .deleteFrom('merged_items')
    .where('map_id', '=', mapId)
    .where('source_id', '=', source)
    .execute()
}

/** How many people reported each incident: its reporter, those of merged reports, and of waiting ones that name it. */
export async function countReporters(
  read: ReadDatabase,
  { mapId, incidentIds }: { mapId: string; incidentIds: readonly string[] },
): Promise<Map<string, number>> {
  if (incidentIds.length === 0) return new Map()
  const incident = sql<string>`coalesce(duplicate_of, id)`
  const rows = await read
    .selectFrom('reports')
    .select(incident.as('incident'))
    .select(sql<number>`count(distinct coalesce(email, id))`.as('people'))
    .where('map_id', '=', mapId)
    .where(({ or, eb }) => or([eb('id', 'in', incidentIds), eb('duplicate_of', 'in', incidentIds)]))
    .where(({ or, eb, and }) =>
      or([
        eb('state', 'in', ['accepted', 'duplicate']),
        and([eb('state', '=', 'new'), eb('duplicate_of', 'is not', null)]),
      ]),
    )
    .groupBy(incident)
    .execute()
  return new Map(rows.map((row) => [row.incident, Number(row.people)]))
}
