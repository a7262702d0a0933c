import type { FeatureDetail, FeatureSummary } from './feature.schema.ts'
import { layerOfFeature } from './layer-of-feature.ts'

/** What a list or a tile tells of a feature before its details are there. The kind is that of its layer. */
export type KnownFeature = Pick<FeatureSummary, 'id' | 'kind' | 'shape' | 'type' | 'status' | 'severity'> &
  Partial<Pick<FeatureSummary, 'name' | 'description' | 'location'>>

/** The same of its details. */
export function knownOf(detail: FeatureDetail): KnownFeature {
  const { id, shape, description, location } = detail
  return {
    id,
    shape,
    description,
    location,
    ...layerOfFeature(detail),
    name: detail.kind === 'incident' ? detail.title : detail.name,
    status: statusOf(detail),
    severity: detail.kind === 'incident' ? detail.severity : null,
  }
}

function statusOf(detail: FeatureDetail): KnownFeature['status'] {
  if (detail.kind === 'parcel') return null
  // A newer server may know kinds that have none.
  if (detail.kind !== 'incident') return detail.status ?? null
  return detail.resolved ? 'resolved' : 'unresolved'
}
