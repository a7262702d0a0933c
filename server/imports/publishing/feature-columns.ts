import type { DataColumns, FeatureColumns } from '../../database/tables.ts'

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

/** In one order for both sides of insert-select. */
export const featureColumns = [
  'map_id',
  'id',
  ...contentColumns,
  'shape',
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
] as const satisfies readonly (keyof FeatureColumns)[]

export const notedColumns = [
  'id',
  ...contentColumns,
  'import_id',
  'version',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof FeatureColumns)[]
export type NotedColumns = Pick<FeatureColumns, (typeof notedColumns)[number]>
