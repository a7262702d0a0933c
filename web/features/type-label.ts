import { assetTypeLabels } from '#domain/assets/asset-types.ts'
import { type FeatureKind, kindLabels } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'

const labels: Record<FeatureType, string> = { ...assetTypeLabels, ...incidentTypeLabels }

/** 'Fallen tree'; the kind's name where the type is unknown. */
export function typeLabel(kind: FeatureKind, type: FeatureType | null): string {
  return type === null ? kindLabels[kind].one : labels[type]
}
