import { sql } from 'kysely'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../database/tables.ts'

// Leases endpoints instead of deliveries: each endpoint gets one message at a time, and a slow one delays no
// other.

export type Turn = { endpoint: WebhookEndpointsTable; delivery: WebhookDeliveriesTable }

const mostOfMap = 4

const isDue = (now: number) =>
  sql<boolean>`off_at is null and (locked_until is null or locked_until <= ${now})
    and (select count(*) from webhook_endpoints as other
      where other.map_id = webhook_endpoints.map_id and other.locked_until > ${now}) < ${mostOfMap}
    and exists (
    select 1 from webhook_deliveries as delivery
    where delivery.map_id = webhook_endpoints.map_id and delivery.endpoint_id = webhook_endpoints.id
      and delivery.next_try_at <= ${now})`

export async function isAnyDeliveryDue(read: ReadDatabase, now: number): Promise<boolean> {
  const endpoint = await read
    .selectFrom('webhook_endpoints')
    .select('id')
    .where(isDue(now))
    .limit(1)
    .executeTakeFirst()
  return endpoint !== undefined
}

type Lease = { owner: string; now: number; leaseMs: number }

/** Leases the endpoint that has waited longest, with the delivery that has been due longest. */
export function takeTurn(
  { write, engine }: Database,
  { owner, now, leaseMs }: Lease,
): Promise<Turn | undefined> {
  return write(async (transaction) => {
    const endpoint = await transaction
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where(isDue(now))
      .orderBy('served_at')
      .limit(1)
      .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst()
    if (!endpoint) return undefined
    const delivery = await transaction
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('map_id', '=', endpoint.map_id)
      .where('endpoint_id', '=', endpoint.id)
      .where('next_try_at', '<=', now)
      .orderBy('next_try_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!delivery) return undefined
    await transaction
      .updateTable('webhook_endpoints')
      .set({ locked_by: owner, locked_until: now + leaseMs, served_at: now })
      .where('map_id', '=', endpoint.map_id)
      .where('id', '=', endpoint.id)
      .execute()
    return { endpoint, delivery }
  })
}

export async function releaseEndpoint(
  transaction: WriteTransaction,
  { endpoint }: Turn,
  owner: string,
): Promise<'on' | 'off' | 'lost'> {
  const row = await transaction
    .updateTable('webhook_endpoints')
    .set({ locked_by: null, locked_until: null })
    .where('map_id', '=', endpoint.map_id)
    .where('id', '=', endpoint.id)
    .where('locked_by', '=', owner)
    .returning('off_at')
    .executeTakeFirst()
  if (!row) return 'lost'
  return row.off_at === null ? 'on' : 'off'
}

/** Returns false if the endpoint was changed since it was leased: the outcome belongs to its old address. */
export async function switchOff(
  transaction: WriteTransaction,
  { endpoint: { map_id, id, version } }: Turn,
  columns: Pick<WebhookEndpointsTable, 'off_at' | 'off_reason'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_endpoints')
    .set({ ...columns, version: version + 1 })
    .where('map_id', '=', map_id)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
