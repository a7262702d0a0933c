import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import { definitions, hasField } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { layerOfFeature } from '#domain/features/layer-of-feature.ts'
import {
  type EntryValues,
  entryOf,
  followEntries,
  listedEntries,
  type MaintenanceFields,
} from '#domain/maintenance/follow-entries.ts'
import type { DataColumns, FeatureColumns } from '../../database/tables.ts'
import type { FeatureState } from '../changes/changed-fields.ts'
import { deriveColumns, kindOfRow } from './derive-columns.ts'
import { readFields, type StoredFields, storeFields } from './stored-fields.ts'

/** Creates the row of a feature. Fields that follow from its maintenance are derived here. */
export function toFeatureRow(
  feature: FeatureState,
  {
    now,
    importId = null,
    customFields = noCustomFields,
  }: { now: number; importId?: string | null; customFields?: CustomFields },
): FeatureColumns {
  const { id, mapId, geometry, metadata } = feature
  const columns = {
    id,
    is_general: feature.kind === 'feature' ? 1 : 0,
    ...storeMaintained(feature, { createdAt: now, createdBy: null, importId }),
    ...layerOfFeature(feature),
    metadata: JSON.stringify(metadata),
    geometry: JSON.stringify(geometry),
  }
  return {
    map_id: mapId,
    ...columns,
    ...deriveColumns(columns, geometry, customFields),
    import_id: importId,
    version: 1,
    created_at: now,
    updated_at: now,
  }
}

function storeMaintained(
  feature: FeatureState,
  source: { createdAt: number; createdBy: null; importId: string | null },
): StoredFields {
  const { fields } = definitions[feature.kind]
  if (!hasField(feature, 'maintenanceHistory')) return storeFields(fields, feature)
  const entries = feature.maintenance
    ? Object.values(feature.maintenance)
    : listedEntries(feature).map((columns) => entryOf(columns, source))
  const { nextDue, ...following } = followEntries(feature, entries)
  return storeFields(fields, { ...feature, ...following }, nextDue === null ? {} : { nextDue })
}

const everything = { seesPersonalData: true, isStaff: true }

/** Includes personal data. */
export function toNewFeature(row: DataColumns & { map_id: string }): NewFeature {
  const kind = kindOfRow(row)
  const base = {
    id: row.id,
    mapId: row.map_id,
    kind,
    geometry: JSON.parse(row.geometry),
    metadata: JSON.parse(row.metadata),
  }
  return { ...base, ...readFields(definitions[kind].fields, row, everything) } as NewFeature
}

export const readNextDue = ({ fields }: Pick<DataColumns, 'fields'>): string | null =>
  (JSON.parse(fields) as { nextDue?: string }).nextDue ?? null

export function followInRow(fields: string, entries: readonly EntryValues[]): string {
  const { nextDue: _, ...asset } = JSON.parse(fields) as MaintenanceFields & { nextDue?: string }
  const { nextDue, ...following } = followEntries(asset, entries)
  return JSON.stringify({ ...asset, ...following, ...(nextDue === null ? {} : { nextDue }) })
}
