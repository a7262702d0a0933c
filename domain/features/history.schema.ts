import { z } from 'zod'
import { featureId, instant } from '#domain/values/common.schema.ts'
import type { DefinedKind } from './definitions.ts'

export const historyActions = ['added', 'changed', 'removed', 'put-back'] as const
export type HistoryAction = (typeof historyActions)[number]

/** Removed features can be restored for this long. */
const removedRetentionDays = 30
const dayMs = 86_400_000

/** Features removed before this instant are deleted for good. Epoch milliseconds. */
export const removedSince = (now: number) => now - removedRetentionDays * dayMs
/** When a feature removed at this instant is deleted for good. */
export const removedUntil = (removedAt: number) => removedAt + removedRetentionDays * dayMs

/** A field, geometry or metadata before and after a change; undefined is missing. */
export const fieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })
export type FieldChange = z.infer<typeof fieldChange>

/**
 * One entry of a feature's history. `imported` is an import that made or replaced the feature: `changeId` is the
 * import's. Of a geometry the history tells a summary (`GeometrySummary`), never all positions.
 */
export const historyEntry = z.object({
  changeId: z.string(),
  at: instant,
  /** Name of who did it; null where a program did. */
  actor: z.string().nullable(),
  /** The token by which a program did it for them; null is in the page. */
  tokenId: z.string().nullable(),
  action: z.enum([...historyActions, 'imported']),
  /** The file of an import. */
  source: z.string().nullable(),
  version: z.number().int().min(1),
  undoes: z.string().nullable(),
  changes: z.array(fieldChange),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** Newest first. `names` are those of the features that the entries refer to by their ids, as they are called now. */
export const featureHistory = z.object({
  items: z.array(historyEntry),
  names: z.record(featureId, z.string()),
})
export type FeatureHistory = z.infer<typeof featureHistory>

/** Summary of a geometry in the history; `place` only of a point. */
export type GeometrySummary = {
  type: string
  positions: number
  acres: number | null
  place: { lat: number; lng: number } | null
}

/** A removed feature that can be restored. */
export const removedFeature = z.object({
  id: featureId,
  kind: z.custom<DefinedKind>((value) => typeof value === 'string'),
  name: z.string(),
  removedAt: instant,
  removedBy: z.string(),
  /** Deleted for good from then on. */
  keptUntil: instant,
})
export type RemovedFeature = z.infer<typeof removedFeature>
