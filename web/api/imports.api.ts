import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { FeatureCollection } from 'geojson'
import { wrapped } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import {
  type ImportDraft,
  type ImportDrafts,
  type ImportSettings,
  isImportStep,
  type NewImportDraft,
} from '#domain/imports/import-draft.schema.ts'
import type { TrialPlaces, TrialRows } from '#domain/imports/import-trial.schema.ts'
import type { TrialOutcome } from '#domain/imports/trial-outcome.ts'
import { addressWith } from './addresses.ts'
import { getJson, sendBytes, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const draftsPath = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/import-drafts`
const pathOf = (mapId: string, id: string) => `${draftsPath(mapId)}/${encodeURIComponent(id)}`

const reloadMs = 500

export function importDraftsQuery(mapId: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'import-drafts'), 'all'],
    queryFn: ({ signal }) => getJson<ImportDrafts>(draftsPath(mapId), {}, signal),
  })
}

export function importDraftQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'import-drafts'), id],
    queryFn: ({ signal }) => getJson<ImportDraft>(pathOf(mapId, id), {}, signal),
    refetchInterval: ({ state }) => (state.data && isImportStep(state.data.state) ? reloadMs : false),
  })
}

export function keepDraft(client: QueryClient, mapId: string, draft: ImportDraft) {
  client.setQueryData(importDraftQuery(mapId, draft.id).queryKey, draft)
  void client.invalidateQueries({ queryKey: importDraftsQuery(mapId).queryKey })
}

/** Safe to repeat: the answer has the number of bytes of each file that the server has. */
export function announceImport(mapId: string, draft: NewImportDraft): Promise<ImportDraft> {
  return sendJson('POST', draftsPath(mapId), { body: draft })
}

export function sendImportPiece(
  mapId: string,
  { id, index, offset }: { id: string; index: number; offset: number },
  piece: Blob,
): Promise<ImportDraft> {
  return sendBytes('PUT', addressWith(`${pathOf(mapId, id)}/files/${index}`, { offset }), piece)
}

export function changeImportSettings(
  mapId: string,
  id: string,
  settings: Partial<ImportSettings>,
): Promise<ImportDraft> {
  return sendJson('PATCH', `${pathOf(mapId, id)}/settings`, { body: settings })
}

export type RowsShown = TrialOutcome | 'repaired'

/** Not cached: each preview has other rows. */
export function trialRowsQuery(mapId: string, id: string, outcome: RowsShown | undefined) {
  return infiniteQueryOptions({
    queryKey: [...answerKey(mapId, 'import-drafts'), id, 'rows', outcome ?? 'all'],
    queryFn: ({ pageParam, signal }) =>
      getJson<TrialRows>(`${pathOf(mapId, id)}/trial`, { outcome, after: pageParam, limit: 50 }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  })
}

export function trialPlacesQuery(
  mapId: string,
  id: string,
  { outcome, extent }: { outcome: TrialOutcome | undefined; extent: Bounds | null },
) {
  const { west = 0, south = 0, east = 0, north = 0 } = extent ? wrapped(extent) : {}
  const bbox = [west, south, east, north].map((degrees) => Number(degrees.toFixed(6))).join()
  return queryOptions({
    queryKey: [...answerKey(mapId, 'import-drafts'), id, 'places', outcome ?? 'all', bbox],
    queryFn: ({ signal }) =>
      getJson<TrialPlaces>(`${pathOf(mapId, id)}/trial/places`, { bbox, outcome }, signal),
    enabled: extent !== null,
    gcTime: 0,
  })
}

export function importSampleQuery(mapId: string, id: string, layer: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'import-drafts'), id, 'sample', layer],
    queryFn: ({ signal }) => getJson<FeatureCollection>(`${pathOf(mapId, id)}/sample`, {}, signal),
    gcTime: 0,
  })
}

export const refusedRowsAddress = (mapId: string, id: string) => `${pathOf(mapId, id)}/trial/refused`

export type ImportRequest = 'try' | 'import' | 'undo' | 'undo anyway' | 'cancel'

/** `undo anyway` confirms an undo although newer imports may have changed the same features. */
export function requestImport(mapId: string, id: string, request: ImportRequest): Promise<ImportDraft> {
  const step = request === 'undo anyway' ? 'undo?confirmed=true' : request
  return sendJson('POST', `${pathOf(mapId, id)}/${step}`, { body: {} })
}

export function forgetImport(mapId: string, id: string): Promise<void> {
  return sendJson('DELETE', pathOf(mapId, id))
}
