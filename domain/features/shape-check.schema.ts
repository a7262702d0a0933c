import { z } from 'zod'
import { geometry, latLng } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { type DefinedKind, definitions } from './definitions.ts'

export const shapeToCheck = z.strictObject({
  kind: z.enum(Object.keys(definitions) as DefinedKind[]),
  id: featureId.nullable().default(null),
  geometry,
})
export type ShapeToCheck = z.infer<typeof shapeToCheck>

const named = z.object({ id: featureId, name: z.string() })

export const maxNamed = 20

/** A fault prevents saving; an overlap is a warning. */
export const shapeCheck = z.object({
  fault: z.object({ message: z.string(), at: latLng.optional() }).nullable(),
  acres: z.number().nullable(),
  parcel: named.nullable(),
  neighbors: z.array(named),
  overlaps: z.array(named.extend({ acres: z.number() })),
  /**
   * For shapes implausibly far from the map's land. `instead` is a place on the land that a wrong sign or
   * swapped coordinates would explain.
   */
  farFromLand: z.object({ kilometers: z.number(), instead: latLng.nullable() }).nullable(),
  notChecked: z.enum(['shape is too large', 'too many parcels around it']).nullable(),
})
export type ShapeCheck = z.infer<typeof shapeCheck>
export type FarPlace = NonNullable<ShapeCheck['farFromLand']>
