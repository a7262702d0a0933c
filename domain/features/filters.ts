import { type AssetType, assetTypes } from '#domain/assets/asset-types.ts'
import { type IncidentType, incidentTypes } from '#domain/incidents/incident-types.ts'
import type { FeatureKind } from './kinds.ts'

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

/** The day of what has no date: behind every other one, so that it matches from whatever day on. */
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

export type FeatureType = IncidentType | AssetType
export const featureTypes = [...incidentTypes, ...assetTypes] as const
