import { featureName } from './definitions.ts'
import type { FeatureDetail, FeatureSummary } from './feature.schema.ts'
import { layerOfFeature } from './layer-of-feature.ts'

export type FeaturePreview = Pick<FeatureSummary, 'id' | 'kind' | 'shape' | 'type' | 'status' | 'severity'> &
  Partial<Pick<FeatureSummary, 'name' | 'description' | 'location'>>

export function previewOf(detail: FeatureDetail): FeaturePreview {
  const { id, shape, description, location } = detail
  return {
    id,
    shape,
    description,
    location,
    ...layerOfFeature(detail),
    name: featureName(detail),
    status: statusOf(detail),
    severity: 'severity' in detail ? detail.severity : null,
  }
}

function statusOf(detail: FeatureDetail): FeaturePreview['status'] {
  if ('resolved' in detail) return detail.resolved ? 'resolved' : 'unresolved'
  return 'status' in detail ? detail.status : null
}
