import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ParcelsAsOf } from '#domain/features/parcels-as-of.schema.ts'
import { isUnderWay, type LandCheckAnswer } from '#domain/land-check/land-check.schema.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const reloadMs = 1_000

const mapPath = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}`
const pathOf = (mapId: string) => `${mapPath(mapId)}/land-check`

type Answer = { check: LandCheckAnswer | null }

export function landCheckQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'land-check'),
    queryFn: ({ signal }) => getJson<Answer>(pathOf(mapId), {}, signal),
    // Other tabs may start one.
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      !error && data?.check && isUnderWay(data.check.state) ? reloadMs : false,
  })
}

export const startLandCheck = (mapId: string): Promise<Answer> => sendJson('POST', pathOf(mapId))

export const removeLandCheck = (mapId: string): Promise<void> => sendJson('DELETE', pathOf(mapId))

/** `bbox` is west,south,east,north; both are undefined if nothing is shown. */
export function parcelsAsOfQuery(mapId: string, at: string | undefined, bbox: string | undefined) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'parcels-as-of'), at, bbox],
    queryFn: ({ signal }) => getJson<ParcelsAsOf>(`${mapPath(mapId)}/parcels-as-of`, { at, bbox }, signal),
    enabled: at !== undefined && bbox !== undefined,
    placeholderData: keepPreviousData,
  })
}
