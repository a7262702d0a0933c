import { z } from 'zod'
import { geometry, latLng } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { type DefinedKind, definitions } from './definitions.ts'

/** A shape that somebody is about to give to a feature; `id` is that of the feature, where there is one. */
export const shapeToCheck = z.strictObject({
  kind: z.enum(Object.keys(definitions) as DefinedKind[]),
  id: featureId.nullable().default(null),
  geometry,
})
export type ShapeToCheck = z.infer<typeof shapeToCheck>

const named = z.object({ id: featureId, name: z.string() })

/** So many neighbors and overlaps are named. */
export const mostNamed = 20

/**
 * What there is to know of a shape before it is saved. A fault keeps it from being saved; an overlap is told, and does not.
 */
export const shapeCheck = z.object({
  fault: z.object({ message: z.string(), at: latLng.optional() }).nullable(),
  acres: z.number().nullable(),
  /** The parcel on which an incident or asset would lie. */
  parcel: named.nullable(),
  /** Parcels that have a corner in common with a parcel. */
  neighbors: z.array(named),
  /** Parcels on whose land a parcel would lie, too, the largest overlap first. */
  overlaps: z.array(named.extend({ acres: z.number() })),
  /**
   * Where the shape lies too far from the map's land to be plausible; null where it does not. `instead` is a place on the
   * land that a wrong sign or the other order of the coordinates would explain.
   */
  farFromLand: z.object({ kilometers: z.number(), instead: latLng.nullable() }).nullable(),
  /** Why neighbors and overlaps were not looked for; null where they were. */
  notChecked: z.enum(['shape is too large', 'too many parcels around it']).nullable(),
})
export type ShapeCheck = z.infer<typeof shapeCheck>
export type FarPlace = NonNullable<ShapeCheck['farFromLand']>
