import type { FeatureStatus } from '#domain/definition/kinds.ts'
import { severities } from '#domain/incidents/incident-types.ts'
import { dayOfInstant } from './filters.ts'

type Pinned = { status: string | null; severity: string | null }

const statuses = [
  'unresolved',
  'offline',
  'maintenance',
  'operational',
  'resolved',
] as const satisfies readonly FeatureStatus[]
const maxDays = 99_999

/** Smaller numbers keep their place when pins overlap. `date` in epoch milliseconds. */
export function pinOrderOf({ status, severity }: Pinned, date: number | null): number {
  const statusRank = placeIn(statuses, status)
  const severityRank = placeIn(severities, severity)
  const day = date === null ? 0 : Math.min(maxDays, Math.max(0, dayOfInstant(date)))
  return (statusRank * (severities.length + 1) + severityRank) * (maxDays + 1) + maxDays - day
}

function placeIn(order: readonly string[], value: string | null): number {
  const place = value === null ? -1 : order.indexOf(value)
  return place < 0 ? order.length : place
}
