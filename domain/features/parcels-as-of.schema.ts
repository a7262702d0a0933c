import { z } from 'zod'
import { geometry } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'

/** Of parcels that have changed since. Walking back through more takes too long. */
export const maxChangedSince = 500

export const parcelsAsOf = z.object({
  items: z.array(
    z.object({
      id: featureId,
      name: z.string(),
      geometry,
      since: z
        .enum(['same', 'changed', 'removed'])
        .meta({ description: 'What happened to its name and shape since then' }),
    }),
  ),
  added: z.number().int().meta({ description: 'Number of parcels in the box that were added since then' }),
  isComplete: z.boolean().meta({
    description: `False, without items, if the box has too many parcels, or more than ${maxChangedSince} that have changed since`,
  }),
})
export type ParcelsAsOf = z.infer<typeof parcelsAsOf>
