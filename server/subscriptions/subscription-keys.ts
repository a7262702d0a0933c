import { createHash } from 'node:crypto'
import type { SubscriptionsTable } from '../database/tables.ts'

// Only emails to the address have the keys. They are derived from a secret, so that each email can have them again.

type WithSecret = Pick<SubscriptionsTable, 'secret'>

const derive = (purpose: string, { secret }: WithSecret) =>
  createHash('sha256').update(`${purpose} ${secret}`).digest('hex').slice(0, 32)

/** Confirms the address, and opens its subscriptions on the map. */
export const keyOfSubscription = (row: WithSecret) => derive('subscription', row)

/** Only ends emails. */
export const endTokenOf = (row: WithSecret) => derive('unsubscribe', row)

type Key = Pick<SubscriptionsTable, 'map_id' | 'id' | 'secret'>

export const manageUrlOf = (publicUrl: string, row: Key) =>
  `${publicUrl}/updates/${encodeURIComponent(row.map_id)}/${row.id}#${keyOfSubscription(row)}`

export const unsubscribeUrlOf = (publicUrl: string, row: Key, ends: 'one' | 'digest' = 'one') =>
  `${publicUrl}/api/maps/${encodeURIComponent(row.map_id)}/subscriptions/${row.id}/unsubscribe?token=${endTokenOf(row)}${ends === 'one' ? '' : `&ends=${ends}`}`
