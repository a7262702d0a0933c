import { z } from 'zod'
import { day, featureBase, text } from '#domain/features/common.schema.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'

/** Section 3 of the specification. */
export const parcelFields = z.object({
  name: text(300),
  description: text(20_000),
  /** Personal: null where unknown, or where the map keeps it from the public. */
  owner: text(300).nullable(),
  /** Acres. */
  area: z.number().min(0).nullable(),
  buildings: z.number().int().min(0).nullable(),
  purchaseDate: day.nullable(),
  zoning: z.object({ type: text(200), restrictions: text(2_000).nullable() }).nullable(),
  /** Personal, like the owner. Amount in US dollars a year. */
  taxInfo: z.object({ annualAmount: z.number().nullable(), lastPaid: day.nullable() }).nullable(),
})
export type ParcelFields = z.infer<typeof parcelFields>

export const parcel = featureBase.extend({
  kind: z.literal('parcel'),
  ...parcelFields.shape,
  /** Derived from the geometry, as `boundaries` is: the outer ring of its largest part. */
  center: latLng,
  boundaries: z.array(z.tuple([z.number(), z.number()])).meta({ description: '[lat, lng] pairs, closed' }),
})
export type Parcel = z.infer<typeof parcel>
