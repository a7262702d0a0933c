import { type FeatureStatus, incidentStatuses, operationalStatuses } from '#domain/definition/kinds.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { RefusedError } from '../domain-error.ts'
import type { FeatureEdit } from './change-feature.commands.ts'
import { kindOfRow } from './derive-columns.ts'

/**
 * Section 4 of the specification. Null where the feature has this status already; throws where its kind does not have
 * it.
 */
export function changeStatus(row: FeatureColumns, status: FeatureStatus, now: number): FeatureEdit | null {
  const kind = kindOfRow(row)
  const known = knownStatuses(kind)
  if (!known.includes(status))
    throw new RefusedError(
      'status',
      known.length > 0 ? `of this feature must be one of ${known.join(', ')}` : 'does not apply to parcels',
    )
  if (row.status === status) return null
  const details = { name: row.name, before: row.status, after: status }
  if (kind !== 'incident') return { columns: { status }, action: 'asset.status-changed', details }
  const isResolved = status === 'resolved'
  const resolvedDate = isResolved ? new Date(now).toISOString() : null
  return {
    columns: { status, fields: JSON.stringify({ ...JSON.parse(row.fields), resolvedDate }) },
    action: isResolved ? 'incident.resolved' : 'incident.reopened',
    details,
  }
}

/** The states that a feature can be set to; a parcel has none. */
function knownStatuses(kind: FeatureDetail['kind']): readonly FeatureStatus[] {
  switch (kind) {
    case 'incident':
      return incidentStatuses
    case 'asset':
    case 'feature':
      return operationalStatuses
    case 'parcel':
      return []
  }
}
