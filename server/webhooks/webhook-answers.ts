import type { Delivery, Endpoint } from '#domain/webhooks/webhook.schema.ts'
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../database/tables.ts'

const instantOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())

export function toEndpoint(
  row: WebhookEndpointsTable,
  last: WebhookDeliveriesTable | undefined = undefined,
): Endpoint {
  const { off_at: offAt, off_reason: reason, former_until: formerUntil } = row
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: JSON.parse(row.events),
    kinds: JSON.parse(row.kinds),
    isOn: offAt === null,
    off: offAt === null || reason === null ? null : { at: new Date(offAt).toISOString(), reason },
    formerSecretUntil: instantOf(formerUntil !== null && formerUntil > Date.now() ? formerUntil : null),
    createdAt: new Date(row.created_at).toISOString(),
    createdBy: row.created_by,
    version: row.version,
    last: last ? toDelivery(last) : null,
  }
}

export function toDelivery(row: WebhookDeliveriesTable): Delivery {
  return {
    id: row.id,
    event: row.event,
    subject: row.subject,
    at: new Date(row.at).toISOString(),
    state: row.next_try_at !== null ? 'waiting' : row.delivered_at !== null ? 'delivered' : 'failed',
    tries: row.tries,
    triedAt: instantOf(row.tried_at),
    nextTryAt: instantOf(row.next_try_at),
    status: row.status,
    tookMs: row.took_ms,
    error: row.error,
  }
}
