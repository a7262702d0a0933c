import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import {
  type Drawing,
  type DrawingChange,
  isSameDrawing,
  vertexCount,
} from '#domain/drawings/drawing.schema.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { type Expectation, expectVersion, NotFoundError } from '../domain-error.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { requireQuota } from './add-drawings.commands.ts'
import { toDrawing } from './drawing-row.ts'
import { deleteDrawingsOf, deleteRow, readDrawings, updateDrawing } from './drawings.queries.ts'

type Request = { mapId: string; id: string; person: Person; isExpected: Expectation }

/** Any editor may change any drawing. A change without effect creates no version. */
export function changeDrawing(database: Database, request: Request, change: DrawingChange): Promise<Drawing> {
  const { mapId, id, person } = request
  return database.write(async (transaction) => {
    const { row, current } = await lockDrawing(database, transaction, request)
    if (isSameDrawing(current, change)) return current
    const vertices = vertexCount(change.geometry)
    if (vertices > row.vertex_count)
      await requireQuota(
        transaction,
        mapId,
        { drawings: 0, vertices: vertices - row.vertex_count },
        'geometry',
      )
    const now = Date.now()
    const columns = {
      ...change,
      geometry: JSON.stringify(change.geometry),
      vertex_count: vertices,
      updated_by: person.name,
      version: row.version + 1,
      updated_at: now,
    }
    await updateDrawing(transaction, { mapId, id }, columns)
    await recordChange(transaction, request, 'drawing.changed', { name: change.name, kind: change.kind }, now)
    return toDrawing({ ...row, ...columns }, person)
  })
}

export function deleteDrawing(database: Database, request: Request): Promise<void> {
  const { mapId, id } = request
  return database.write(async (transaction) => {
    const { current } = await lockDrawing(database, transaction, request)
    await deleteRow(transaction, { mapId, id })
    const { name, kind } = current
    await recordChange(transaction, request, 'drawing.deleted', { name, kind }, Date.now())
  })
}

export function clearDrawings(
  database: Database,
  { mapId, person }: { mapId: string; person: Person },
): Promise<number> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const count = await deleteDrawingsOf(transaction, mapId, person.id)
    if (count > 0) {
      const activity = { mapId, action: 'drawing.cleared', actor: person, details: { count } } as const
      await insertActivity(transaction, activity, Date.now())
    }
    return count
  })
}

async function lockDrawing(
  database: Database,
  transaction: WriteTransaction,
  { mapId, id, person, isExpected }: Request,
) {
  await lockOpenMap(database, transaction, mapId)
  const row = (await readDrawings(transaction, mapId, [id])).get(id)
  if (!row) throw new NotFoundError(`Map ${mapId} has no drawing ${id}.`)
  const current = toDrawing(row, person)
  expectVersion(isExpected, row.version, `Drawing ${id}`, current)
  return { row, current }
}

function recordChange(
  transaction: WriteTransaction,
  { mapId, id, person }: Request,
  action: ActivityAction,
  details: Record<string, unknown>,
  now: number,
) {
  return insertActivity(transaction, { mapId, action, actor: person, subject: id, details }, now)
}
