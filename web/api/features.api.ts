import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { FeatureKind, FeatureShape, FeatureStatus } from '#domain/definition/kinds.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureOperation } from '#domain/features/feature-changes.schema.ts'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import type { FeaturesWithin } from '#domain/features/features-within.schema.ts'
import type { FilterCounts } from '#domain/features/filter-counts.schema.ts'
import type { FilterQuery } from '#domain/features/filters.ts'
import type { FeatureHistory, RemovedFeature } from '#domain/features/history.schema.ts'
import type { LandChange, Lineage } from '#domain/features/land-change.schema.ts'
import type { ShapeCheck, ShapeToCheck } from '#domain/features/shape-check.schema.ts'
import type { ShapesInBox } from '#domain/features/shapes.schema.ts'
import { getJson, getText, inPages, newKey, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

export type FeaturePage = { items: FeatureSummary[]; total: number; next: string | null }

export type FeatureQuery = FilterQuery & {
  kind?: FeatureKind | undefined
  shape?: FeatureShape | undefined
  text?: string | undefined
  /** west,south,east,north */
  bbox?: string | undefined
}

const featuresPath = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/features`
const featurePath = (mapId: string, id: string) => `${featuresPath(mapId)}/${encodeURIComponent(id)}`
const pageSize = 100

export function featureListQuery(mapId: string, filters: FeatureQuery) {
  return infiniteQueryOptions({
    queryKey: [...answerKey(mapId, 'features'), filters],
    ...inPages<FeaturePage>(featuresPath(mapId), { ...filters, limit: pageSize }),
    placeholderData: keepPreviousData,
  })
}

export const getFeatureCollection = (mapId: string, filters: FeatureQuery, signal: AbortSignal) =>
  getText(`${featuresPath(mapId)}.geojson`, filters, signal)

const summaryAnswers = ['features', 'labels', 'table'] as const

export function findSummary(client: QueryClient, mapId: string, id: string): FeatureSummary | undefined {
  for (const name of summaryAnswers) {
    const answers = client.getQueriesData<FeaturePage | InfiniteData<FeaturePage>>({
      queryKey: answerKey(mapId, name),
    })
    for (const [, data] of answers) {
      const pages = data && 'pages' in data ? data.pages : data ? [data] : []
      for (const { items } of pages) {
        const found = items.find((item) => item.id === id)
        if (found) return found
      }
    }
  }
  return undefined
}

export function featureDetailQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'feature'), id],
    queryFn: ({ signal }) => getFeature(mapId, id, signal),
  })
}

/** Bypasses the query cache, which cancels the request when the component unmounts. */
export const getFeature = (mapId: string, id: string, signal?: AbortSignal): Promise<FeatureDetail> =>
  getJson(featurePath(mapId, id), {}, signal)

/** Features at the same places as these, at any zoom, ordered by place. */
export function coLocatedQuery(
  mapId: string,
  places: readonly { id: string; kind: FeatureKind; shape: FeatureShape }[],
  filter: FilterQuery,
) {
  return infiniteQueryOptions({
    queryKey: [...answerKey(mapId, 'co-located'), places.map(({ id }) => id), filter],
    queryFn: async ({ pageParam: { index, after }, signal }) => {
      const { id: at, kind, shape } = places[index] as (typeof places)[number]
      const page = await getJson<FeaturePage>(
        featuresPath(mapId),
        { ...filter, at, kind, shape, limit: pageSize, after: after ?? undefined },
        signal,
      )
      return { ...page, at, index }
    },
    initialPageParam: { index: 0, after: null as string | null },
    getNextPageParam: ({ index, next }) => {
      if (next !== null) return { index, after: next }
      return index + 1 < places.length ? { index: index + 1, after: null } : undefined
    },
  })
}

export function namesQuery(mapId: string, whose: 'parcels' | 'lines', bbox: string | null) {
  const filters = { parcels: { kind: 'parcel' }, lines: { kind: 'asset', shape: 'line', type: 'road,water' } }
  return queryOptions({
    queryKey: [...answerKey(mapId, 'labels'), whose, bbox],
    queryFn: ({ signal }) =>
      getJson<FeaturePage>(
        featuresPath(mapId),
        { ...filters[whose], bbox: bbox ?? undefined, limit: 300 },
        signal,
      ),
    enabled: bbox !== null,
    placeholderData: keepPreviousData,
  })
}

export function featureHistoryQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'history'), id],
    queryFn: ({ signal }) => getJson<FeatureHistory>(`${featurePath(mapId, id)}/history`, {}, signal),
  })
}

export function lineageQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'history'), id, 'lineage'],
    queryFn: ({ signal }) => getJson<Lineage>(`${featurePath(mapId, id)}/lineage`, {}, signal),
  })
}

export function removedFeaturesQuery(mapId: string) {
  return infiniteQueryOptions({
    queryKey: answerKey(mapId, 'removed'),
    ...inPages<{ items: RemovedFeature[]; next: string | null }>(
      `/api/maps/${encodeURIComponent(mapId)}/removed-features`,
      { limit: pageSize },
    ),
  })
}

/** Features of the kind to choose from; those with the text in their name or other fields. */
export function choiceQuery(mapId: string, kind: FeatureKind, text: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'labels'), 'choice', kind, text],
    queryFn: ({ signal }) =>
      getJson<FeaturePage>(
        featuresPath(mapId),
        { kind, text: text === '' ? undefined : text, limit: 20 },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}

export function shapeCheckQuery(mapId: string, shape: ShapeToCheck) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'shape-check'), shape],
    queryFn: () =>
      sendJson<ShapeCheck>('POST', `/api/maps/${encodeURIComponent(mapId)}/shape-check`, { body: shape }),
    placeholderData: keepPreviousData,
  })
}

/** All digits of the shapes in a box: west,south,east,north. */
export function shapesInBoxQuery(mapId: string, kind: DefinedKind, bbox: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'shapes'), kind, bbox],
    queryFn: ({ signal }) =>
      getJson<ShapesInBox>(`/api/maps/${encodeURIComponent(mapId)}/shapes`, { kind, bbox }, signal),
    placeholderData: keepPreviousData,
  })
}

/** All or nothing. A repeated request with the same id applies once. */
export function changeFeatures(
  mapId: string,
  id: string,
  items: readonly FeatureOperation[],
  land?: LandChange,
): Promise<ChangeOutcome> {
  return sendJson('POST', `${featuresPath(mapId)}/changes`, { body: { id, items, land } })
}

export function addFeature(
  mapId: string,
  feature: { id: string } & Readonly<Record<string, unknown>>,
): Promise<FeatureDetail> {
  return sendJson('POST', featuresPath(mapId), { body: feature })
}

/** The version that a change replaces: 412 if there is a newer one. */
export type Seen = { id: string; version: number }

export function changeStatus(mapId: string, feature: Seen, status: FeatureStatus): Promise<FeatureDetail> {
  const address = `${featurePath(mapId, feature.id)}/status`
  return sendJson('PUT', address, { body: { status }, ifMatch: feature.version })
}

/** `change` is a merge patch (RFC 7396). */
export function changeFeature(
  mapId: string,
  { id, version }: Seen,
  change: Readonly<Record<string, unknown>>,
): Promise<FeatureDetail> {
  return sendJson('PATCH', featurePath(mapId, id), { body: change, ifMatch: version })
}

/** The new version of each feature; null if it is removed. */
export type ChangeOutcome = { changeId: string; items: { id: string; version: number | null }[] }

export function removeFeature(mapId: string, { id, version }: Seen): Promise<ChangeOutcome> {
  return sendJson('DELETE', featurePath(mapId, id), { ifMatch: version })
}

/** Undoes a change, except of features that were changed since. */
export function undoChange(mapId: string, changeId: string): Promise<ChangeOutcome & { kept: string[] }> {
  const address = `/api/maps/${encodeURIComponent(mapId)}/changes/${encodeURIComponent(changeId)}/undo`
  return sendJson('POST', address, { body: { id: newKey() } })
}

export type HistoryPoint = { changeId: string; isBefore: boolean }

export function restoreFeature(
  mapId: string,
  { id, version }: Seen,
  point: HistoryPoint,
): Promise<FeatureDetail> {
  return sendJson('POST', `${featurePath(mapId, id)}/restore`, { body: point, ifMatch: version })
}

export function restoreRemovedFeature(mapId: string, id: string): Promise<FeatureDetail> {
  const address = `/api/maps/${encodeURIComponent(mapId)}/removed-features/${encodeURIComponent(id)}/put-back`
  return sendJson('POST', address, { body: {} })
}

export type TableQuery = FilterQuery & {
  kind?: FeatureKind | undefined
  text?: string | undefined
  sort: FeatureSort
}

export function filterCountsQuery(mapId: string, text: string | undefined) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'filter-counts'), text],
    queryFn: ({ signal }) =>
      getJson<FilterCounts>(`/api/maps/${encodeURIComponent(mapId)}/filter-counts`, { text }, signal),
  })
}

export function findFeaturesWithin(
  mapId: string,
  ring: readonly (readonly [lng: number, lat: number])[],
  filter: Omit<TableQuery, 'sort'>,
): Promise<FeaturesWithin> {
  const address = `/api/maps/${encodeURIComponent(mapId)}/features-within`
  return sendJson('POST', address, { body: { ring, filter } })
}

export const tablePageSize = 100

/** `fields` are paths of additional columns. */
export function featureTableQuery(mapId: string, filters: TableQuery, page: number, fields?: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'table'), filters, page, ...(fields === undefined ? [] : [fields])],
    queryFn: ({ signal }) =>
      getJson<FeaturePage>(
        featuresPath(mapId),
        { ...filters, fields, offset: page * tablePageSize, limit: tablePageSize },
        signal,
      ),
  })
}

/** Counted from 0; null if the filters exclude it. */
export function featurePositionQuery(mapId: string, id: string, filters: FeatureQuery | TableQuery) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'position'), id, filters],
    queryFn: ({ signal }) =>
      getJson<{ position: number | null }>(`${featurePath(mapId, id)}/position`, { ...filters }, signal),
  })
}
