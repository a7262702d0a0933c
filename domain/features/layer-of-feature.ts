import type { FeatureKind } from '#domain/definition/kinds.ts'
import {
  type GeneralFeatureType,
  layerOfFeatureType,
} from '#domain/general-features/general-feature.definition.ts'
import type { FeatureType } from './filters.ts'

type Layer = { kind: FeatureKind; type: FeatureType | null }

/** The layer of the map that a feature is on: its kind's own, or the one that a general feature says. */
export function layerOfFeature(
  feature:
    | { kind: 'incident' | 'asset'; type?: FeatureType | null | undefined }
    | { kind: 'parcel' }
    | { kind: 'feature'; featureType: GeneralFeatureType },
): Layer {
  switch (feature.kind) {
    case 'feature':
      return layerOfFeatureType(feature.featureType)
    case 'parcel':
      return { kind: 'parcel', type: null }
    default:
      return { kind: feature.kind, type: feature.type ?? null }
  }
}
