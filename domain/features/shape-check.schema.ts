import { z } from 'zod'
import { geometry, latLng } from '#domain/geometry/geometry.schema.ts'
import { featureId } from '#domain/values/common.schema.ts'
import { type DefinedKind, definitions } from './definitions.ts'

/** A shape to check before it is saved; `id` is null for a new feature. */
export const shapeToCheck = z.strictObject({
  kind: z.enum(Object.keys(definitions) as DefinedKind[]),
  id: featureId.nullable().default(null),
  geometry,
})
export type ShapeToCheck = z.infer<typeof shapeToCheck>

const named = z.object({ id: featureId, name: z.string() })

export const mostNamed = 20

/** Findings about a shape. A fault prevents saving; an overlap is a warning. */
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
   * Distance of a shape implausibly far from the land of the map; null otherwise. `instead` is a place on the land
   * that a wrong sign or swapped coordinates would explain.
   */
  farFromLand: z.object({ kilometers: z.number(), instead: latLng.nullable() }).nullable(),
  /** Reason for not comparing with neighbors; null if compared. */
  notChecked: z.enum(['shape is too large', 'too many parcels around it']).nullable(),
})
export type ShapeCheck = z.infer<typeof shapeCheck>
export type FarPlace = NonNullable<ShapeCheck['farFromLand']>
