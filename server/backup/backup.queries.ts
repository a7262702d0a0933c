import { sql } from 'kysely'
import { insertActivityWithoutWebhooks } from '../activity/activity.queries.ts'
import type { ReadDatabase, TableDescription, WriteTransaction } from '../database/database.ts'
import { restoreAction } from './backup-format.ts'

type Row = Record<string, unknown>

const columnsOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

export async function readPage(
  database: ReadDatabase,
  { name, columns, key }: TableDescription,
  after: Row | undefined,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columnsOf(columns)} from ${sql.table(name)} ${afterKey(key, after)}
    order by ${columnsOf(key)} limit ${limit}`.execute(database)
  return rows
}

function afterKey(key: readonly string[], after: Row | undefined) {
  if (!after) return sql``
  return sql`where (${columnsOf(key)}) > (${sql.join(key.map((column) => after[column]))})`
}

/** SQLite keeps the rows that a statement changes in memory. */
const rowsPerDelete = 2_000

export async function hasRows(transaction: WriteTransaction, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(transaction)
  return rows.length > 0
}

export async function readMapIds(transaction: WriteTransaction): Promise<string[]> {
  const rows = await transaction.selectFrom('maps').select('map_id').execute()
  return rows.map((row) => row.map_id)
}

export async function deleteAll(
  transaction: WriteTransaction,
  { name, key }: TableDescription,
  onDeleted: (rows: number) => Promise<void>,
) {
  const columns = columnsOf(key)
  let after: Record<string, unknown> | undefined
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(name)} ${afterKey(key, after)}
      order by ${columns} limit 1 offset ${rowsPerDelete - 1}`.execute(transaction)
    const [last] = rows
    const upTo = last
      ? sql`${after ? sql`and` : sql`where`} (${columns}) <= (${sql.join(key.map((column) => last[column]))})`
      : sql``
    await sql`delete from ${sql.table(name)} ${afterKey(key, after)} ${upTo}`.execute(transaction)
    if (!last) return
    after = last
    await onDeleted(rowsPerDelete)
  }
}

/** Records the restore on each map, so that running servers and open pages reload. */
export async function recordRestore(
  transaction: WriteTransaction,
  mapIds: Iterable<string>,
  details: Record<string, unknown>,
) {
  const now = Date.now()
  for (const mapId of mapIds)
    await insertActivityWithoutWebhooks(transaction, { mapId, action: restoreAction, details }, now)
}

export type StoredBlob = { mapId: string; sha256: string; size: number; isUsed: boolean }

export async function readBlobs(read: ReadDatabase): Promise<StoredBlob[]> {
  const rows = await read.selectFrom('blobs').selectAll().orderBy('map_id').orderBy('sha256').execute()
  return rows.map(({ map_id: mapId, sha256, size, unnamed_since }) => ({
    mapId,
    sha256,
    size,
    isUsed: unnamed_since === null,
  }))
}
