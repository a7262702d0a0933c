import { z } from 'zod'
import { featureKinds, recordOf } from '#domain/definition/kinds.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { instant, mapId, text } from '#domain/values/common.schema.ts'
import { isTimeZone } from '#domain/values/time-zones.ts'

const count = z.number().int().min(0)

export const attention = z.object({
  incidents: z.object({ high: count, medium: count, low: count, unknown: count }),
  offline: count,
  maintenance: count,
})
export type Attention = z.infer<typeof attention>

/** Section 3 of the specification. `properties` is the number of parcels, `lastUpdated` the newest change. */
export const client = z.object({
  id: mapId,
  name: text(200).min(1),
  location: text(200),
  properties: count,
  lastUpdated: instant,
  thumbnail: z.string().nullable(),
  archivedAt: instant.nullable(),
  /** Null: that of the land. */
  timeZone: z.string().nullable(),
  /** For If-Match. */
  version: z.number().int().min(1),
  attention,
})
export type Client = z.infer<typeof client>

export const clientTotals = z.object({ properties: count, attention })
export type ClientTotals = z.infer<typeof clientTotals>

const blank = /^\s*$/
const clientName = text(200).refine((name) => !blank.test(name), 'must not be blank')

export const newClient = z.strictObject({ name: clientName, location: text(200) })
export type NewClient = z.infer<typeof newClient>

const timeZone = z.string().max(64).refine(isTimeZone, 'must be a time zone, such as America/Phoenix')

export const clientChange = newClient.partial().extend({
  timeZone: timeZone
    .nullable()
    .optional()
    .meta({ description: 'Name in the IANA database. Null: the time zone of the land' }),
})
export type ClientChange = z.infer<typeof clientChange>

export const mapSummary = z.object({
  id: mapId,
  /** Of all its dates: that of the client, or else of its land. */
  timeZone: z.string(),
  client: client.omit({ attention: true }).nullable(),
  /** Null for an empty map. West is greater than east across the date line. */
  extent: z.object({ north: z.number(), east: z.number(), south: z.number(), west: z.number() }).nullable(),
  /** Initial view of a map without an applied configuration. */
  firstParcel: latLng.nullable(),
  counts: z.object(recordOf(featureKinds, () => z.number())),
})
export type MapSummary = z.infer<typeof mapSummary>
