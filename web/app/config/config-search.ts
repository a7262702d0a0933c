import { type ClientSort, clientSorts } from '#domain/clients/client-sort.ts'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { type FeatureSort, featureSorts } from '#domain/features/feature-sort.ts'
import { type Filters, readFilters, typesByKind } from '#domain/features/filters.ts'
import { trialOutcomes } from '#domain/imports/trial-outcome.ts'
import type { WorkView } from '#domain/work/work-views.ts'
import type { ClientState } from '#web/api/clients.api.ts'
import type { RowsShown } from '#web/api/imports.api.ts'
import { filledText, oneOf, uuid } from '../read-search.ts'

/** Defaults are omitted. */
export type ConfigMapSearch = Filters & {
  select?: string | undefined
  add?: string | undefined
  kind?: FeatureKind | undefined
  text?: string | undefined
  sort?: FeatureSort | undefined
  import?: string | undefined
  rows?: RowsShown | undefined
  webhook?: string | undefined
  versions?: 'open' | undefined
  asOf?: string | undefined
  report?: string | undefined
  view?: WorkView | undefined
}

export function readConfigMapSearch(search: Record<string, unknown>): ConfigMapSearch {
  return {
    select: filledText(search.select, 120),
    add: filledText(search.add, 120),
    kind: oneOf(search.kind, featureKinds),
    ...readFilters({ ...filtersOfType(search.type), ...search }, true),
    text: filledText(search.text, 200),
    sort: oneOf(search.sort, featureSorts),
    import: uuid(search.import),
    rows: oneOf(search.rows, [...trialOutcomes, 'repaired'] as const),
    webhook: filledText(search.webhook, 80),
    report: filledText(search.report, 80),
    view: oneOf(search.view, ['mine', 'unassigned', 'overdue'] as const),
    versions: oneOf(search.versions, ['open'] as const),
    asOf:
      typeof search.asOf === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(search.asOf)
        ? search.asOf
        : undefined,
  }
}

/** Addresses of earlier versions have one filter for the types of all kinds. */
function filtersOfType(type: unknown) {
  const { incident, asset } = typesByKind([String(type)])
  return { incidents: incident?.[0], assets: asset?.[0] }
}

export type ClientSearch = {
  text?: string | undefined
  state?: Exclude<ClientState, 'open'> | undefined
  sort?: ClientSort | undefined
}

export const readClientSearch = ({ text, state, sort }: Record<string, unknown>): ClientSearch => ({
  text: filledText(text, 200),
  state: state === 'archived' ? state : undefined,
  sort: clientSorts.find((candidate) => candidate === sort && candidate !== 'name'),
})
