import { z } from 'zod'
import { assetDefinition } from '#domain/assets/asset.definition.ts'
import type { Definition, Fields } from '#domain/definition/definition.ts'
import { newSchemasOf, schemasOf } from '#domain/definition/schema.ts'
import {
  generalFeatureDefinition,
  typesOfFeatureType,
} from '#domain/general-features/general-feature.definition.ts'
import { geometry, latLng } from '#domain/geometry/geometry.schema.ts'
import { incidentDefinition } from '#domain/incidents/incident.definition.ts'
import { severities } from '#domain/incidents/incident-types.ts'
import { maxMonths } from '#domain/maintenance/maintenance-plan.ts'
import { parcelDefinition } from '#domain/parcels/parcel.definition.ts'
import { featureKinds, featureShapes, featureStatuses, recordOf } from '../definition/kinds.ts'
import { day, featureId, instant, mapId, metadata, text } from '../values/common.schema.ts'
import type { DefinedKind } from './definitions.ts'
import { featureTypes } from './filters.ts'

/** `shape` and `location` are derived from the geometry. */
const featureBase = z.object({
  id: featureId,
  mapId,
  geometry,
  shape: z.enum(featureShapes),
  location: latLng,
  metadata,
  referenceNames: z.record(z.string(), text(300).nullable()).meta({
    description: 'Names of referenced features, by field. Null if the feature was removed',
  }),
  version: z.number().int().min(1),
  updatedAt: instant,
})

const detailOf = <Kind extends string, Own extends Fields>({ kind, fields }: Definition<Kind, Own>) =>
  featureBase.extend({ kind: z.literal(kind), ...schemasOf(fields) })

const asset = detailOf(assetDefinition).extend({
  nextDue: day.nullable().meta({ description: 'When maintenance is due. For staff only' }),
})
export type Asset = z.infer<typeof asset>

const incident = detailOf(incidentDefinition)
export type Incident = z.infer<typeof incident>

const parcel = detailOf(parcelDefinition).extend({
  /** Derived from the geometry, like `boundaries`, the outer ring of its largest part. */
  center: latLng,
  boundaries: z.array(z.tuple([z.number(), z.number()])).meta({ description: '[lat, lng] pairs, closed' }),
})
export type Parcel = z.infer<typeof parcel>

export const generalFeature = detailOf(generalFeatureDefinition)
export type GeneralFeature = z.infer<typeof generalFeature>

type OtherKinds = Record<Exclude<DefinedKind, 'incident'>, z.ZodType>

const otherDetails = { asset, parcel, feature: generalFeature } satisfies OtherKinds

export const featureDetail = z.discriminatedUnion('kind', [incident, ...Object.values(otherDetails)])
export type FeatureDetail = z.infer<typeof featureDetail>

/** `name` is an incident's title; `date` of incidents and general features; `area` (acres) and `owner` of parcels. */
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
  parcel: z.object({ id: featureId, name: text(300) }).nullable(),
  area: z.number().nullable(),
  /** Null for users who may not see personal data. */
  owner: text(300).nullable(),
  version: z.number().int().min(1),
  values: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
    .optional()
    .meta({
      description:
        'The requested `fields`, by path. Null if there is no value, or you cannot see it. ' +
        'Descriptions are shortened, as in `description`',
    }),
})
export type FeatureSummary = z.infer<typeof featureSummary>

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().int().min(0),
    next: z.string().nullable(),
  })
}

const count = z.number().int().min(0)

export const featureCounts = z.object({
  total: count,
  byKind: z.object(recordOf(featureKinds, () => count)),
  byShape: z.object({ point: count, line: count, polygon: count }),
})
export type FeatureCounts = z.infer<typeof featureCounts>

const written = featureBase.pick({ id: true, mapId: true, geometry: true, metadata: true })
const newOf = <Kind extends string, Own extends Fields>({ kind, fields }: Definition<Kind, Own>) =>
  written.extend({ kind: z.literal(kind), ...newSchemasOf(fields) })

const otherNew = {
  asset: newOf(assetDefinition).superRefine(({ maintenancePlan: plan }, context) => {
    if (!plan) return
    const refuse = (field: 'everyMonths' | 'month', message: string) =>
      context.addIssue({ code: 'custom', path: ['maintenancePlan', field], message })
    const { everyMonths, month } = plan
    if (everyMonths === null && month === null) refuse('everyMonths', 'is required, unless you set a month')
    else if (everyMonths !== null && month !== null) refuse('month', 'cannot be combined with everyMonths')
    else if (everyMonths !== null && (everyMonths < 1 || everyMonths > maxMonths))
      refuse('everyMonths', `must be between 1 and ${maxMonths}`)
  }),
  parcel: newOf(parcelDefinition),
  feature: newOf(generalFeatureDefinition).superRefine(({ featureType, type = null }, context) => {
    const types = typesOfFeatureType(featureType)
    if (type === null || types.includes(type)) return
    const expected = types.length > 0 ? `must be one of ${types.join(', ')}` : 'must be omitted'
    const message = `${expected} if the feature type is ${featureType}`
    context.addIssue({ code: 'custom', path: ['type'], message })
  }),
} satisfies OtherKinds

export const newFeature = z.discriminatedUnion('kind', [
  newOf(incidentDefinition),
  ...Object.values(otherNew),
])
export type NewFeature = z.infer<typeof newFeature>
