import { z } from 'zod'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { instant, mapId, text } from '#domain/values/common.schema.ts'

const count = z.number().int().min(0)

/** What on a map needs somebody: open incidents by severity, and assets that are out of order. */
export const attention = z.object({
  incidents: z.object({ high: count, medium: count, low: count, unknown: count }),
  offline: count,
  maintenance: count,
})
export type Attention = z.infer<typeof attention>

/** Section 3 of the specification. `properties` counts the parcels, `lastUpdated` is the newest change. */
export const client = z.object({
  id: mapId,
  name: text(200).min(1),
  location: text(200),
  properties: count,
  lastUpdated: instant,
  /** Address of a picture: the client's own, or its land as a drawing; null where there is neither. */
  thumbnail: z.string().nullable(),
  /** Null while the client's map is open. Only administrators ever see archived clients. */
  archivedAt: instant.nullable(),
  /** Of name, location and archive state: what a change must name in If-Match. */
  version: z.number().int().min(1),
  attention,
})
export type Client = z.infer<typeof client>

/** Of all clients of a list together. */
export const clientTotals = z.object({ properties: count, attention })
export type ClientTotals = z.infer<typeof clientTotals>

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
  client: client.omit({ attention: true }).nullable(),
  /** Extent of all features; null while the map is empty. West is greater than east across the date line. */
  extent: z.object({ north: z.number(), east: z.number(), south: z.number(), west: z.number() }).nullable(),
  /** Where a map without an applied configuration opens. */
  firstParcel: latLng.nullable(),
  counts: z.object({ incident: z.number(), asset: z.number(), parcel: z.number() }),
})
export type MapSummary = z.infer<typeof mapSummary>
