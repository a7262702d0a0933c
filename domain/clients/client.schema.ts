import { z } from 'zod'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { instant, mapId, text } from '#domain/values/common.schema.ts'

/** Section 3 of the specification. `properties` counts the parcels, `lastUpdated` is the newest change. */
export const client = z.object({
  id: mapId,
  name: text(200).min(1),
  location: text(200),
  properties: z.number().int().min(0),
  lastUpdated: instant,
  /** Address of a picture. */
  thumbnail: z.string().nullable(),
  /** Null while the client's map is open. Only administrators ever see archived clients. */
  archivedAt: instant.nullable(),
  /** Of name, location and archive state: what a change must name in If-Match. */
  version: z.number().int().min(1),
})
export type Client = z.infer<typeof client>

const blank = /^\s*$/
const clientName = text(200).refine((name) => !blank.test(name), 'must not be blank')

/** What makes a client; its id is a slug of the name. */
export const newClient = z.strictObject({ name: clientName, location: text(200) })
export type NewClient = z.infer<typeof newClient>

export const clientChange = newClient.partial()
export type ClientChange = z.infer<typeof clientChange>

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
