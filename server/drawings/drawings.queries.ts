import { sql } from 'kysely'
import type { Person } from '#domain/access/session.schema.ts'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { DrawingsTable } from '../database/tables.ts'
import { updateById } from '../database/update-by-id.ts'
import { toDrawing } from './drawing-row.ts'

export type DrawingPosition = { createdAt: number; id: string }

/** In the order of drawing, so that pages stay stable while others draw. */
export async function listDrawings(
  { read }: Database,
  { mapId, person }: { mapId: string; person: Person },
  page: { limit: number; after: DrawingPosition | undefined },
): Promise<{ items: Drawing[]; last: DrawingPosition | null }> {
  const { limit, after } = page
  const rows = await read
    .selectFrom('drawings')
    .selectAll()
    .where('map_id', '=', mapId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${sql.join([after?.createdAt ?? 0, after?.id ?? ''])})`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit).map((row) => toDrawing(row, person))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { items, last: last ? { createdAt: last.created_at, id: last.id } : null }
}

export async function readDrawings(
  transaction: WriteTransaction,
  mapId: string,
  ids: readonly string[],
): Promise<Map<string, DrawingsTable>> {
  const rows = await transaction
    .selectFrom('drawings')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function countDrawings(
  transaction: WriteTransaction,
  mapId: string,
): Promise<{ drawings: number; vertices: number }> {
  const { drawings, vertices } = await transaction
    .selectFrom('drawings')
    .select(({ fn }) => [
      fn.countAll<number>().as('drawings'),
      fn.sum<number | null>('vertex_count').as('vertices'),
    ])
    .where('map_id', '=', mapId)
    .executeTakeFirstOrThrow()
  return { drawings: Number(drawings), vertices: Number(vertices) }
}

const rowsPerInsert = 100

export async function insertDrawings(transaction: WriteTransaction, rows: readonly DrawingsTable[]) {
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await transaction
      .insertInto('drawings')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute()
}

type Key = { mapId: string; id: string }

export const updateDrawing = (transaction: WriteTransaction, key: Key, columns: Partial<DrawingsTable>) =>
  updateById(transaction, 'drawings', key, columns)

export async function deleteRow(transaction: WriteTransaction, { mapId, id }: Key) {
  await transaction.deleteFrom('drawings').where('map_id', '=', mapId).where('id', '=', id).execute()
}

export async function deleteDrawingsOf(transaction: WriteTransaction, mapId: string, authorId: string) {
  const { numDeletedRows } = await transaction
    .deleteFrom('drawings')
    .where('map_id', '=', mapId)
    .where('author_id', '=', authorId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
