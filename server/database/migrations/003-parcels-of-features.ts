import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * On which parcel an incident or asset is, out of its fields, so that a table can be sorted by it. The index
 * holds what the table's filters need, and only features that name a parcel: it costs an import of parcels
 * nothing.
 */
export const parcelsOfFeaturesMigration: Migration = {
  name: '003-parcels-of-features',
  async up(transaction, engine) {
    await sql
      .raw(
        engine === 'postgres'
          ? `alter table features add column parcel_id text collate "C"
              generated always as (cast(fields as json) ->> 'parcelId') stored`
          : `alter table features add column parcel_id text
              generated always as (json_extract(fields, '$.parcelId')) virtual`,
      )
      .execute(transaction)
    await sql
      .raw(`create index features_of_parcels on features (map_id, parcel_id, id) where parcel_id is not null`)
      .execute(transaction)
  },
}
