import type { CustomFields } from '#domain/features/custom-fields.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Condition } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { toFeatureRow, toNewFeature } from '../../features/rows/feature-row.ts'

export type StagedRow = { rowNumber: number; staged: FeatureColumns; current: FeatureColumns | undefined }

export type RowStep = (row: StagedRow) => FeatureColumns

export type RowRule = {
  appliesTo: Condition
  load(rows: readonly StagedRow[]): Promise<RowStep>
}

export type PublishContext = {
  now: number
  importId: string
  customFields: CustomFields
}

export type Values = Readonly<Record<string, unknown>>

export function keepPaths(
  staged: FeatureColumns,
  current: FeatureColumns,
  paths: readonly string[],
  context: PublishContext,
): FeatureColumns {
  const [next, before]: [Values, Values] = [toNewFeature(staged), toNewFeature(current)]
  const merged: Record<string, unknown> = { ...next }
  for (const path of paths) {
    const [key = '', part] = path.split('.')
    merged[key] =
      part === undefined
        ? before[key]
        : { ...groupOf(merged[key], before[key]), [part]: valueAt(before, path) }
  }
  return toFeatureRow(merged as NewFeature, context)
}

function groupOf(value: unknown, current: unknown): Values {
  if (isGroup(value)) return value
  return Object.fromEntries(Object.keys(isGroup(current) ? current : {}).map((part) => [part, null]))
}

export function valueAt(feature: Values, path: string): unknown {
  const [key = '', part] = path.split('.')
  const value = feature[key]
  return part === undefined ? value : isGroup(value) ? value[part] : undefined
}

export const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('coordinates' in value)
