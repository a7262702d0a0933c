import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CustomFieldsAnswer } from '#domain/features/custom-fields.schema.ts'
import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/fields`

export function customFieldsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'fields'),
    queryFn: ({ signal }) => getJson<CustomFieldsAnswer>(path(mapId), {}, signal),
  })
}

export const useCustomFields = (mapId: string): CustomFields =>
  useQuery(customFieldsQuery(mapId)).data?.fields ?? noCustomFields

export function changeCustomFields(
  mapId: string,
  version: number,
  fields: CustomFields,
): Promise<CustomFieldsAnswer> {
  return sendJson('PUT', path(mapId), { body: { fields }, ifMatch: version })
}
