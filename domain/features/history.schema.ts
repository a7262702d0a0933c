import { z } from 'zod'
import { featureId, instant } from '#domain/values/common.schema.ts'
import type { DefinedKind } from './definitions.ts'

/** What a change did to one feature. */
export const historyActions = ['added', 'changed', 'removed', 'put-back'] as const
export type HistoryAction = (typeof historyActions)[number]

/** For so long a feature that was removed can be put back. */
const removedKeptDays = 30
const dayMs = 86_400_000

/** What was removed before this instant is gone for good. Epoch milliseconds. */
export const removedSince = (now: number) => now - removedKeptDays * dayMs
/** When something that was removed then is gone for good. */
export const removedUntil = (removedAt: number) => removedAt + removedKeptDays * dayMs

/** A field of a feature, or its geometry or metadata, before and after a change; undefined is not there. */
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

/** What the history says of a geometry; `place` of a point. */
export type GeometrySummary = {
  type: string
  positions: number
  acres: number | null
  place: { lat: number; lng: number } | null
}

/** A feature that was removed and can be put back. */
export const removedFeature = z.object({
  id: featureId,
  kind: z.custom<DefinedKind>((value) => typeof value === 'string'),
  name: z.string(),
  removedAt: instant,
  removedBy: z.string(),
  /** From then on it is gone for good. */
  keptUntil: instant,
})
export type RemovedFeature = z.infer<typeof removedFeature>
