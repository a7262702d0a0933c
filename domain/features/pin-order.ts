import type { FeatureStatus } from '#domain/definition/kinds.ts'
import { severities } from '#domain/incidents/incident-types.ts'
import { dayOfInstant } from './filters.ts'

/** What is known of a feature where pins would cover each other. */
type Pinned = { status: string | null; severity: string | null }

// What needs somebody comes before what does not.
const statuses = [
  'unresolved',
  'offline',
  'maintenance',
  'operational',
  'resolved',
] as const satisfies readonly FeatureStatus[]
const mostDays = 99_999

/**
 * Whose pin stays where pins would cover each other: that of the smaller number. What is unresolved comes first, then
 * by severity, then the newest; assets that are out of order come before others. `date` in milliseconds since 1970.
 */
export function pinOrderOf({ status, severity }: Pinned, date: number | null): number {
  const statusRank = placeIn(statuses, status)
  const severityRank = placeIn(severities, severity)
  const day = date === null ? 0 : Math.min(mostDays, Math.max(0, dayOfInstant(date)))
  return (statusRank * (severities.length + 1) + severityRank) * (mostDays + 1) + mostDays - day
}

/** Behind all others where nobody knows it. */
function placeIn(order: readonly string[], value: string | null): number {
  const place = value === null ? -1 : order.indexOf(value)
  return place < 0 ? order.length : place
}
