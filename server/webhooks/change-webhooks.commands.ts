import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import {
  type EndpointChange,
  maxEndpoints,
  type NewEndpoint,
  type SecretChange,
} from '#domain/webhooks/webhook.schema.ts'
import { testEvent } from '#domain/webhooks/webhook-event.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { WebhookDeliveriesTable, WebhookEndpointsTable } from '../database/tables.ts'
import {
  ConflictError,
  type Expectation,
  expectVersion,
  NotFoundError,
  RefusedError,
} from '../domain-error.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { ForbiddenAddressError, findAddresses, type Guard, readUrl } from './find-addresses.ts'
import { newSecret } from './sign.ts'
import { toEndpoint } from './webhook-answers.ts'
import {
  deleteEndpoint,
  type EndpointKey,
  failWaiting,
  insertDelivery,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  readDelivery,
  readWaitingTest,
  updateDelivery,
  updateEndpoint,
} from './webhooks.queries.ts'

const dayMs = 86_400_000

export type Request = EndpointKey & { person: Person; isExpected: Expectation }

/** The host of a webhook that is off may be gone, but its address is still a URL. */
async function requireAllowedAddress(url: string, guard: Guard, isOn = true): Promise<void> {
  try {
    if (isOn) await findAddresses(url, guard)
    else readUrl(url)
  } catch (error) {
    if (error instanceof ForbiddenAddressError) throw new RefusedError('url', error.message)
    throw error
  }
}

export async function addWebhook(
  database: Database,
  { mapId, person, guard }: { mapId: string; person: Person; guard: Guard },
  { id, url, description, events, kinds }: NewEndpoint,
): Promise<WebhookEndpointsTable> {
  await requireAllowedAddress(url, guard)
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await listEndpoints(transaction, mapId)
    if (current.some((row) => row.id === id))
      throw new ConflictError('A webhook with this id already exists.')
    if (current.length >= maxEndpoints)
      throw new ConflictError(`A map can have at most ${maxEndpoints} webhooks.`)
    const now = Date.now()
    const row: WebhookEndpointsTable = {
      map_id: mapId,
      id,
      url,
      description,
      events: JSON.stringify(events),
      kinds: JSON.stringify(kinds),
      secret: newSecret(),
      former_secret: null,
      former_until: null,
      off_at: null,
      off_reason: null,
      version: 1,
      created_at: now,
      created_by: person.name,
      served_at: now,
      locked_until: null,
      locked_by: null,
    }
    await insertEndpoint(transaction, row)
    await recordActivity(transaction, row, person, 'webhook.added', now)
    return row
  })
}

/** Disabling a webhook also cancels its waiting deliveries. */
export async function changeWebhook(
  database: Database,
  { guard, ...request }: Request & { guard: Guard },
  { url, description, events, kinds, isOn }: EndpointChange,
): Promise<WebhookEndpointsTable> {
  await requireAllowedAddress(url, guard, isOn)
  return change(database, request, 'webhook.changed', (row, now) => ({
    url,
    description,
    events: JSON.stringify(events),
    kinds: JSON.stringify(kinds),
    ...(isOn ? { off_at: null, off_reason: null } : {}),
    ...(!isOn && row.off_at === null ? { off_at: now, off_reason: 'switched-off' } : {}),
  }))
}

/** The previous secret signs as well for a day, or ends at once if it leaked. */
export function changeSecret(
  database: Database,
  request: Request,
  { formerEnds }: SecretChange,
): Promise<WebhookEndpointsTable> {
  return change(database, request, 'webhook.secret-changed', (row, now) =>
    formerEnds === 'at-once'
      ? { secret: newSecret(), former_secret: null, former_until: null }
      : { secret: newSecret(), former_secret: row.secret, former_until: now + dayMs },
  )
}

export function removeWebhook(database: Database, request: Request): Promise<void> {
  return database.write(async (transaction) => {
    const row = await lockWebhook(database, transaction, request)
    await deleteEndpoint(transaction, request)
    await recordActivity(transaction, row, request.person, 'webhook.removed', Date.now())
  })
}

/** Returns the waiting test if there is one. */
export function sendTest(database: Database, key: EndpointKey): Promise<WebhookDeliveriesTable> {
  return database.write(async (transaction) => {
    await lockActive(database, transaction, key)
    const waiting = await readWaitingTest(transaction, key)
    if (waiting) return waiting
    const now = Date.now()
    const row: WebhookDeliveriesTable = {
      map_id: key.mapId,
      id: `msg_${randomUUID()}`,
      endpoint_id: key.id,
      event: testEvent,
      subject: null,
      kind: null,
      version: null,
      at: now,
      next_try_at: now,
      tries: 0,
      tried_at: null,
      status: null,
      took_ms: null,
      error: null,
      delivered_at: null,
    }
    await insertDelivery(transaction, row)
    return row
  })
}

/** Queues a delivery again, under the same id so that a receiver recognizes it. */
export function repeatDelivery(
  database: Database,
  key: EndpointKey,
  deliveryId: string,
): Promise<WebhookDeliveriesTable> {
  return database.write(async (transaction) => {
    await lockActive(database, transaction, key)
    const row = await readDelivery(transaction, key, deliveryId)
    if (!row) throw new NotFoundError(`Webhook ${key.id} has no delivery ${deliveryId}.`)
    const again = {
      next_try_at: Date.now(),
      ...(row.next_try_at === null && { tries: 0, delivered_at: null }),
    }
    await updateDelivery(transaction, row, again)
    return { ...row, ...again }
  })
}

type Decide = (row: WebhookEndpointsTable, now: number) => Partial<WebhookEndpointsTable>

function change(
  database: Database,
  request: Request,
  action: ActivityAction,
  decide: Decide,
): Promise<WebhookEndpointsTable> {
  return database.write(async (transaction) => {
    const row = await lockWebhook(database, transaction, request)
    const now = Date.now()
    const columns = { ...decide(row, now), version: row.version + 1 }
    await updateEndpoint(transaction, request, columns)
    const changed = { ...row, ...columns }
    // Also when it is enabled: deliveries may have been added while it was being disabled.
    if (row.off_at !== null || changed.off_at !== null) await failWaiting(transaction, request)
    await recordActivity(transaction, changed, request.person, action, now)
    return changed
  })
}

async function lock(database: Database, transaction: WriteTransaction, { mapId, id }: EndpointKey) {
  await lockOpenMap(database, transaction, mapId)
  const row = await lockEndpoint(database, transaction, { mapId, id })
  if (!row) throw new NotFoundError(`Map ${mapId} has no webhook ${id}.`)
  return row
}

async function lockWebhook(database: Database, transaction: WriteTransaction, request: Request) {
  const row = await lock(database, transaction, request)
  expectVersion(request.isExpected, row.version, 'The webhook', toEndpoint(row))
  return row
}

async function lockActive(database: Database, transaction: WriteTransaction, key: EndpointKey) {
  const { off_at: offAt } = await lock(database, transaction, key)
  if (offAt !== null) throw new ConflictError('The webhook is off. Turn it on first.')
}

/** Records only the host: the rest of an address may be as secret as a password. */
function recordActivity(
  transaction: WriteTransaction,
  { map_id: mapId, id, url }: WebhookEndpointsTable,
  person: Person,
  action: ActivityAction,
  now: number,
) {
  const details = { host: new URL(url).host }
  return insertActivity(transaction, { mapId, action, actor: person, subject: id, details }, now)
}
