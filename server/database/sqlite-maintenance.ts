import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { type RawBuilder, sql } from 'kysely'
import type { EngineMaintenance, ReadDatabase, WriteTransaction } from './database.ts'
import { type ColumnRow, describeTables, type ReferenceRow } from './describe-tables.ts'
import { packPlaces } from './pack-places.ts'
import { busyTimeoutMs, whenFree } from './when-free.ts'

type Connected = { write: ReadDatabase; connection: DatabaseSync; path: string }

/** `connection` is that of `write`. */
export const sqliteMaintenance = ({ write, connection, path }: Connected): EngineMaintenance => ({
  async describeTables(database) {
    // 'table' excludes virtual and shadow tables; `hidden` marks generated columns. Triggers maintain
    // map_numbers for the R*Tree.
    const { rows: columns } = await sql<ColumnRow>`
      select t.name as "table", c.name, lower(c.type) as type, nullif(c.pk, 0) as position
      from pragma_table_list as t, pragma_table_xinfo(t.name) as c
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite~_%' escape '~' and c.hidden = 0
        and t.name <> 'map_numbers'
      order by t.name`.execute(database)
    const { rows: references } = await sql<ReferenceRow>`
      select t.name as "table", f."table" as target
      from pragma_table_list as t, pragma_foreign_key_list(t.name) as f
      where t.schema = 'main'`.execute(database)
    return describeTables(await withoutRowNumbers(database, columns), references)
  },

  async keepWritersOut() {},

  async withoutTriggers(transaction, table, work) {
    const restore = await dropTriggers(transaction, sql`tbl_name = ${table}`)
    await work()
    await restore()
  },

  async withoutIndex(transaction, index, work) {
    const { rows } = await sql<{ definition: string }>`
      select sql as definition from sqlite_schema where type = 'index' and name = ${index}`.execute(
      transaction,
    )
    await sql`drop index ${sql.id(index)}`.execute(transaction)
    await work()
    for (const { definition } of rows) await sql.raw(definition).execute(transaction)
  },

  async packingPlaces(transaction, work) {
    const { rows } = await sql`select 1 from sqlite_schema where name = 'features_placed'`.execute(
      transaction,
    )
    // A backup of an older version is restored into its own structure.
    if (rows.length === 0) return work()
    const restore = await dropTriggers(transaction, sql`name in ('features_placed', 'features_moved')`)
    await work()
    await restore()
    packPlaces(connection)
  },

  // Truncates the write-ahead log, which keeps its size otherwise.
  tidyUp: () => emptyLog(write),

  async measure() {
    const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((sum, size) => sum + size)
  },

  // Readers continue; the log contains the new database until the checkpoint.
  async compact() {
    await whenFree(() => sql`vacuum`.execute(write))
    await emptyLog(write)
  },
})

/** SQLite cannot disable triggers. Dropping and recreating them in one transaction is invisible to others. */
async function dropTriggers(transaction: WriteTransaction, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_schema where type = 'trigger' and ${condition}`.execute(
    transaction,
  )
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(transaction)
  return async () => {
    for (const { definition } of rows) await sql.raw(definition).execute(transaction)
  }
}

async function emptyLog(write: ReadDatabase) {
  await sql`pragma busy_timeout = ${sql.lit(busyTimeoutMs)}`.execute(write)
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(write)
  } finally {
    await sql`pragma busy_timeout = 0`.execute(write)
  }
}

/** A single integer key is SQLite's row number, which PostgreSQL lacks: uses the unique columns instead. */
async function withoutRowNumbers(database: ReadDatabase, columns: ColumnRow[]): Promise<ColumnRow[]> {
  const keyOf = Map.groupBy(
    columns.filter((column) => column.position !== null),
    (column) => column.table,
  )
  const isRowNumber = ({ table, position, type }: ColumnRow) =>
    position !== null && type === 'integer' && keyOf.get(table)?.length === 1
  const { rows: unique } = await sql<{ table: string; name: string; position: number }>`
    select t.name as "table", i.name, i.seqno as position
    from pragma_table_list as t, pragma_index_list(t.name) as l, pragma_index_info(l.name) as i
    where t.schema = 'main' and l.origin = 'u' and l.seq = (
      select max(seq) from pragma_index_list(t.name) where origin = 'u'
    )`.execute(database)
  const numbered = new Set(columns.filter(isRowNumber).map((column) => column.table))
  return columns
    .filter((column) => !isRowNumber(column))
    .map((column) => {
      if (!numbered.has(column.table)) return column
      const found = unique.find(({ table, name }) => table === column.table && name === column.name)
      return { ...column, position: found?.position ?? null }
    })
}
