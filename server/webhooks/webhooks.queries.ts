import { sql } from 'kysely'
import { testEvent } from '#domain/webhooks/webhook-event.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../database/tables.ts'

// Transactions that write to both tables lock the endpoint before its deliveries, so that they cannot
// deadlock.

export type EndpointKey = { mapId: string; id: string }

const selectEndpoint = (read: ReadDatabase, { mapId, id }: EndpointKey) =>
  read
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where(({ and }) => and({ map_id: mapId, id }))

const selectDeliveries = (read: ReadDatabase, { mapId, id }: EndpointKey) =>
  read
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where(({ and }) => and({ map_id: mapId, endpoint_id: id }))

export function readEndpoint(
  read: ReadDatabase,
  key: EndpointKey,
): Promise<WebhookEndpointsTable | undefined> {
  return selectEndpoint(read, key).executeTakeFirst()
}

export function lockEndpoint(
  { dialect }: Database,
  transaction: WriteTransaction,
  key: EndpointKey,
): Promise<WebhookEndpointsTable | undefined> {
  return dialect.lockForUpdate(selectEndpoint(transaction, key)).executeTakeFirst()
}

export function listEndpoints(read: ReadDatabase, mapId: string): Promise<WebhookEndpointsTable[]> {
  return read
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('map_id', '=', mapId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertEndpoint(transaction: WriteTransaction, row: WebhookEndpointsTable) {
  await transaction.insertInto('webhook_endpoints').values(row).execute()
}

export async function updateEndpoint(
  transaction: WriteTransaction,
  { mapId, id }: EndpointKey,
  columns: Partial<WebhookEndpointsTable>,
) {
  await transaction
    .updateTable('webhook_endpoints')
    .set(columns)
    .where(({ and }) => and({ map_id: mapId, id }))
    .execute()
}

export async function deleteEndpoint(transaction: WriteTransaction, { mapId, id }: EndpointKey) {
  await transaction
    .deleteFrom('webhook_endpoints')
    .where(({ and }) => and({ map_id: mapId, id }))
    .execute()
  await transaction
    .deleteFrom('webhook_deliveries')
    .where(({ and }) => and({ map_id: mapId, endpoint_id: id }))
    .execute()
}

export async function failWaiting(transaction: WriteTransaction, { mapId, id }: EndpointKey) {
  const error = 'The webhook was turned off before the event was sent.'
  await transaction
    .updateTable('webhook_deliveries')
    .set({ next_try_at: null, error })
    .where(({ and }) => and({ map_id: mapId, endpoint_id: id }))
    .where('next_try_at', 'is not', null)
    .execute()
}

export type DeliveryPosition = { at: number; id: string }

export function listDeliveries(
  read: ReadDatabase,
  endpoint: EndpointKey,
  { limit, after }: { limit: number; after: DeliveryPosition | undefined },
): Promise<WebhookDeliveriesTable[]> {
  return selectDeliveries(read, endpoint)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${sql.join([after?.at ?? 0, after?.id ?? ''])})`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function readLastTried(
  read: ReadDatabase,
  endpoint: EndpointKey,
): Promise<WebhookDeliveriesTable | undefined> {
  return selectDeliveries(read, endpoint)
    .where('tried_at', 'is not', null)
    .orderBy('tried_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function readDelivery(
  read: ReadDatabase,
  endpoint: EndpointKey,
  deliveryId: string,
): Promise<WebhookDeliveriesTable | undefined> {
  return selectDeliveries(read, endpoint).where('id', '=', deliveryId).executeTakeFirst()
}

export function readWaitingTest(
  read: ReadDatabase,
  endpoint: EndpointKey,
): Promise<WebhookDeliveriesTable | undefined> {
  return selectDeliveries(read, endpoint)
    .where('event', '=', testEvent)
    .where('next_try_at', 'is not', null)
    .executeTakeFirst()
}

export async function insertDelivery(transaction: WriteTransaction, row: WebhookDeliveriesTable) {
  await transaction.insertInto('webhook_deliveries').values(row).execute()
}

export async function updateDelivery(
  transaction: WriteTransaction,
  { map_id, id, tries }: Pick<WebhookDeliveriesTable, 'map_id' | 'id' | 'tries'>,
  columns: Partial<WebhookDeliveriesTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_deliveries')
    .set(columns)
    .where(({ and }) => and({ map_id, id, tries }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const retainedMs = 30 * 86_400_000

/** Keeps finished deliveries for 30 days. */
export async function removeOldDeliveries({ write }: Database, now: number) {
  await write(async (transaction) => {
    await transaction
      .deleteFrom('webhook_deliveries')
      .where('at', '<', now - retainedMs)
      .where('next_try_at', 'is', null)
      .execute()
    await transaction
      .deleteFrom('webhook_deliveries')
      .where(
        sql<boolean>`not exists (select 1 from webhook_endpoints as endpoint
          where endpoint.map_id = webhook_deliveries.map_id and endpoint.id = webhook_deliveries.endpoint_id)`,
      )
      .execute()
    await transaction
      .updateTable('webhook_endpoints')
      .set({ former_secret: null, former_until: null })
      .where('former_until', '<=', now)
      .execute()
  })
}

// Leases endpoints instead of deliveries: each endpoint gets one message at a time, and a slow one delays no
// other.

export type Turn = { endpoint: WebhookEndpointsTable; delivery: WebhookDeliveriesTable }

const maxOfMap = 4

const isDue = (now: number) =>
  sql<boolean>`off_at is null and (locked_until is null or locked_until <= ${now})
    and (select count(*) from webhook_endpoints as other
      where other.map_id = webhook_endpoints.map_id and other.locked_until > ${now}) < ${maxOfMap}
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
