import type { Person } from '#domain/access/session.schema.ts'
import {
  type Drawing,
  maxDrawings,
  maxVerticesOfMap,
  type NewDrawing,
  vertexCount,
} from '#domain/drawings/drawing.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { ConflictError, RefusedError } from '../domain-error.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { toDrawing } from './drawing-row.ts'
import { countDrawings, insertDrawings, readDrawings } from './drawings.queries.ts'

/** Adds all or none. Idempotent: drawings that the person already added are returned unchanged. */
export function addDrawings(
  database: Database,
  { mapId, person }: { mapId: string; person: Person },
  drawings: readonly NewDrawing[],
): Promise<Drawing[]> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const ids = drawings.map(({ id }) => id)
    const stored = await readDrawings(transaction, mapId, ids)
    const foreign = [...stored.values()].find(({ author_id }) => author_id !== person.id)
    if (foreign) throw new ConflictError(`The id ${foreign.id} belongs to a drawing of another user.`)
    const added = drawings.filter(({ id }) => !stored.has(id))
    if (added.length > 0) await insert(transaction, mapId, person, added)
    const rows = await readDrawings(transaction, mapId, ids)
    return ids.flatMap((id) => rows.get(id) ?? []).map((row) => toDrawing(row, person))
  })
}

async function insert(
  transaction: WriteTransaction,
  mapId: string,
  person: Person,
  drawings: readonly NewDrawing[],
) {
  const now = Date.now()
  const rows = drawings.map(({ id, kind, geometry, name, note }) => ({
    map_id: mapId,
    id,
    kind,
    geometry: JSON.stringify(geometry),
    vertex_count: vertexCount(geometry),
    name,
    note,
    author_id: person.id,
    author: person.name,
    updated_by: person.name,
    version: 1,
    created_at: now,
    updated_at: now,
  }))
  const vertices = rows.reduce((sum, row) => sum + row.vertex_count, 0)
  await requireQuota(transaction, mapId, { drawings: rows.length, vertices }, 'items')
  await insertDrawings(transaction, rows)
  const [first] = drawings
  const isOne = drawings.length === 1
  const activity = {
    mapId,
    action: 'drawing.added',
    actor: person,
    subject: isOne && first ? first.id : null,
    details: { count: drawings.length, ...(isOne && first ? { name: first.name, kind: first.kind } : {}) },
  } as const
  // Drawings are not public: the version of the map stays.
  await insertActivity(transaction, activity, now)
}

/** Call it while the map is locked. */
export async function requireQuota(
  transaction: WriteTransaction,
  mapId: string,
  more: { drawings: number; vertices: number },
  field: string,
): Promise<void> {
  const current = await countDrawings(transaction, mapId)
  const refuse = (most: number, what: string) =>
    new RefusedError(field, `a map can have at most ${formatNumber(most)} ${what}. Delete some first`)
  if (current.drawings + more.drawings > maxDrawings) throw refuse(maxDrawings, 'drawings')
  if (current.vertices + more.vertices > maxVerticesOfMap)
    throw refuse(maxVerticesOfMap, 'points in its drawings')
}
