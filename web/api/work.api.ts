import { queryOptions } from '@tanstack/react-query'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type {
  IncidentNote,
  IncidentNotes,
  NewWorkLink,
  NoteChange,
  WorkLink,
  WorkLinkStep,
  WorkList,
  WorkOrder,
  WorkStep,
} from '#domain/work/work.schema.ts'
import type { WorkView } from '#domain/work/work-views.ts'
import { getJson, type LinkKey, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'
import type { PhotosByLink } from './photos-by-link.api.ts'

const pathOf = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}`

const incidentPath = (mapId: string, id: string) => `${pathOf(mapId)}/incidents/${encodeURIComponent(id)}`

const notePath = (mapId: string, id: string, noteId: string) =>
  `${incidentPath(mapId, id)}/notes/${encodeURIComponent(noteId)}`

export function workQuery(mapId: string, view: WorkView) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'work'), view] as const,
    queryFn: ({ signal }) => getJson<WorkList>(`${pathOf(mapId)}/work`, { view }, signal),
  })
}

export function notesQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'notes'), id] as const,
    queryFn: ({ signal }) => getJson<IncidentNotes>(`${incidentPath(mapId, id)}/notes`, {}, signal),
  })
}

export const takeWorkStep = (
  { mapId, id, version }: { mapId: string; id: string; version: number },
  step: Partial<WorkStep> & { id: string },
) => sendJson<FeatureDetail>('POST', `${incidentPath(mapId, id)}/work`, { body: step, ifMatch: version })

export const changeNote = (mapId: string, id: string, noteId: string, change: NoteChange) =>
  sendJson<IncidentNote>('PATCH', notePath(mapId, id, noteId), { body: change })

export const removeNote = (mapId: string, id: string, noteId: string) =>
  sendJson<null>('DELETE', notePath(mapId, id, noteId), {})

export function workLinksQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'notes'), id, 'work-links'] as const,
    queryFn: ({ signal }) =>
      getJson<{ items: WorkLink[] }>(`${incidentPath(mapId, id)}/work-links`, {}, signal),
  })
}

export const addWorkLink = (mapId: string, id: string, link: NewWorkLink) =>
  sendJson<WorkLink>('POST', `${incidentPath(mapId, id)}/work-links`, { body: link })

export const revokeWorkLink = (mapId: string, id: string, linkId: string) =>
  sendJson<WorkLink>('POST', `${incidentPath(mapId, id)}/work-links/${encodeURIComponent(linkId)}/revoke`, {
    body: {},
  })

/** The link of a contractor. */
export type HeldLink = { mapId: string; id: string; key: string }

const keyOf = ({ key }: HeldLink): LinkKey => ({ 'work-key': key })

const heldPath = ({ mapId, id }: HeldLink, rest = '') =>
  `${pathOf(mapId)}/work-links/${encodeURIComponent(id)}${rest}`

export function workOrderQuery(link: HeldLink) {
  return queryOptions({
    queryKey: [...answerKey(link.mapId, 'notes'), 'work-order', link.id] as const,
    queryFn: ({ signal }) => getJson<WorkOrder>(heldPath(link), {}, signal, { linkKey: keyOf(link) }),
  })
}

export const workPhotos = (link: HeldLink): PhotosByLink => ({
  path: heldPath(link),
  linkKey: keyOf(link),
  queryKey: workOrderQuery(link).queryKey,
})

export const sendLinkStep = (link: HeldLink, step: Partial<WorkLinkStep> & { id: string }) =>
  sendJson<WorkOrder>('POST', heldPath(link, '/steps'), { body: step, linkKey: keyOf(link) })
