import { z } from 'zod'
import { fieldChange } from '#domain/features/history.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { trialOutcomes } from './trial-outcome.ts'

export const trialRow = z.object({
  rowNumber: z.number().int(),
  line: z.number().int().nullable(),
  sourceId: z.string().nullable(),
  outcome: z.enum(trialOutcomes),
  reason: z.string().nullable(),
  featureId: featureId.nullable(),
  name: z.string().nullable(),
  place: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  changes: z.array(fieldChange),
  kept: z.array(z.string()),
  columns: z.array(z.tuple([z.string(), z.unknown()])),
})
export type TrialRow = z.infer<typeof trialRow>

/** In the order of the file. `next` is the number of the last row; null at the end. */
export const trialRows = z.object({ items: z.array(trialRow), next: z.number().int().nullable() })
export type TrialRows = z.infer<typeof trialRows>

/** GeoJSON. Shapes that are too long to draw are points. */
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
  isWhole: z.boolean(),
})
export type TrialPlaces = z.infer<typeof trialPlaces>
