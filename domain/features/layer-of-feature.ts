import type { FeatureKind } from '#domain/definition/kinds.ts'
import { layerOfGeneralFeature } from '#domain/general-features/general-feature.definition.ts'
import type { FeatureType } from './filters.ts'

export function layerOfFeature(
  feature:
    | { kind: FeatureKind; type?: FeatureType | null | undefined }
    | ({ kind: 'feature' } & Parameters<typeof layerOfGeneralFeature>[0]),
): { kind: FeatureKind; type: FeatureType | null } {
  if (feature.kind === 'feature') return layerOfGeneralFeature(feature)
  return { kind: feature.kind, type: feature.type ?? null }
}
