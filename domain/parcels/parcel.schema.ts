import { z } from 'zod'
import { schemasOf } from '#domain/definition/schema.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { featureBase } from '#domain/values/common.schema.ts'
import { parcelDefinition } from './parcel.definition.ts'

export const parcel = featureBase.extend({
  kind: z.literal('parcel'),
  ...schemasOf(parcelDefinition.fields),
  /** Derived from the geometry, as `boundaries` is: the outer ring of its largest part. */
  center: latLng,
  boundaries: z.array(z.tuple([z.number(), z.number()])).meta({ description: '[lat, lng] pairs, closed' }),
})
export type Parcel = z.infer<typeof parcel>
