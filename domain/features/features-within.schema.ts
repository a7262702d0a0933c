import { z } from 'zod'
import { featureKinds } from '../definition/kinds.ts'
import { latitude } from '../geometry/geometry.schema.ts'
import { featureId } from '../values/common.schema.ts'
import { maxAreaCorners, maxAreaLng, maxSelected } from './bulk-change.ts'

const longitudeRange = `Longitude must be between -${maxAreaLng} and ${maxAreaLng}.`

export const areaRing = z
  .array(
    z.tuple([
      z.number(longitudeRange).min(-maxAreaLng, longitudeRange).max(maxAreaLng, longitudeRange),
      latitude,
    ]),
  )
  .min(3)
  .max(maxAreaCorners)
  .meta({
    description:
      'Corners of the area as [longitude, latitude]. Closing the ring is optional. Areas that cross themselves follow the ' +
      'even-odd rule. Across the date line, longitudes continue beyond 180.',
  })

export const featuresWithin = z.object({
  items: z
    .array(z.object({ id: featureId, kind: z.enum(featureKinds) }))
    .max(maxSelected)
    .meta({ description: 'In no particular order' }),
  isAll: z.boolean().meta({ description: 'False if there are more features, or too many nearby to check' }),
})
export type FeaturesWithin = z.infer<typeof featuresWithin>
