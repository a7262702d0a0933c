import { z } from 'zod'
import { featureKinds } from '../definition/kinds.ts'
import { latitude } from '../geometry/geometry.schema.ts'
import { featureId } from '../values/common.schema.ts'
import { maxAreaCorners, maxAreaLng, maxSelected } from './bulk-change.ts'

const longitudeRange = `A longitude is a number from -${maxAreaLng} to ${maxAreaLng}.`

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
      'Corners of the area, [longitude, latitude]; the last may be the first once more. It may cross itself: then the ' +
      'even-odd rule holds. Over the date line longitudes go on beyond 180.',
  })

export const featuresWithin = z.object({
  items: z
    .array(z.object({ id: featureId, kind: z.enum(featureKinds) }))
    .max(maxSelected)
    .meta({ description: 'In no order' }),
  isAll: z.boolean().meta({ description: `False where there are more, or too many around it to look at` }),
})
export type FeaturesWithin = z.infer<typeof featuresWithin>
