import { assetTypes } from '#domain/assets/asset-types.ts'
import {
  type FeatureKind,
  type FeatureStatus,
  featureKinds,
  featureStatuses,
} from '#domain/definition/kinds.ts'
import { type FeatureSort, featureSorts } from '#domain/features/feature-sort.ts'
import { columnFilters, type FeatureType, type SeverityWord } from '#domain/features/filters.ts'
import { trialOutcomes } from '#domain/imports/import-trial.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { type DueWord, dueWords } from '#domain/maintenance/due.ts'
import type { RowsShown } from '#web/api/imports.api.ts'

/** What the address of a map's sections says; what is as it is by default is left out. */
export type ConfigMapSearch = {
  select?: string | undefined
  /** The id of a record that is being added. */
  add?: string | undefined
  kind?: FeatureKind | undefined
  type?: FeatureType | undefined
  status?: FeatureStatus | undefined
  severity?: SeverityWord | undefined
  /** Of assets: when their maintenance is due. */
  due?: DueWord | undefined
  text?: string | undefined
  sort?: FeatureSort | undefined
  /** The import that is open. */
  import?: string | undefined
  /** Which rows of its trial. */
  rows?: RowsShown | undefined
  /** The webhook that is open. */
  webhook?: string | undefined
  /** The list of versions of the settings is open. */
  versions?: 'open' | undefined
}

export function readConfigMapSearch(search: Record<string, unknown>): ConfigMapSearch {
  const known = <Value extends string>(value: unknown, values: readonly Value[]) =>
    values.find((candidate) => candidate === value)
  const filled = (value: unknown, most: number) =>
    typeof value === 'string' && value.trim() !== '' ? value.slice(0, most) : undefined
  return {
    select: filled(search.select, 120),
    add: filled(search.add, 120),
    kind: known(search.kind, featureKinds),
    type: known(search.type, [...incidentTypes, ...assetTypes]),
    status: known(search.status, featureStatuses),
    severity: known(search.severity, columnFilters.severity),
    due: known(search.due, dueWords),
    text: filled(search.text, 200),
    sort: known(search.sort, featureSorts),
    import: filled(search.import, 80),
    rows: known(search.rows, [...trialOutcomes, 'repaired'] as const),
    webhook: filled(search.webhook, 80),
    versions: known(search.versions, ['open'] as const),
  }
}
