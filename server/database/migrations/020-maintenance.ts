import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { WriteTransaction } from '../database.ts'
import type { Migration } from './migration.ts'

/**
 * Creates maintenance entries from the history and the last maintenance in an asset's fields. An index finds
 * the next due dates in the fields. A calendar's address is a secret, of which only the SHA-256 is stored.
 */
export const maintenanceMigration: Migration = {
  name: '020-maintenance',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table maintenance_entries (
        map_id ${key} not null references maps,
        feature_id ${key} not null,
        id ${key} not null,
        date ${key} not null,
        text text not null,
        performed_by text,
        cost_cents bigint,
        hours double precision,
        next_due ${key},
        version integer not null,
        created_at bigint not null,
        created_by text,
        import_id ${key},
        primary key (map_id, feature_id, id)
      )`,
      `create table maintenance_calendars (
        map_id ${key} not null references maps,
        secret_hash ${key} not null unique,
        created_at bigint not null,
        created_by text not null,
        primary key (map_id)
      )`,
      engine === 'postgres'
        ? `alter table features add column next_due text collate "C"
            generated always as (cast(fields as json) ->> 'nextDue') stored`
        : `alter table features add column next_due text
            generated always as (json_extract(fields, '$.nextDue')) virtual`,
      `create index features_due on features (map_id, next_due, id) where next_due is not null`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
    await makeEntries(transaction)
  },
}

type Row = {
  map_id: string
  id: string
  fields: string
  version: number
  created_at: number
  import_id: string | null
}
type Said = { date: string; description: string }
type Fields = { lastMaintenance?: string | null; maintenanceHistory?: Said[] }
const rowsAtOnce = 2_000
const rowsPerInsert = 500

async function makeEntries(transaction: WriteTransaction) {
  let [mapId, id] = ['', '']
  for (;;) {
    const { rows } = await sql<Row>`
      select map_id, id, fields, version, created_at, import_id from features
      where (map_id, id) > (${mapId}, ${id}) and kind = 'asset' and is_general = 0
        and (fields like '%"maintenanceHistory":[{%' or fields like '%"lastMaintenance":"%')
      order by map_id, id limit ${sql.lit(rowsAtOnce)}`.execute(transaction)
    const entries = []
    for (const row of rows) {
      const fields: Fields = JSON.parse(row.fields)
      const said = saidBy(fields)
      entries.push(...said.map((one) => ({ ...one, row })))
      const following = { lastMaintenance: said[0]?.date ?? null, maintenanceHistory: said }
      const text = JSON.stringify({ ...fields, ...following })
      if (text === row.fields) continue
      await sql`
        update features set fields = ${text} where map_id = ${row.map_id} and id = ${row.id}`.execute(
        transaction,
      )
    }
    for (let start = 0; start < entries.length; start += rowsPerInsert)
      await sql`
        insert into maintenance_entries (map_id, feature_id, id, date, text, version, created_at, import_id)
        values ${sql.join(
          entries
            .slice(start, start + rowsPerInsert)
            .map(
              ({ date, description, row }) =>
                sql`(${row.map_id}, ${row.id}, ${randomUUID()}, ${date}, ${description}, cast(${row.version} as integer), cast(${row.created_at} as bigint), ${row.import_id})`,
            ),
        )}`.execute(transaction)
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    mapId = last.map_id
    id = last.id
  }
}

/** Newest first; ties by text, like entries of the same origin. */
function saidBy({ lastMaintenance = null, maintenanceHistory = [] }: Fields): Said[] {
  const isTold = maintenanceHistory.some(({ date }) => date >= (lastMaintenance ?? ''))
  const untold = lastMaintenance && !isTold ? [{ date: lastMaintenance, description: 'Maintenance' }] : []
  return [...untold, ...maintenanceHistory].toSorted(
    (a, b) => compare(b.date, a.date) || compare(a.description, b.description),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
