import type { Person } from '#domain/access/session.schema.ts'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import type { Tables } from '../database/tables.ts'

export function toDrawing(row: Tables['drawings'], person: Person): Drawing {
  return {
    id: row.id,
    mapId: row.map_id,
    kind: row.kind as Drawing['kind'],
    geometry: JSON.parse(row.geometry),
    name: row.name,
    note: row.note,
    author: row.author,
    isOwn: row.author_id === person.id,
    updatedBy: row.updated_by,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    version: row.version,
  }
}
