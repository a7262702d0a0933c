import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OwnFieldsAnswer } from '#domain/features/own-fields.schema.ts'
import { noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/fields`

/** The client's own fields that the user may see. */
export function ownFieldsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'fields'),
    queryFn: ({ signal }) => getJson<OwnFieldsAnswer>(path(mapId), {}, signal),
  })
}

/** Empty until they are loaded. */
export const useOwnFields = (mapId: string): OwnFields =>
  useQuery(ownFieldsQuery(mapId)).data?.fields ?? noOwnFields

/** `version` is the one that the user changed: 412 if there is a newer one. */
export function changeOwnFields(mapId: string, version: number, fields: OwnFields): Promise<OwnFieldsAnswer> {
  return sendJson('PUT', path(mapId), { body: { fields }, ifMatch: version })
}
