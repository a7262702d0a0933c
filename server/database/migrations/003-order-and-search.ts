import { sql } from 'kysely'
import type { WriteTransaction } from '../database.ts'
import type { Migration } from './migration.ts'

/**
 * Stores the parcel of incidents and assets in a column, so that a table can be sorted by it. The index has
 * the columns of the table's filters, and only features with a parcel, so imports of parcels do not write to
 * it. Clients are searched by any part of name or location. A trigger also forbids `truncate` of activity in
 * PostgreSQL.
 */
export const orderAndSearchMigration: Migration = {
  name: '003-order-and-search',
  async up(transaction, engine) {
    const statements = [
      engine === 'postgres'
        ? `alter table features add column parcel_id text collate "C"
            generated always as (cast(fields as json) ->> 'parcelId') stored`
        : `alter table features add column parcel_id text
            generated always as (json_extract(fields, '$.parcelId')) virtual`,
      `create index features_of_parcels on features
        (map_id, parcel_id, id, kind, type, status, severity, date) where parcel_id is not null`,
      ...(engine === 'postgres'
        ? [
            `create trigger activity_not_emptied before truncate on activity
              for each statement execute function refuse_change()`,
          ]
        : []),
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
    await partSearchTexts(transaction)
  },
}

async function partSearchTexts(transaction: WriteTransaction) {
  const { rows } = await sql<{ map_id: string; name: string; location: string }>`
    select map_id, name, location from clients`.execute(transaction)
  for (const { map_id, name, location } of rows)
    await sql`
      update clients set search_text = ${`${foldText(name)}\n${foldText(location)}`} where map_id = ${map_id}`.execute(
      transaction,
    )
}

function foldText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
