import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Finds incidents around a tile, whose circles may reach into it, without scanning other features. */
export const incidentsOnTilesMigration: Migration = {
  name: '008-incidents-on-tiles',
  async up(transaction) {
    await sql`
      create index incidents_on_tiles on features
        (map_id, leader_zoom, morton, id, kind, shape, type, date, status, severity, size_zoom, lng, lat)
        where kind = 'incident'`.execute(transaction)
  },
}
