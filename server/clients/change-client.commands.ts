import type { Person } from '#domain/access/session.schema.ts'
import type { Client, ClientChange } from '#domain/clients/client.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { type Expectation, expectVersion, NotFoundError } from '../domain-error.ts'
import { lockMap, readAnyClient } from './client-rows.queries.ts'
import { updateClient } from './store-clients.queries.ts'

type Request = { mapId: string; person: Person }

export function changeClient(
  database: Database,
  { mapId, person, isExpected }: Request & { isExpected: Expectation },
  change: ClientChange,
): Promise<Client> {
  return database.write(async (transaction) => {
    const client = await lockClient(database, transaction, mapId)
    if (client.archivedAt !== null) throw noClient(mapId)
    expectVersion(isExpected, client.version, `Client ${mapId}`)
    const { name, location, timeZone } = client
    const before = { name, location, timeZone }
    const after = { ...before, ...change }
    if (isEqual(after, before)) return client
    const now = Date.now()
    await updateClient(
      transaction,
      client,
      { name: after.name, location: after.location, time_zone: after.timeZone },
      now,
    )
    const activity = { mapId, action: 'client.changed', actor: person, subject: mapId } as const
    await recordActivity(transaction, { ...activity, details: { before, after } }, now)
    return lockClient(database, transaction, mapId)
  })
}

/** Closes the map to everyone. Archiving an archived client changes nothing. */
export function archiveClient(database: Database, request: Request): Promise<Client> {
  return setArchived(database, request, true)
}

export function restoreClient(database: Database, request: Request): Promise<Client> {
  return setArchived(database, request, false)
}

function setArchived(database: Database, { mapId, person }: Request, isArchived: boolean): Promise<Client> {
  return database.write(async (transaction) => {
    const client = await lockClient(database, transaction, mapId)
    if ((client.archivedAt !== null) === isArchived) return client
    const now = Date.now()
    await updateClient(transaction, client, { archived_at: isArchived ? now : null }, now)
    const activity = {
      mapId,
      action: isArchived ? 'client.archived' : 'client.restored',
      actor: person,
      subject: mapId,
      details: { name: client.name },
    } as const
    await recordActivity(transaction, activity, now)
    return lockClient(database, transaction, mapId)
  })
}

async function lockClient(database: Database, transaction: WriteTransaction, mapId: string) {
  await lockMap(database, transaction, mapId)
  const client = await readAnyClient(transaction, mapId)
  if (!client) throw noClient(mapId)
  return client
}

function noClient(mapId: string) {
  return new NotFoundError(`There is no client ${mapId}.`)
}
