import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What needs somebody is counted for one map or for all of them, without a look at everything else. */
export const attentionMigration: Migration = {
  name: '015-attention',
  async up(transaction) {
    await sql`
      create index features_needing_attention on features (map_id, kind, status, severity)
        where status in ('unresolved', 'offline', 'maintenance')`.execute(transaction)
  },
}
