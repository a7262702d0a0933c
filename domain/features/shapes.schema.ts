import { z } from 'zod'
import { geometry } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'

/** More in view cannot be edited at once. */
export const maxShapes = { count: 3_000, characters: 4_000_000 }

/** Shapes of one kind with all digits, for editing. */
export const shapesInBox = z.object({
  items: z.array(
    z.object({
      id: featureId,
      name: z.string(),
      version: z.number().int(),
      geometry,
      area: z.number().nullable().meta({ description: 'Recorded acres of a parcel' }),
    }),
  ),
  isComplete: z.boolean().meta({ description: 'False if there are too many shapes; then `items` is empty' }),
})
export type ShapesInBox = z.infer<typeof shapesInBox>
