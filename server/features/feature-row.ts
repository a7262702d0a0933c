import { definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { layerOfFeature } from '#domain/features/layer-of-feature.ts'
import type { FeatureColumns, SaidColumns } from '../database/tables.ts'
import { deriveColumns, kindOfRow } from './derive-columns.ts'
import { readFields, storeFields } from './stored-fields.ts'

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
    ...layerOfFeature(feature),
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

/** The other way round: all that a row says, personal data too. */
export function toNewFeature(row: SaidColumns & { map_id: string }): NewFeature {
  const kind = kindOfRow(row)
  const base = {
    id: row.id,
    mapId: row.map_id,
    kind,
    geometry: JSON.parse(row.geometry),
    metadata: JSON.parse(row.metadata),
  }
  return { ...base, ...readFields(definitions[kind].fields, row, true) } as NewFeature
}
