import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** An index for counting open incidents and broken assets, on one map or on all. */
export const attentionMigration: Migration = {
  name: '015-attention',
  async up(transaction) {
    await sql`
      create index features_needing_attention on features (map_id, kind, status, severity)
        where status in ('unresolved', 'offline', 'maintenance')`.execute(transaction)
  },
}
