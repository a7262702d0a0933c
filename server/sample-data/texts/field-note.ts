import type { FeatureKind } from '#domain/features/kinds.ts'

/** What somebody in the field wrote about one of the viewer's features. */
export type FieldNote = { featureType: FeatureKind; name: string; description: string; notes: string }
