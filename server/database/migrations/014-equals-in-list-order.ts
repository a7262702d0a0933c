import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const equalsInListOrderMigration: Migration = {
  name: '014-equals-in-list-order',
  async up(transaction) {
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}

const statements = [
  `drop index features_in_order`,
  `create index features_in_order on features
    (map_id, kind, date_order, name_order, id, shape, type, status, severity, date)`,
  `drop index features_of_parcels`,
  `create index features_of_parcels on features
    (map_id, parcel_id, id, kind, type, status, severity, date, date_order, name_order) where parcel_id is not null`,
]
