import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * PostgreSQL finds the shapes of a tile zoom by zoom, the largest first, and stops when there are enough: one
 * index for each zoom at which shapes appear. Before, a tile of ten million features read a hundred thousand
 * rows to find four thousand. SQLite's R*Tree has the zoom as a dimension of its boxes.
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
const deepestZoom = 17
