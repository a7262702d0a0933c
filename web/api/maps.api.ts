import { queryOptions } from '@tanstack/react-query'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import type { PageSettings } from '#domain/opening/opening.schema.ts'
import { getJson } from './http.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => getJson<PageSettings>('/api/settings', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export const mapKey = (mapId: string) => ['maps', mapId] as const

/** Names of the queries of a map. `changes.ts` says which change affects which. */
export const answerNames = [
  'summary',
  'configuration',
  'configuration-versions',
  'metadata-names',
  'fields',
  'feature',
  'history',
  'files',
  'maintenance',
  'due',
  'calendar',
  'removed',
  'features',
  'matches',
  'co-located',
  'labels',
  'table',
  'position',
  'filter-counts',
  'drawings',
  'reports',
  'report-settings',
  'report-form',
  'subscriptions',
  'notes',
  'work',
  'activity',
  'shape-check',
  'shapes',
  'land-check',
  'parcels-as-of',
  'bulk-preview',
  'notice-reach',
  'bulk-change',
  'import-drafts',
  'background-exports',
  'webhooks',
  'deliveries',
] as const
export type AnswerName = (typeof answerNames)[number]

export const answerKey = <Name extends AnswerName>(mapId: string, name: Name) =>
  [...mapKey(mapId), name] as const

export function mapSummaryQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'summary'),
    queryFn: ({ signal }) => getJson<MapSummary>(`/api/maps/${encodeURIComponent(mapId)}`, {}, signal),
  })
}

export function mapConfigurationQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'configuration'),
    queryFn: ({ signal }) =>
      getJson<MapConfigurationAnswer>(`/api/maps/${encodeURIComponent(mapId)}/configuration`, {}, signal),
  })
}
