import { type FeatureKind, kindLabels } from '#domain/definition/kinds.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'

export function typeLabel(kind: FeatureKind, type: FeatureType | null): string {
  return (type !== null && kindTraits[kind].types[type]) || kindLabels[kind].one
}
