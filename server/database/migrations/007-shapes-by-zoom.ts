import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * PostgreSQL finds the shapes of a tile zoom by zoom, the largest first, and stops when there are enough: those that
 * come in at each zoom have an index of their own. Before, a tile of ten million features read a hundred thousand rows
 * to sort out four thousand. SQLite's R*Tree has the zoom as a side of its boxes.
 */
export const shapesByZoomMigration: Migration = {
  name: '007-shapes-by-zoom',
  async up(transaction, engine) {
    if (engine === 'sqlite') return
    for (const zoom of formerZooms)
      await sql.raw(`drop index features_by_extent_${zoom}`).execute(transaction)
    for (let zoom = 0; zoom <= deepestZoom; zoom++)
      await sql
        .raw(
          `create index features_of_zoom_${zoom} on features using gist (extent) where size_zoom = ${zoom}`,
        )
        .execute(transaction)
  },
}

const formerZooms = [6, 9, 12]
/** Of all tiles, when this was written. */
const deepestZoom = 17
