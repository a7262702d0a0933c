import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Incidents around a tile, whose circles may reach into it, are found without passing over everything else there.
 *
 * PostgreSQL finds the shapes of a tile zoom by zoom, the largest first, and stops when there are enough: those that
 * come in at each zoom have an index of their own. Before, a tile of ten million features read a hundred thousand rows
 * to sort out four thousand. SQLite's R*Tree has the zoom as a side of its boxes.
 */
export const indexesOfTilesMigration: Migration = {
  name: '007-indexes-of-tiles',
  async up(transaction, engine) {
    const statements = [incidents, ...(engine === 'postgres' ? postgresShapes : [])]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}

const incidents = `create index incidents_on_tiles on features
  (map_id, leader_zoom, morton, id, kind, shape, type, date, status, severity, size_zoom, lng, lat)
  where kind = 'incident'`

const formerZooms = [6, 9, 12]
/** Of all tiles, when this was written. */
const deepestZoom = 17
const postgresShapes = [
  ...formerZooms.map((zoom) => `drop index features_by_extent_${zoom}`),
  ...Array.from(
    { length: deepestZoom + 1 },
    (_, zoom) =>
      `create index features_of_zoom_${zoom} on features using gist (extent) where size_zoom = ${zoom}`,
  ),
]
