import { type AssetType, assetTypeLabels, assetTypes } from '#domain/assets/asset-types.ts'
import {
  type IncidentType,
  incidentTypeLabels,
  incidentTypes,
  severities,
} from '#domain/incidents/incident-types.ts'
import { type FeatureKind, featureStatuses, statusLabels } from '../definition/kinds.ts'

/** Section 9, 'Filters': days that each time range reaches back; null is no limit. */
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

/** The first UTC day (YYYY-MM-DD) that a time range includes, or undefined for 'all'. */
export function sinceOfTimeRange(range: TimeRange, now: Date): string | undefined {
  const days = timeRangeDays[range]
  return days === null ? undefined : new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
}

/** Midnight UTC of a day written YYYY-MM-DD, in epoch milliseconds. */
export function startOfUtcDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** The day of a feature without a date: after every real day, so that it matches every `since`. */
export const undatedDay = 2_147_483_647

/** UTC days since 1970. */
export function dayOfInstant(instantMs: number | null): number {
  return instantMs === null ? undatedDay : Math.floor(instantMs / dayMs)
}

/**
 * Types constrain only the kind they belong to: 'fire' says nothing about assets. A kind of which no type
 * is named is unconstrained (null). No asset type shares its name with an incident type.
 */
export function typesByKind(types: readonly string[]): Record<FeatureKind, string[] | null> {
  const of = (known: readonly string[]) => {
    const named = types.filter((type) => known.includes(type))
    return named.length > 0 ? named : null
  }
  return { incident: of(incidentTypes), asset: of(assetTypes), parcel: null }
}

/**
 * The words of each column that lists, counts and the map may be filtered by: columns that the tiles' indexes hold. An
 * incident whose severity nobody knows has the severity 'unknown'.
 */
export const columnFilters = {
  status: featureStatuses,
  severity: [...severities, 'unknown'],
} as const
export type FilterColumn = keyof typeof columnFilters
export type SeverityWord = (typeof columnFilters.severity)[number]
const filterColumns = Object.keys(columnFilters) as FilterColumn[]

/** The words of some columns that a filter asks for; a column of which it names none is unconstrained. */
export type ColumnWords = { [Column in FilterColumn]?: readonly string[] | undefined }

/** One filter of the maps: its control, and what the address may say. */
type MapFilter = {
  label: string
  /** The value that leaves nothing out. The address does not contain it. */
  all: string
  choices: Readonly<Record<string, string>>
}

const { all: allTime, ...timeChoices } = timeRangeLabels

/**
 * The filters of the maps, in the order of their controls. They act on list, counts and map: control, address, what the
 * page asks and what the interface accepts follow from here.
 */
export const mapFilters = {
  incidents: { label: 'Incident type', all: 'All incidents', choices: incidentTypeLabels },
  assets: { label: 'Asset type', all: 'All assets', choices: assetTypeLabels },
  time: { label: 'Time range', all: allTime, choices: timeChoices },
  status: { label: 'Status', all: 'All statuses', choices: statusLabels },
} as const satisfies Record<string, MapFilter>

type MapFilterName = keyof typeof mapFilters
export const mapFilterNames = Object.keys(mapFilters) as MapFilterName[]

/** What somebody chose; undefined is 'all'. */
export type MapFilters = {
  [Name in MapFilterName]?: keyof (typeof mapFilters)[Name]['choices'] | undefined
}

/** The filters in an address. Values that are not understood are ignored. */
export function readMapFilters(said: Readonly<Record<string, unknown>>): MapFilters {
  const known = mapFilterNames.map((name) => {
    const choices = Object.keys(mapFilters[name].choices)
    return [name, choices.find((choice) => choice === said[name])]
  })
  return Object.fromEntries(known)
}

/** The same as parameters of the interface. `since` is a UTC day, so that the same question stays the same all day. */
export type FilterQuestion = { type?: string | undefined; since?: string | undefined } & {
  [Column in FilterColumn]?: string | undefined
}

export function questionOfFilters(
  { incidents, assets, time, ...ofColumns }: MapFilters,
  now: Date,
): FilterQuestion {
  const types = [incidents, assets].filter((type) => type !== undefined)
  return { type: types.join(',') || undefined, since: sinceOfTimeRange(time ?? 'all', now), ...ofColumns }
}

/** The part of a filter that concerns these columns: in a fixed order, each word of a column once. */
export function columnWordsOf(filter: ColumnWords): ColumnWords {
  const named = filterColumns.flatMap((column) => {
    const words = filter[column] ?? []
    return words.length > 0 ? [[column, [...new Set(words)].sort()]] : []
  })
  return Object.fromEntries(named)
}

export type FeatureType = IncidentType | AssetType
export const featureTypes = [...incidentTypes, ...assetTypes] as const
