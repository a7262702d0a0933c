import { z } from 'zod'

// GeoJSON (RFC 7946): positions are [longitude, latitude, elevation?] in WGS 84 degrees, rings are closed.

/** Real parcels reach 18,606 vertices. */
export const maxVertices = 100_000

const latitudeRange = 'Latitude must be between -90 and 90.'
const longitudeRange = 'Longitude must be between -180 and 180.'
export const latitude = z.number(latitudeRange).min(-90, latitudeRange).max(90, latitudeRange)
export const longitude = z.number(longitudeRange).min(-180, longitudeRange).max(180, longitudeRange)

export const latLng = z.object({ lat: latitude, lng: longitude })
export type LatLng = z.infer<typeof latLng>

export const bounds = z
  .object({ north: latitude, east: longitude, south: latitude, west: longitude })
  .refine((value) => value.north > value.south, {
    path: ['north'],
    message: 'North must be greater than south.',
  })
  .refine((value) => value.east > value.west, { path: ['east'], message: 'East must be greater than west.' })
export type Bounds = z.infer<typeof bounds>

const position = z.tuple([longitude, latitude]).rest(z.number())
const line = z.array(position).min(2)

export function ringOf<RingPosition extends z.ZodType<readonly number[]>>(ringPosition: RingPosition) {
  return z
    .array(ringPosition)
    .min(4, 'a ring needs at least 4 positions')
    .refine((positions) => {
      const first = positions[0]
      const last = positions.at(-1)
      return first?.[0] === last?.[0] && first?.[1] === last?.[1]
    }, 'a ring must end where it starts')
}
const polygon = z.array(ringOf(position)).min(1)

export const geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: position }),
  z.object({ type: z.literal('MultiPoint'), coordinates: z.array(position).min(1) }),
  z.object({ type: z.literal('LineString'), coordinates: line }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(line).min(1) }),
  z.object({ type: z.literal('Polygon'), coordinates: polygon }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(polygon).min(1) }),
])
export type Geometry = z.infer<typeof geometry>
export type Position = z.infer<typeof position>
