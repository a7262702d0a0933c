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
import { dueLabels } from '../maintenance/due.ts'
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

/** The first UTC day (YYYY-MM-DD); undefined for 'all'. */
export function sinceOfTimeRange(range: TimeRange, now: Date): string | undefined {
  const days = timeRangeDays[range]
  return days === null ? undefined : new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
}

/** Epoch milliseconds. */
export function startOfUtcDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
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

export type Filter = {
  label: string
  all: string
  allInTable?: string
  choices: Readonly<Record<string, string>>
  only?: 'maps' | 'table'
  choicesOf?(kind: FeatureKind | undefined): Readonly<Record<string, string>>
}

const { all: allTime, ...timeChoices } = timeRangeLabels

/** In the order of their controls. Address and API parameters are derived from it. */
export const featureFilters = {
  incidents: { label: 'Incident type', all: 'All incidents', choices: incidentTypeLabels, only: 'maps' },
  assets: { label: 'Asset type', all: 'All assets', choices: assetTypeLabels, only: 'maps' },
  time: { label: 'Time range', all: allTime, choices: timeChoices, only: 'maps' },
  type: {
    label: 'Type',
    all: 'All types',
    choices: { ...incidentTypeLabels, ...assetTypeLabels },
    only: 'table',
    choicesOf: (kind) => (kind ? kindTraits[kind].types : {}),
  },
  severity: {
    label: 'Severity',
    all: 'Any severity',
    choices: severityLabels,
    only: 'table',
    choicesOf: (kind) => (kind && kindTraits[kind].hasSeverity ? severityLabels : {}),
  },
  status: {
    label: 'Status',
    all: 'All statuses',
    allInTable: 'Any status',
    choices: statusLabels,
    choicesOf(kind) {
      const statuses: readonly string[] = kind ? kindTraits[kind].statuses : featureStatuses
      return Object.fromEntries(Object.entries(statusLabels).filter(([status]) => statuses.includes(status)))
    },
  },
  due: {
    label: 'Maintenance',
    all: 'Any maintenance',
    choices: dueLabels,
    only: 'table',
    choicesOf: (kind) => (kind && kindTraits[kind].isMaintained ? dueLabels : {}),
  },
} as const satisfies Record<string, Filter>

type FilterName = keyof typeof featureFilters
type NamesWithout<Place> = {
  [Name in FilterName]: (typeof featureFilters)[Name] extends { only: Place } ? never : Name
}[FilterName]
type MapFilterName = NamesWithout<'table'>
type TableFilterName = NamesWithout<'maps'>

const filterNames = Object.keys(featureFilters) as FilterName[]
const isOnlyFor = (name: FilterName, place: 'maps' | 'table') => {
  const { only }: Filter = featureFilters[name]
  return only === place
}
const isOnMaps = (name: FilterName): name is MapFilterName => !isOnlyFor(name, 'table')
const isInTable = (name: FilterName): name is TableFilterName => !isOnlyFor(name, 'maps')
export const mapFilterNames = filterNames.filter(isOnMaps)
export const tableFilterNames = filterNames.filter(isInTable)

type Chosen<Name extends FilterName> = {
  [One in Name]?: keyof (typeof featureFilters)[One]['choices'] | undefined
}
export type MapFilters = Chosen<MapFilterName>
export type TableFilters = Chosen<TableFilterName>

export const readMapFilters = (search: Readonly<Record<string, unknown>>): MapFilters =>
  recordOf(mapFilterNames, (name) => chosenIn(name, search))
export const readTableFilters = (search: Readonly<Record<string, unknown>>): TableFilters =>
  recordOf(tableFilterNames, (name) => chosenIn(name, search))

function chosenIn<Name extends FilterName>(name: Name, search: Readonly<Record<string, unknown>>) {
  const choices = Object.keys(featureFilters[name].choices)
  // The compiler does not relate a name in the union to the choices of its filter.
  return choices.find((choice) => choice === search[name]) as never
}

export const chosenTypes = ({ incidents, assets }: MapFilters): FeatureType[] =>
  [incidents, assets].filter((type) => type !== undefined)

/** `since` is a UTC day, so that the query stays cacheable all day. */
export type FilterQuery = { type?: string | undefined; since?: string | undefined } & {
  [Column in FilterColumn]?: string | undefined
}

export function queryOfFilters(
  { incidents, assets, time, ...columnValues }: MapFilters,
  now: Date,
): FilterQuery {
  return {
    type: chosenTypes({ incidents, assets }).join(',') || undefined,
    since: sinceOfTimeRange(time ?? 'all', now),
    ...columnValues,
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
