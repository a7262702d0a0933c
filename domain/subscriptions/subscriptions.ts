import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { type IncidentType, incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { formatNumber } from '#domain/values/wording.ts'

// No schema library: the page needs it.

export const frequencyLabels = {
  immediately: 'Immediately',
  daily: 'Once a day',
  weekly: 'Once a week',
} as const
export type Frequency = keyof typeof frequencyLabels
export const frequencies = Object.keys(frequencyLabels) as [Frequency, ...Frequency[]]

export const newsLabels = {
  all: 'New incidents and progress',
  new: 'New incidents only',
  updates: 'Progress only',
} as const
export type News = keyof typeof newsLabels
export const newsChoices = Object.keys(newsLabels) as [News, ...News[]]

export const topics = ['incident', 'parcel', 'area', 'map'] as const
export type Topic = (typeof topics)[number]

export const radiiMeters = [100, 300, 500, 1_000, 2_000] as const
export const maxRadiusMeters = 10_000
export const maxAreaPositions = 200

/** No types: all of them, and incidents without a type. */
export const typesInWords = (types: readonly IncidentType[]) =>
  types.length === 0 ? 'All types' : types.map((type) => incidentTypeLabels[type]).join(', ')

type Followed = {
  topic: Topic
  /** The incident’s title or the parcel’s name; null if it is no longer on the map. */
  name: string | null
  radiusMeters: number | null
  /** GeoJSON, of an area. */
  area: unknown
}

export function topicInWords({ topic, name, radiusMeters, area }: Followed): string {
  if (topic === 'map') return 'The whole map'
  if (topic === 'area') return `An area of ${formatNumber(measureAcres(area as Geometry) ?? 0, 1)} acres`
  if (topic === 'incident') return name === null ? 'An incident that is no longer on the map' : `‘${name}’`
  return name === null ? 'A parcel that is no longer on the map' : `Within ${radiusMeters ?? 0} m of ${name}`
}

export const maxNoticeCharacters = 5_000

/** Strangers can enter any address: it gets at most so many emails that ask to confirm, and as many about new reports. */
export const maxRequestsPerDay = 5
