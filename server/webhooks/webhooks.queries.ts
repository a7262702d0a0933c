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
  const error = 'The webhook was switched off before it was sent.'
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
