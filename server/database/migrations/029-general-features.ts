import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Finds and counts the few general features on the layers of other kinds, in list order. */
export const generalFeaturesMigration: Migration = {
  name: '029-general-features',
  async up(transaction) {
    await sql
      .raw(
        `create index general_features on features (map_id, kind, date_order, name_order, id, shape)
          where is_general = 1`,
      )
      .execute(transaction)
  },
}
