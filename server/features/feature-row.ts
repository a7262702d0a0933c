import type { FeatureKind } from '#domain/definition/kinds.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { layerOfFeatureType } from '#domain/general-features/general-feature.definition.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { deriveColumns } from './derive-columns.ts'
import { storeFields } from './stored-fields.ts'

/** The one place where a feature becomes a row. */
export function toFeatureRow(
  feature: NewFeature,
  { now, importId = null }: { now: number; importId?: string | null },
): FeatureColumns {
  const { id, mapId, geometry, metadata } = feature
  const said = {
    id,
    is_general: feature.kind === 'feature' ? 1 : 0,
    ...storeFields(definitions[feature.kind].fields, feature),
    ...layerOf(feature),
    metadata: JSON.stringify(metadata),
    geometry: JSON.stringify(geometry),
  }
  return {
    map_id: mapId,
    ...said,
    ...deriveColumns(said, geometry),
    import_id: importId,
    version: 1,
    created_at: now,
    updated_at: now,
  }
}

/** The layer of the map that a feature is on: its kind's own, or the one that a general feature says. */
function layerOf(feature: NewFeature): { kind: FeatureKind; type?: string | null } {
  return feature.kind === 'feature' ? layerOfFeatureType(feature.featureType) : { kind: feature.kind }
}
