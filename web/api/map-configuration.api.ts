import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { MetadataNames } from '#domain/features/metadata-names.schema.ts'
import type {
  ConfigurationVersion,
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { getJson, inPages, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/configuration`
const pageSize = 20

export type VersionPage = { items: ConfigurationVersion[]; next: string | null }

export function configurationVersionsQuery(mapId: string) {
  return infiniteQueryOptions({
    queryKey: answerKey(mapId, 'configuration-versions'),
    ...inPages<VersionPage>(`${path(mapId)}/versions`, { limit: pageSize }),
  })
}

/** Incomplete while a large map is counted. */
export function metadataNamesQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'metadata-names'),
    queryFn: ({ signal }) =>
      getJson<MetadataNames>(`/api/maps/${encodeURIComponent(mapId)}/metadata-names`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.isComplete === false ? 1_000 : false),
  })
}

export function applyConfiguration(
  mapId: string,
  version: number,
  configuration: MapConfiguration,
): Promise<MapConfigurationAnswer> {
  return sendJson('PUT', path(mapId), { body: configuration, ifMatch: version })
}

export function removeConfiguration(mapId: string, version: number): Promise<MapConfigurationAnswer> {
  return sendJson('DELETE', path(mapId), { ifMatch: version })
}

export function restoreConfiguration(
  mapId: string,
  currentVersion: number,
  version: number,
): Promise<MapConfigurationAnswer> {
  return sendJson('POST', `${path(mapId)}/restore`, { body: { version }, ifMatch: currentVersion })
}
