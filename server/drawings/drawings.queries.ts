import { sql } from 'kysely'
import type { Person } from '#domain/access/session.schema.ts'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import type { Database } from '../database/database.ts'
import { toDrawing } from './drawing-row.ts'

export type DrawingPosition = { createdAt: number; id: string }

/** In the order in which they were drawn: who pages while others draw misses none and sees none twice. */
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
