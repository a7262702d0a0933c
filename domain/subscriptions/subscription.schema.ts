import { z } from 'zod'
import { findPolygonProblem } from '#domain/geometry/find-polygon-problem.ts'
import { latitude, longitude, type Position, ringOf } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { changeId, featureId } from '#domain/values/common.schema.ts'
import { frequencies, maxAreaPositions, maxRadiusMeters, newsChoices, topics } from './subscriptions.ts'

/** In emails only. Opens all subscriptions of the address on the map. */
export const subscriptionKey = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')

const ring = ringOf(z.tuple([longitude, latitude]))

const area = z
  .strictObject({ type: z.literal('Polygon'), coordinates: z.tuple([ring]) })
  .superRefine(({ coordinates }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['coordinates'], message })
    if (coordinates[0].length > maxAreaPositions)
      return refuse(`must have at most ${maxAreaPositions} positions`)
    const problem = findPolygonProblem([coordinates as Position[][]])
    if (problem) refuse(problem.what)
  })

const radiusMeters = z.number().int().min(0).max(maxRadiusMeters)
const wishes = {
  types: z
    .array(z.enum(incidentTypes))
    .max(incidentTypes.length)
    .meta({ description: 'Empty: all types. Not for an incident' }),
  news: z.enum(newsChoices).meta({ description: 'New incidents, their progress, or both' }),
  frequency: z.enum(frequencies),
  notices: z.boolean().meta({
    description: 'Also notices that the association sends to this place, at once. Not for an incident',
  }),
}

export const newSubscription = z.strictObject({
  email: z.email('must be an email address').max(254),
  about: z.discriminatedUnion('topic', [
    z.strictObject({ topic: z.literal('incident'), id: featureId }),
    z.strictObject({ topic: z.literal('parcel'), id: featureId, radiusMeters }),
    z.strictObject({ topic: z.literal('area'), area }),
    z.strictObject({ topic: z.literal('map') }),
  ]),
  types: wishes.types.default([]),
  news: wishes.news.default('all'),
  frequency: wishes.frequency.default('immediately'),
  notices: wishes.notices.default(false),
})
export type NewSubscription = z.input<typeof newSubscription>

/** The same for every address, so that strangers do not learn who is subscribed. */
export const subscriptionAnswer = z.object({ sentTo: z.string() })

export const subscriptionChange = z
  .strictObject({ ...wishes, radiusMeters: radiusMeters.meta({ description: 'For a parcel' }) })
  .partial()
export type SubscriptionChange = z.infer<typeof subscriptionChange>

export const subscription = z.object({
  id: changeId,
  topic: z.enum(topics),
  featureId: featureId.nullable(),
  name: z.string().nullable().meta({ description: 'Name of the incident or parcel, if it is on the map' }),
  radiusMeters: radiusMeters.nullable(),
  area: z.unknown().meta({ description: 'GeoJSON polygon, or null' }),
  ...wishes,
  isConfirmed: z.boolean(),
})
export type Subscription = z.infer<typeof subscription>

/** Those that have not ended. */
export const ownSubscriptions = z.object({
  email: z.string(),
  association: z.string(),
  items: z.array(subscription),
})
export type OwnSubscriptions = z.infer<typeof ownSubscriptions>
