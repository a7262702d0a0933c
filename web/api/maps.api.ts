import { queryOptions } from '@tanstack/react-query'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { getJson } from './http.ts'

/** Raster tiles of one service; `url` null where the operator switched it off. */
export type TileService = { url: string | null; attribution: string; maxZoom: number }
export type PageSettings = {
  defaultMapId: string | null
  tileServices: Record<'street' | 'satellite' | 'terrain' | 'labels', TileService>
}

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => getJson<PageSettings>('/api/settings', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Everything that is known of one map stands below this key, so that a change of the map refreshes it all. */
export const mapKey = (mapId: string) => ['maps', mapId] as const

export function mapSummaryQuery(mapId: string) {
  return queryOptions({
    queryKey: [...mapKey(mapId), 'summary'],
    queryFn: ({ signal }) => getJson<MapSummary>(`/api/maps/${encodeURIComponent(mapId)}`, {}, signal),
  })
}

export function mapConfigurationQuery(mapId: string) {
  return queryOptions({
    queryKey: [...mapKey(mapId), 'configuration'],
    queryFn: ({ signal }) =>
      getJson<MapConfigurationAnswer>(`/api/maps/${encodeURIComponent(mapId)}/configuration`, {}, signal),
  })
}
