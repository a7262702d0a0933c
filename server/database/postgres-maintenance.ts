import { sql } from 'kysely'
import pg from 'pg'
import type { EngineMaintenance, ReadDatabase } from './database.ts'
import { type ColumnRow, describeTables, type ReferenceRow } from './describe-tables.ts'

const ourTables = sql`
  table_class.relnamespace = current_schema()::regnamespace and table_class.relkind in ('r', 'p')
  and not exists (
    select 1 from pg_depend
    where classid = 'pg_class'::regclass and objid = table_class.oid and deptype = 'e'
  )`

export const postgresMaintenance = (pool: ReadDatabase, url: string): EngineMaintenance => ({
  async describeTables(database) {
    const { rows: columns } = await sql<ColumnRow>`
      select table_class.relname as table, attname as name, format_type(atttypid, atttypmod) as type,
        array_position(cast(indkey as int2[]), attnum) as position
      from pg_class as table_class
      join pg_attribute on attrelid = table_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      left join pg_index on indrelid = table_class.oid and indisprimary
      where ${ourTables}
      order by table_class.relname`.execute(database)
    const { rows: references } = await sql<ReferenceRow>`
      select table_class.relname as table, target_class.relname as target
      from pg_constraint
      join pg_class as table_class on table_class.oid = conrelid
      join pg_class as target_class on target_class.oid = confrelid
      where contype = 'f' and ${ourTables}`.execute(database)
    return describeTables(columns, references)
  },

  async keepWritersOut(transaction, tables) {
    await sql`set local lock_timeout = '30s'`.execute(transaction)
    const names = sql.join(tables.map((table) => sql.table(table)))
    await sql`lock table ${names} in exclusive mode`.execute(transaction)
  },

  withoutIndex: (_transaction, _index, work) => work(),
  packingPlaces: (_transaction, work) => work(),

  async withoutTriggers(transaction, table, work) {
    // Transactional, so other connections do not see it.
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(transaction)
    await work()
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(transaction)
  },

  // Until autovacuum runs, the planner assumes that the tables are empty.
  async tidyUp(tables) {
    await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(pool)
  },

  async measure() {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes`.execute(pool)
    return rows[0]?.bytes ?? 0
  },

  // VACUUM FULL would free more, but lock everyone out. Without a timeout.
  async compact() {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      for (const { name } of await this.describeTables(pool))
        await client.query(`vacuum (analyze) ${client.escapeIdentifier(name)}`)
    } finally {
      await client.end()
    }
  },
})
