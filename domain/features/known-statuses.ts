import { type FeatureStatus, incidentStatuses, operationalStatuses } from '../definition/kinds.ts'
import type { FeatureDetail } from './feature.schema.ts'

/** The states that a feature can be set to; a parcel has none. */
export function knownStatuses(kind: FeatureDetail['kind']): readonly FeatureStatus[] {
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
