import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OwnFieldsAnswer } from '#domain/features/own-fields.schema.ts'
import { noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/fields`

export function ownFieldsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'fields'),
    queryFn: ({ signal }) => getJson<OwnFieldsAnswer>(path(mapId), {}, signal),
  })
}

export const useOwnFields = (mapId: string): OwnFields =>
  useQuery(ownFieldsQuery(mapId)).data?.fields ?? noOwnFields

export function changeOwnFields(mapId: string, version: number, fields: OwnFields): Promise<OwnFieldsAnswer> {
  return sendJson('PUT', path(mapId), { body: { fields }, ifMatch: version })
}
