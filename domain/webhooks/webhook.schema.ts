import { z } from 'zod'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { changeId, instant, text } from '#domain/values/common.schema.ts'
import { testEvent, type WebhookEvent, webhookEvents } from './webhook-event.ts'

export const maxEndpoints = 20
export const urlLength = 1_000
export const descriptionLength = 200

const eventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]
const kindNames = Object.keys(definitions) as [DefinedKind, ...DefinedKind[]]

const each = <Value extends string>(values: readonly [Value, ...Value[]]) =>
  z
    .array(z.enum(values))
    .max(values.length)
    .refine((given) => new Set(given).size === given.length, 'must list each value once')

const settings = {
  url: text(urlLength).meta({ description: 'Where events are sent. Must use https on port 443 or 8443' }),
  description: text(descriptionLength),
  events: each(eventNames).min(1, 'must have at least one event'),
  kinds: each(kindNames).meta({
    description: 'Sends events of single records only for these kinds. Empty means all kinds',
  }),
}

/** The client chooses the id, so that a repeated request creates one endpoint. */
export const newEndpoint = z.strictObject({ id: changeId, ...settings })
export type NewEndpoint = z.infer<typeof newEndpoint>

export const endpointChange = z.strictObject({ ...settings, isOn: z.boolean() })
export type EndpointChange = z.infer<typeof endpointChange>

/** `gone`: the receiver answered 410. `failing`: a delivery failed too often. */
export const offReasons = ['switched-off', 'gone', 'failing'] as const
export type OffReason = (typeof offReasons)[number]

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const

export const delivery = z.object({
  id: z.string().meta({ description: 'Sent in the header `webhook-id`' }),
  event: z.enum([...eventNames, testEvent]),
  subject: z.string().nullable(),
  at: instant.meta({ description: 'When the event happened' }),
  state: z.enum(deliveryStates),
  tries: z.number().int(),
  triedAt: instant.nullable(),
  nextTryAt: instant.nullable(),
  status: z.number().int().nullable().meta({ description: 'HTTP status of the last response' }),
  tookMs: z.number().int().nullable(),
  error: z.string().nullable(),
})
export type Delivery = z.infer<typeof delivery>

export const deliveryPage = z.object({ items: z.array(delivery), next: z.string().nullable() })
export type DeliveryPage = z.infer<typeof deliveryPage>

export const endpoint = z.object({
  id: z.string(),
  ...settings,
  isOn: z.boolean(),
  off: z.object({ at: instant, reason: z.enum(offReasons) }).nullable(),
  formerSecretUntil: instant.nullable(),
  createdAt: instant,
  createdBy: z.string(),
  version: z.number().int(),
  last: delivery.nullable().meta({ description: 'The most recent delivery' }),
})
export type Endpoint = z.infer<typeof endpoint>

export const endpoints = z.object({ items: z.array(endpoint) })
export type Endpoints = z.infer<typeof endpoints>

/** The only responses with the secret. */
export const endpointWithSecret = endpoint.extend({ secret: z.string() })
export type EndpointWithSecret = z.infer<typeof endpointWithSecret>

export const secretChange = z.strictObject({
  formerEnds: z.enum(['at-once', 'after-a-day']),
})
export type SecretChange = z.infer<typeof secretChange>
