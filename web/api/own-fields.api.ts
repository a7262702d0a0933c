import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OwnFieldsAnswer } from '#domain/features/own-fields.schema.ts'
import { noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/fields`

/** The fields that a client has added, as far as who asks may see them. */
export function ownFieldsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'fields'),
    queryFn: ({ signal }) => getJson<OwnFieldsAnswer>(path(mapId), {}, signal),
  })
}

/** None until they are known. */
export const useOwnFields = (mapId: string): OwnFields =>
  useQuery(ownFieldsQuery(mapId)).data?.fields ?? noOwnFields

/** `version` is the one that was shown when the changes were made: 412 where it is no longer the present one. */
export function changeOwnFields(mapId: string, version: number, fields: OwnFields): Promise<OwnFieldsAnswer> {
  return sendJson('PUT', path(mapId), { body: { fields }, ifMatch: version })
}
