import { setImmediate } from 'node:timers/promises'
import { singleFields, valueAt } from '#domain/definition/definition.ts'
import type { BulkOperation, BulkPreview } from '#domain/features/bulk-change.schema.ts'
import { bulkBatchSize, type KindCounts } from '#domain/features/bulk-change.ts'
import { applyChange, type Circumstances } from '#domain/features/change-feature.ts'
import { type CustomFields, fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { featureName } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Database } from '../../database/database.ts'
import { compareFeatures, describeChanges } from '../changes/changed-fields.ts'
import { readCustomFields } from '../custom-fields/custom-fields.queries.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { readRowsOf } from '../rows/feature-rows.queries.ts'
import type { Selected } from './bulk-changes.queries.ts'

// Previews a bulk change by applying it without writing.

const sampleSize = 100
const skippedSize = 20
const maxValues = 1_000

export async function previewBulkChange(
  { read }: Database,
  mapId: string,
  operation: BulkOperation,
  { items, kinds }: Selected,
  signal: AbortSignal,
): Promise<BulkPreview> {
  const preview: BulkPreview = {
    total: items.length,
    kinds: kinds as Record<string, number>,
    fields: {},
    changing: 0,
    same: 0,
    left: 0,
    leftFeatures: [],
    sample: [],
  }
  const customFields = await readCustomFields(read, mapId)
  const values = new Map(fieldsOfAll(kinds, customFields).map((path) => [path, new Set<string>()]))
  const circumstances = { now: new Date(), customFields }
  for (let start = 0; start < items.length; start += bulkBatchSize) {
    signal.throwIfAborted()
    const ids = items.slice(start, start + bulkBatchSize).map(({ id }) => id)
    const rows = await readRowsOf(read, mapId, ids)
    for (const row of ids.flatMap((id) => rows.get(id) ?? [])) {
      const feature = toNewFeature(row)
      noteValues(values, feature)
      consider(preview, operation, feature, circumstances)
    }
    // SQLite is synchronous: lets other requests run.
    await setImmediate()
  }
  for (const [path, distinct] of values) {
    const [only] = distinct
    preview.fields[path] = {
      different: distinct.size,
      value: distinct.size === 1 && only !== undefined ? JSON.parse(only) : null,
    }
  }
  return preview
}

function fieldsOfAll(kinds: KindCounts, customFields: CustomFields): string[] {
  const [first, ...others] = Object.keys(kinds) as DefinedKind[]
  if (first === undefined) return []
  // Custom fields belong to one kind: equal keys of two kinds are different fields.
  const pathsOf = (kind: DefinedKind) =>
    singleFields(fieldsOf(kind, others.length === 0 ? customFields : noCustomFields)).map(([path]) => path)
  const ofOthers = others.map((kind) => new Set(pathsOf(kind)))
  return pathsOf(first).filter(
    (path) => path !== 'name' && path !== 'title' && ofOthers.every((paths) => paths.has(path)),
  )
}

function noteValues(values: ReadonlyMap<string, Set<string>>, feature: NewFeature) {
  for (const [path, distinct] of values)
    if (distinct.size < maxValues) distinct.add(JSON.stringify(valueAt(feature, path)))
}

function consider(
  preview: BulkPreview,
  { kind, patch = {} }: BulkOperation,
  feature: NewFeature,
  circumstances: Circumstances,
) {
  const name = featureName(feature)
  const { id } = feature
  if (kind === 'remove') {
    preview.changing += 1
    if (preview.sample.length < sampleSize) preview.sample.push({ id, kind: feature.kind, name, changes: [] })
    return
  }
  const applied = applyChange(feature, patch, circumstances)
  if ('faults' in applied) {
    preview.left += 1
    const [fault] = applied.faults
    if (preview.leftFeatures.length < skippedSize)
      preview.leftFeatures.push({ id, name, reason: `${fault?.field} ${fault?.message}` })
    return
  }
  const changed = compareFeatures(feature, applied.feature)
  if (Object.keys(changed).length === 0) {
    preview.same += 1
    return
  }
  preview.changing += 1
  if (preview.sample.length < sampleSize)
    preview.sample.push({ id, kind: feature.kind, name, changes: describeChanges(changed) })
}
