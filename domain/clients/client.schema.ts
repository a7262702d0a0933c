import { z } from 'zod'
import { instant, mapId, text } from '#domain/features/common.schema.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'

/** Section 3 of the specification. `properties` counts the parcels, `lastUpdated` is the newest change. */
export const client = z.object({
  id: mapId,
  name: text(200).min(1),
  location: text(200),
  properties: z.number().int().min(0),
  lastUpdated: instant,
  /** Address of a picture. */
  thumbnail: z.string().nullable(),
})
export type Client = z.infer<typeof client>

/** What a map view needs to open: who it belongs to, and where its land is. */
export const mapSummary = z.object({
  id: mapId,
  /** Null for the reserved map `sample`, which belongs to no client. */
  client: client.nullable(),
  /** Extent of all features; null while the map is empty. */
  extent: z.object({ north: z.number(), east: z.number(), south: z.number(), west: z.number() }).nullable(),
  /** Where a map without an applied configuration opens. */
  firstParcel: latLng.nullable(),
  counts: z.object({ incident: z.number(), asset: z.number(), parcel: z.number() }),
})
export type MapSummary = z.infer<typeof mapSummary>
