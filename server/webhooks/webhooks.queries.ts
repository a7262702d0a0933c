import { sql } from 'kysely'
import { testEvent } from '#domain/webhooks/webhook-event.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../database/tables.ts'

// Whoever writes to both takes the row of the endpoint before those of its deliveries: so nobody waits in a circle.

export type EndpointKey = { mapId: string; id: string }

export async function readEndpoint(
  read: ReadDatabase,
  { mapId, id }: EndpointKey,
): Promise<WebhookEndpointsTable | undefined> {
  return read
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The same, and nobody else changes it until the transaction ends. */
export async function holdEndpoint(
  { dialect }: Database,
  transaction: WriteTransaction,
  { mapId, id }: EndpointKey,
): Promise<WebhookEndpointsTable | undefined> {
  const row = transaction
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
  return dialect.lockForUpdate(row).executeTakeFirst()
}

/** Those of a map, in the order in which they came. */
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
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .execute()
}

/** With all that was sent to it. */
export async function deleteEndpoint(transaction: WriteTransaction, { mapId, id }: EndpointKey) {
  await transaction.deleteFrom('webhook_endpoints').where('map_id', '=', mapId).where('id', '=', id).execute()
  await transaction
    .deleteFrom('webhook_deliveries')
    .where('map_id', '=', mapId)
    .where('endpoint_id', '=', id)
    .execute()
}

/** What waits for an endpoint that was switched off is over. */
export async function failWaiting(transaction: WriteTransaction, { mapId, id }: EndpointKey) {
  const error = 'The webhook was switched off before it was sent.'
  await transaction
    .updateTable('webhook_deliveries')
    .set({ next_try_at: null, error })
    .where('map_id', '=', mapId)
    .where('endpoint_id', '=', id)
    .where('next_try_at', 'is not', null)
    .execute()
}

const deliveriesOf = (read: ReadDatabase, { mapId, id }: EndpointKey) =>
  read.selectFrom('webhook_deliveries').selectAll().where('map_id', '=', mapId).where('endpoint_id', '=', id)

export type DeliveryPosition = { at: number; id: string }

/** Newest first. */
export function listDeliveries(
  read: ReadDatabase,
  endpoint: EndpointKey,
  { limit, after }: { limit: number; after: DeliveryPosition | undefined },
): Promise<WebhookDeliveriesTable[]> {
  return deliveriesOf(read, endpoint)
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
  return deliveriesOf(read, endpoint)
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
  return deliveriesOf(read, endpoint).where('id', '=', deliveryId).executeTakeFirst()
}

/** A test that has not been tried yet. */
export function readWaitingTest(
  read: ReadDatabase,
  { mapId, id }: EndpointKey,
): Promise<WebhookDeliveriesTable | undefined> {
  return read
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('endpoint_id', '=', id)
    .where('event', '=', testEvent)
    .where('next_try_at', 'is not', null)
    .executeTakeFirst()
}

export async function insertDelivery(transaction: WriteTransaction, row: WebhookDeliveriesTable) {
  await transaction.insertInto('webhook_deliveries').values(row).execute()
}

/** `tries` are those that the delivery is known to have had: nobody else has noted one meanwhile. */
export async function updateDelivery(
  transaction: WriteTransaction,
  { map_id, id, tries }: Pick<WebhookDeliveriesTable, 'map_id' | 'id' | 'tries'>,
  columns: Partial<WebhookDeliveriesTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_deliveries')
    .set(columns)
    .where('map_id', '=', map_id)
    .where('id', '=', id)
    .where('tries', '=', tries)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What is over and older, what was for endpoints that are no more, and secrets that do not sign any more. */
export async function forgetOld(
  transaction: WriteTransaction,
  { before, now }: { before: number; now: number },
) {
  await transaction
    .deleteFrom('webhook_deliveries')
    .where('at', '<', before)
    .where('next_try_at', 'is', null)
    .execute()
  await transaction
    .deleteFrom('webhook_deliveries')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_endpoints')
            .select('webhook_endpoints.id')
            .whereRef('webhook_endpoints.map_id', '=', 'webhook_deliveries.map_id')
            .whereRef('webhook_endpoints.id', '=', 'webhook_deliveries.endpoint_id'),
        ),
      ),
    )
    .execute()
  await transaction
    .updateTable('webhook_endpoints')
    .set({ former_secret: null, former_until: null })
    .where('former_until', '<=', now)
    .execute()
}
