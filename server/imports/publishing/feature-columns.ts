import type { DataColumns, FeatureColumns } from '../../database/tables.ts'

/** In one order for both sides of insert-select. */
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
  'name_order',
  'search_text',
  'import_id',
  'version',
  'created_at',
  'updated_at',
  'is_general',
  'fields',
  'metadata',
  'geometry',
] as const satisfies readonly (keyof FeatureColumns)[]

/** Other columns are derived from these or count changes. */
export const contentColumns = [
  'kind',
  'is_general',
  'name',
  'description',
  'type',
  'status',
  'severity',
  'date',
  'fields',
  'metadata',
  'geometry',
] as const satisfies readonly (keyof DataColumns)[]

export const notedColumns = [
  'id',
  ...contentColumns,
  'import_id',
  'version',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof FeatureColumns)[]
export type NotedColumns = Pick<FeatureColumns, (typeof notedColumns)[number]>
