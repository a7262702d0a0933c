import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * General features are on the layers of other kinds, and hardly any map has one: so that they are found, and counted, without
 * looking at all others. It holds what the list's own index does to go through them in its order.
 */
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
