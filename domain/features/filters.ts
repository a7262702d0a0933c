import { type AssetType, assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import {
  type IncidentType,
  incidentTypeLabels,
  incidentTypes,
  severities,
  severityLabels,
} from '#domain/incidents/incident-types.ts'
import {
  type FeatureKind,
  featureKinds,
  featureStatuses,
  recordOf,
  statusLabels,
} from '../definition/kinds.ts'
import { type DueWord, dayAfter, dueLabels } from '../maintenance/due.ts'
import { localDay, startOfDay } from '../values/time-zones.ts'
import { kindTraits } from './kind-traits.ts'

/** Section 9, 'Filters'. Days; null is no limit. */
export const timeRangeDays = { all: null, week: 7, month: 30, year: 365 } as const
export type TimeRange = keyof typeof timeRangeDays
export const timeRanges = Object.keys(timeRangeDays) as TimeRange[]

export const timeRangeLabels: Record<TimeRange, string> = {
  all: 'All time',
  week: 'Last week',
  month: 'Last month',
  year: 'Last year',
}

const dayMs = 86_400_000

/** The instant at which the first day begins; undefined for 'all'. Equal all day, so that answers stay cacheable. */
export function sinceOfTimeRange(range: TimeRange, now: number, timeZone: string): string | undefined {
  const days = timeRangeDays[range]
  if (days === null) return undefined
  const firstDay = dayAfter(localDay(now, timeZone), -days)
  return new Date(startOfDay(firstDay, timeZone)).toISOString()
}

/** Day of a feature without a date: after all real days, so that it matches every `since`. */
export const undatedDay = 2_147_483_647

/** UTC days since 1970. */
export function dayOfInstant(instantMs: number | null): number {
  return instantMs === null ? undatedDay : Math.floor(instantMs / dayMs)
}

/** Types filter only their own kind. Null is unfiltered. */
export function typesByKind(types: readonly string[]): Record<FeatureKind, string[] | null> {
  const of = (kindTypes: readonly string[]) => {
    const named = types.filter((type) => kindTypes.includes(type))
    return named.length > 0 ? named : null
  }
  return recordOf(featureKinds, (kind) => of(Object.keys(kindTraits[kind].types)))
}

/** Columns of the tile indexes. An incident without a severity counts as 'unknown'. */
export const columnFilters = {
  status: featureStatuses,
  severity: [...severities, 'unknown'],
} as const
export type FilterColumn = keyof typeof columnFilters
export type SeverityWord = (typeof columnFilters.severity)[number]
const filterColumns = Object.keys(columnFilters) as FilterColumn[]

export type ColumnWords = { [Column in FilterColumn]?: readonly string[] | undefined }

type Filter = {
  label: string
  all: string
  choices: Readonly<Record<string, string>>
  appliesTo(kind: FeatureKind): boolean
  isForStaff?: true
}

const { all: allTime, ...timeChoices } = timeRangeLabels

/** In the order of their controls. Addresses and API parameters are derived from it. */
export const featureFilters = {
  incidents: {
    label: 'Incident type',
    all: 'All incidents',
    choices: incidentTypeLabels,
    appliesTo: (kind) => kind === 'incident',
  },
  assets: {
    label: 'Asset type',
    all: 'All assets',
    choices: assetTypeLabels,
    appliesTo: (kind) => kind === 'asset',
  },
  time: {
    label: 'Time range',
    all: allTime,
    choices: timeChoices,
    appliesTo: (kind) => kindTraits[kind].isDated,
  },
  severity: {
    label: 'Severity',
    all: 'Any severity',
    choices: severityLabels,
    appliesTo: (kind) => kindTraits[kind].hasSeverity,
  },
  status: {
    label: 'Status',
    all: 'All statuses',
    choices: statusLabels,
    appliesTo: (kind) => kindTraits[kind].statuses.length > 0,
  },
  due: {
    label: 'Maintenance',
    all: 'Any',
    choices: dueLabels,
    appliesTo: (kind) => kindTraits[kind].isMaintained,
    isForStaff: true,
  },
} as const satisfies Record<string, Filter>

export type FilterName = keyof typeof featureFilters
const filterNames = Object.keys(featureFilters) as FilterName[]

export type Filters = {
  [Name in FilterName]?: keyof (typeof featureFilters)[Name]['choices'] | undefined
}

/** Ignores unknown values, and filters for staff if the reader is not. */
export const readFilters = (search: Readonly<Record<string, unknown>>, isStaff: boolean): Filters =>
  recordOf(filterNames, (name) => {
    const { choices, isForStaff }: Filter = featureFilters[name]
    const chosen = Object.keys(choices).find((choice) => choice === search[name])
    // The compiler does not relate a name in the union to the choices of its filter.
    return (isForStaff && !isStaff ? undefined : chosen) as never
  })

export const noFilters = readFilters({}, false)

/** The filters that make sense for a kind, or for all kinds, with the choices that can match. */
export function offeredFilters(kind: FeatureKind | undefined, isStaff: boolean) {
  const statuses: readonly string[] | undefined = kind && kindTraits[kind].statuses
  return filterNames.flatMap((name) => {
    const { label, all, choices, appliesTo, isForStaff }: Filter = featureFilters[name]
    if ((isForStaff && !isStaff) || (kind && !appliesTo(kind))) return []
    const offered = Object.entries(choices).filter(
      ([choice]) => name !== 'status' || !statuses || statuses.includes(choice),
    )
    return [{ name, label, all, choices: Object.fromEntries(offered) }]
  })
}

export const chosenTypes = ({ incidents, assets }: Filters): FeatureType[] =>
  [incidents, assets].filter((type) => type !== undefined)

/** What tiles can be filtered by. `since` is an instant. */
export type TileQuery = { type?: string | undefined; since?: string | undefined } & {
  [Column in FilterColumn]?: string | undefined
}
export type FilterQuery = TileQuery & { due?: DueWord | undefined }

export function queryOfFilters(
  { incidents, assets, time, ...others }: Filters,
  timeZone: string,
): FilterQuery {
  return {
    type: chosenTypes({ incidents, assets }).join(',') || undefined,
    since: sinceOfTimeRange(time ?? 'all', Date.now(), timeZone),
    ...others,
  }
}

export function columnWordsOf(filter: ColumnWords): ColumnWords {
  const named = filterColumns.flatMap((column) => {
    const words = filter[column] ?? []
    return words.length > 0 ? [[column, [...new Set(words)].sort()]] : []
  })
  return Object.fromEntries(named)
}

export type FeatureType = IncidentType | AssetType
export const featureTypes = [...incidentTypes, ...assetTypes] as const
