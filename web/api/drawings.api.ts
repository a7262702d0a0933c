import { queryOptions } from '@tanstack/react-query'
import type { Drawing, DrawingChange, NewDrawing } from '#domain/drawings/drawing.schema.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

type DrawingPage = { items: Drawing[]; next: string | null }

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/drawings`
const addressOf = (mapId: string, id: string) => `${path(mapId)}/${encodeURIComponent(id)}`
const pageSize = 500

/** All that staff drew on a map: as many as a page has at most are one answer. */
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

/** Safe to send again: those that are there already are answered as they are by now. */
export async function addDrawings(mapId: string, items: readonly NewDrawing[]): Promise<Drawing[]> {
  const added = await sendJson<{ items: Drawing[] }>('POST', path(mapId), { body: { items } })
  return added.items
}

/** `version` is the one that was seen: 412 where there is a newer one, which the error carries. */
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

/** All that the person has drawn. */
export function clearDrawings(mapId: string): Promise<{ deleted: number }> {
  return sendJson('DELETE', path(mapId))
}
