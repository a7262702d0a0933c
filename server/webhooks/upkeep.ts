import type { Database } from '../database/database.ts'
import { forgetOld } from './webhooks.queries.ts'

const keptMs = 30 * 86_400_000

/** Forgets deliveries that happened more than 30 days ago and are over. */
export async function keepWebhooksTidy(database: Database, now: number): Promise<void> {
  await database.write((transaction) => forgetOld(transaction, { before: now - keptMs, now }))
}
