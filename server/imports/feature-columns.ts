import type { FeatureColumns } from '../database/tables.ts'

/** All columns that a feature and a waiting feature share, in one order for both sides of insert-select. */
export const featureColumns = [
  'map_id',
  'id',
  'kind',
  'shape',
  'name',
  'description',
  'type',
  'status',
  'severity',
  'date',
  'lng',
  'lat',
  'west',
  'south',
  'east',
  'north',
  'size',
  'morton',
  'size_zoom',
  'list_order',
  'search_text',
  'import_id',
  'version',
  'created_at',
  'updated_at',
  'fields',
  'metadata',
  'geometry',
] as const satisfies readonly (keyof FeatureColumns)[]

/** Columns that say what a feature is; the others follow from them or count its changes. */
export const contentColumns = [
  'kind',
  'name',
  'description',
  'type',
  'status',
  'severity',
  'date',
  'fields',
  'metadata',
  'geometry',
] as const satisfies readonly (keyof FeatureColumns)[]
