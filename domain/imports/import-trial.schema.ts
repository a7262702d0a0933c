import { z } from 'zod'
import { fieldChange } from '#domain/features/history.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'

/** What an import would make of a row. */
export const trialOutcomes = [
  'created',
  'updated',
  'unchanged',
  'refused',
  /** Somebody left the row out. */
  'left-out',
  /** The feature was removed here, and is not brought back. */
  'removed-here',
  /** An earlier edition of the files has made the feature, and this one does not have it. It is none of the rows. */
  'gone',
] as const
export type TrialOutcome = (typeof trialOutcomes)[number]

export const trialRow = z.object({
  /** Those of features that are gone come after all rows of the file. */
  rowNumber: z.number().int(),
  line: z.number().int().nullable(),
  sourceId: z.string().nullable(),
  outcome: z.enum(trialOutcomes),
  /** Why it is refused, or what was repaired. */
  reason: z.string().nullable(),
  featureId: featureId.nullable(),
  name: z.string().nullable(),
  /** Where it is, as far as it has a place. */
  place: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  /** Of a feature that is there already: what would become of it. */
  changes: z.array(fieldChange),
  /** Which fields stay as somebody changed them here. */
  kept: z.array(z.string()),
  /** Of a refused row: what it says, column by column. */
  columns: z.array(z.tuple([z.string(), z.unknown()])),
})
export type TrialRow = z.infer<typeof trialRow>

/** In the order of the file. `next` is the number of the last one, where there are more. */
export const trialRows = z.object({ items: z.array(trialRow), next: z.number().int().nullable() })
export type TrialRows = z.infer<typeof trialRows>

/** GeoJSON. A shape that is too long to be drawn is its place. */
export const trialPlaces = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      geometry: z.custom<Geometry>((value) => typeof value === 'object' && value !== null),
      properties: z.object({
        rowNumber: z.number().int(),
        outcome: z.enum(trialOutcomes),
        name: z.string().nullable(),
      }),
    }),
  ),
  /** Whether these are all rows of the box. */
  isWhole: z.boolean(),
})
export type TrialPlaces = z.infer<typeof trialPlaces>
