import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '#server/database/tables.ts'
import { someInstant } from '#test/databases/feature-builders.ts'

export const anEndpointRow = (columns: Partial<WebhookEndpointsTable> = {}): WebhookEndpointsTable => ({
  map_id: 'oak-hills',
  id: 'hook',
  url: 'https://8.8.8.8/hook',
  description: '',
  events: '["feature.added"]',
  kinds: '[]',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  former_secret: null,
  former_until: null,
  off_at: null,
  off_reason: null,
  version: 1,
  created_at: someInstant,
  created_by: 'Maya Ortiz',
  served_at: someInstant,
  locked_until: null,
  locked_by: null,
  ...columns,
})

export const aDeliveryRow = (columns: Partial<WebhookDeliveriesTable> = {}): WebhookDeliveriesTable => ({
  map_id: 'oak-hills',
  id: 'sent',
  endpoint_id: 'hook',
  event: 'feature.added',
  subject: 'tank',
  kind: 'asset',
  version: 1,
  at: someInstant,
  next_try_at: null,
  tries: 1,
  tried_at: someInstant,
  status: 204,
  took_ms: 12,
  error: null,
  delivered_at: someInstant,
  ...columns,
})
