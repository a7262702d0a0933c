import type { SubscriptionsTable } from '#server/database/tables.ts'

/** Confirmed, about the whole map. */
export const aSubscriptionRow = (columns: Partial<SubscriptionsTable> = {}): SubscriptionsTable => ({
  map_id: 'oak-hills',
  id: 'follower',
  email: 'ann@example.org',
  topic: 'map',
  feature_id: null,
  radius_meters: null,
  area: null,
  about_hash: 'ann',
  types: '[]',
  news: 'all',
  frequency: 'immediately',
  secret: 'ef'.repeat(32),
  asked_at: 0,
  requests: 1,
  confirmed_at: 0,
  ended_at: null,
  digested_at: null,
  refusals: 0,
  notices: 0,
  delays: null,
  ...columns,
})
