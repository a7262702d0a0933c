import { z } from 'zod'
import { asset, assetFields } from '#domain/assets/asset.schema.ts'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { latLng } from '#domain/geometry/geometry.schema.ts'
import { incident, incidentFields } from '#domain/incidents/incident.schema.ts'
import { severities } from '#domain/incidents/incident-types.ts'
import { parcel, parcelFields } from '#domain/parcels/parcel.schema.ts'
import { featureBase, featureId, instant, text } from './common.schema.ts'
import { featureTypes } from './filters.ts'
import { featureKinds, featureShapes, featureStatuses, operationalStatuses } from './kinds.ts'

/** Section 3, 'Feature': what a general feature says it is. */
export const generalFeatureTypes = [...featureKinds, ...assetTypes] as const

export const generalFeatureFields = z.object({
  name: text(300),
  description: text(20_000),
  status: z.enum(operationalStatuses),
  featureType: z.enum(generalFeatureTypes),
})
export type GeneralFeatureFields = z.infer<typeof generalFeatureFields>

/** A feature of the viewer's sample: known by its type and metadata alone. */
export const generalFeature = featureBase.extend({
  kind: z.literal('feature'),
  ...generalFeatureFields.shape,
})
export type GeneralFeature = z.infer<typeof generalFeature>

/** Everything we know of one feature. */
export const featureDetail = z.discriminatedUnion('kind', [incident, asset, parcel, generalFeature])
export type FeatureDetail = z.infer<typeof featureDetail>

/** A row of a list. `name` is an incident's title; `date` is an incident's date. */
export const featureSummary = z.object({
  id: featureId,
  kind: z.enum(featureKinds),
  shape: z.enum(featureShapes),
  name: text(300),
  description: text(20_000),
  type: z.enum(featureTypes).nullable(),
  status: z.enum(featureStatuses).nullable(),
  severity: z.enum(severities).nullable(),
  date: instant.nullable(),
  location: latLng,
  /** The parcel that an incident or asset is on, where the map has it. */
  parcel: z.object({ id: featureId, name: text(300) }).nullable(),
  version: z.number().int().min(1),
})
export type FeatureSummary = z.infer<typeof featureSummary>

/** One page of a list: `total` is exact under the same filters, `next` continues it (null at the end). */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().int().min(0),
    next: z.string().nullable(),
  })
}

const count = z.number().int().min(0)

/** How many features a filter means. */
export const featureCounts = z.object({
  total: count,
  byKind: z.object({ incident: count, asset: count, parcel: count }),
  byShape: z.object({ point: count, line: count, polygon: count }),
})
export type FeatureCounts = z.infer<typeof featureCounts>

const written = { geometry: true, metadata: true, mapId: true, id: true } as const

/** A feature as it comes in, from a form, a file or the sample data: nothing derived, no version yet. */
export const newFeature = z.discriminatedUnion('kind', [
  incident.pick({ ...written, kind: true }).extend(incidentFields.shape),
  asset.pick({ ...written, kind: true }).extend(assetFields.shape),
  parcel.pick({ ...written, kind: true }).extend(parcelFields.shape),
  generalFeature.pick({ ...written, kind: true }).extend(generalFeatureFields.shape),
])
export type NewFeature = z.infer<typeof newFeature>
