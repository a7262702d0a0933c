import { z } from 'zod'
import { changeId, featureId, instant } from '#domain/values/common.schema.ts'
import { bulkActions, bulkStates, maxSelected } from './bulk-change.ts'
import { definedKinds } from './definitions.ts'
import { featureMergePatch } from './feature-changes.schema.ts'
import type { FeatureChange } from './merge-change.ts'

const ids = z
  .array(featureId)
  .min(1)
  .max(maxSelected)
  .refine((some) => new Set(some).size === some.length, 'List each feature once.')

/** A list filter may replace `ids`. */
export const bulkOperation = {
  kind: z.enum(['change', 'remove']),
  patch: featureMergePatch.optional().meta({ description: 'For changes: the new values of fields' }),
  ids: ids.optional().meta({ description: 'Features to change. Cannot be combined with a filter' }),
  except: ids.optional().meta({ description: 'Features to exclude. Requires a filter' }),
}
export type BulkOperation = { kind: 'change' | 'remove'; patch?: FeatureChange | undefined }

/** How many features of each kind, by the keys of `definitions`. A change without effect has `{ [kind]: 0 }`. */
export const kindCounts = z.record(z.string(), z.number().int().min(0))

const skippedFeature = z.object({ id: featureId, name: z.string(), reason: z.string() })

export const bulkChange = z.object({
  id: changeId,
  action: z.enum(bulkActions),
  undoes: changeId.nullable(),
  state: z.enum(bulkStates),
  kinds: kindCounts,
  total: z.number().int(),
  changed: z.number().int(),
  same: z.number().int().meta({ description: 'Number of features that already had these values' }),
  left: z.number().int().meta({
    description: 'Number of skipped features: changed or removed in the meantime, or not affected',
  }),
  leftFeatures: z.array(skippedFeature),
  canUndo: z.boolean().meta({
    description: 'Whether undoing would change any features. False while the change is running',
  }),
  startedAt: instant,
  finishedAt: instant.nullable(),
})
export type BulkChange = z.infer<typeof bulkChange>

const fieldValues = z.object({ different: z.number().int(), value: z.unknown() })

export const bulkPreview = z.object({
  total: z.number().int(),
  kinds: kindCounts,
  fields: z.record(z.string(), fieldValues).meta({
    description: 'Fields that all features share, by path. `value` is set if it is the same for all features',
  }),
  changing: z.number().int(),
  same: z.number().int(),
  left: z.number().int(),
  leftFeatures: z.array(skippedFeature),
  sample: z.array(
    z.object({
      id: featureId,
      kind: z.enum(definedKinds),
      name: z.string(),
      changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
    }),
  ),
})
export type BulkPreview = z.infer<typeof bulkPreview>
