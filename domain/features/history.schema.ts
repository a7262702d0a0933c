import { z } from 'zod'
import { featureId, instant } from '#domain/values/common.schema.ts'
import type { DefinedKind } from './definitions.ts'

export const historyActions = ['added', 'changed', 'removed', 'put-back'] as const
export type HistoryAction = (typeof historyActions)[number]

const removedRetentionDays = 30
const dayMs = 86_400_000

/** Epoch milliseconds. */
export const removedSince = (now: number) => now - removedRetentionDays * dayMs
export const removedUntil = (removedAt: number) => removedAt + removedRetentionDays * dayMs

/** Undefined is missing. */
export const fieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })
export type FieldChange = z.infer<typeof fieldChange>

/**
 * `imported`: an import created or replaced the feature, and `changeId` is the import's. Geometries are
 * summarized (`GeometrySummary`).
 */
export const historyEntry = z.object({
  changeId: z.string(),
  at: instant,
  actor: z.string().nullable(),
  tokenId: z.string().nullable(),
  action: z.enum([...historyActions, 'imported']),
  source: z.string().nullable(),
  version: z.number().int().min(1),
  undoes: z.string().nullable(),
  /** How many other features the change affected; 0 for bulk changes and imports. */
  others: z.number().int(),
  /** Whether an editor can undo the change by itself: bulk changes and imports are undone as a whole. */
  isUndoable: z.boolean(),
  changes: z.array(fieldChange),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** Newest first. `names` are the current names of features that entries refer to by id. */
export const featureHistory = z.object({
  items: z.array(historyEntry),
  names: z.record(featureId, z.string()),
})
export type FeatureHistory = z.infer<typeof featureHistory>

export type GeometrySummary = {
  type: string
  /** Equal for equal shapes. */
  digest: string
  positions: number
  acres: number | null
  place: { lat: number; lng: number } | null
}

export const removedFeature = z.object({
  id: featureId,
  kind: z.custom<DefinedKind>((value) => typeof value === 'string'),
  name: z.string(),
  removedAt: instant,
  removedBy: z.string(),
  keptUntil: instant,
  changeId: z.string(),
  /** How many other features the removing change affected; 0 for bulk changes and imports. */
  others: z.number().int(),
})
export type RemovedFeature = z.infer<typeof removedFeature>
