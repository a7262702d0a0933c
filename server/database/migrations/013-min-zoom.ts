import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const minZoomMigration: Migration = {
  name: '013-min-zoom',
  async up(transaction) {
    await sql`alter table features rename column leader_zoom to min_zoom`.execute(transaction)
    await sql`alter table features rename column type_leader_zoom to type_min_zoom`.execute(transaction)
  },
}
