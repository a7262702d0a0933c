import { queryOptions } from '@tanstack/react-query'
import type { Drawing, DrawingChange, NewDrawing } from '#domain/drawings/drawing.schema.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

type DrawingPage = { items: Drawing[]; next: string | null }

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/drawings`
const addressOf = (mapId: string, id: string) => `${path(mapId)}/${encodeURIComponent(id)}`
const pageSize = 500

export function drawingsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'drawings'),
    async queryFn({ signal }) {
      const drawings: Drawing[] = []
      for (let after: string | undefined; ; ) {
        const page = await getJson<DrawingPage>(path(mapId), { limit: pageSize, after }, signal)
        drawings.push(...page.items)
        if (page.next === null) return drawings
        after = page.next
      }
    },
  })
}

/** Safe to repeat: existing drawings are returned in their current version. */
export async function addDrawings(mapId: string, items: readonly NewDrawing[]): Promise<Drawing[]> {
  const added = await sendJson<{ items: Drawing[] }>('POST', path(mapId), { body: { items } })
  return added.items
}

/** Throws 412 with the current drawing if there is a newer version. */
export function changeDrawing(
  mapId: string,
  { id, version }: Drawing,
  change: DrawingChange,
): Promise<Drawing> {
  return sendJson('PUT', addressOf(mapId, id), { body: change, ifMatch: version })
}

export function deleteDrawing(mapId: string, { id, version }: Drawing): Promise<void> {
  return sendJson('DELETE', addressOf(mapId, id), { ifMatch: version })
}

export function clearDrawings(mapId: string): Promise<{ deleted: number }> {
  return sendJson('DELETE', path(mapId))
}
