import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { updateById } from '../database/update-by-id.ts'

type Key = { mapId: string; id: string }
type OfAddress = { mapId: string; email: string }

const select = (read: ReadDatabase, mapId: string) =>
  read.selectFrom('subscriptions').selectAll().where('map_id', '=', mapId)

const active = (read: ReadDatabase, mapId: string) =>
  select(read, mapId).where('confirmed_at', 'is not', null).where('ended_at', 'is', null)

export const readSubscription = (read: ReadDatabase, { mapId, id }: Key) =>
  select(read, mapId).where('id', '=', id).executeTakeFirst()

export const lockSubscription = ({ dialect }: Database, transaction: WriteTransaction, { mapId, id }: Key) =>
  dialect.lockForUpdate(select(transaction, mapId).where('id', '=', id)).executeTakeFirst()

export const readSubscriptionAbout = (read: ReadDatabase, { mapId, hash }: { mapId: string; hash: string }) =>
  select(read, mapId).where('about_hash', '=', hash).executeTakeFirst()

/** Those that have not ended, oldest first. */
export const listSubscriptionsOf = (read: ReadDatabase, { mapId, email }: OfAddress) =>
  select(read, mapId)
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .orderBy('asked_at')
    .orderBy('id')
    .execute()

/** Includes requests for ended subscriptions. */
export async function countRequestsOf(
  read: ReadDatabase,
  { mapId, email }: OfAddress,
  since: number,
): Promise<number> {
  const { total } = await read
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.sum<number | null>('requests').as('total'))
    .where('map_id', '=', mapId)
    .where('email', '=', email)
    .where('asked_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

/** Confirmed and not ended. */
export const listActive = (read: ReadDatabase, mapId: string) => active(read, mapId).orderBy('id').execute()

/** Subscriptions to a place that agreed to notices. */
export const listNoticeSubscribers = (read: ReadDatabase, mapId: string) =>
  active(read, mapId).where('notices', '=', 1).orderBy('id').execute()

export const listActiveOf = (read: ReadDatabase, { mapId, email }: OfAddress) =>
  active(read, mapId).where('email', '=', email).orderBy('confirmed_at').orderBy('id').execute()

export const insertSubscription = (transaction: WriteTransaction, row: SubscriptionsTable) =>
  transaction.insertInto('subscriptions').values(row).execute()

export const updateSubscription = (
  transaction: WriteTransaction,
  key: Key,
  columns: Partial<SubscriptionsTable>,
) => updateById(transaction, 'subscriptions', key, columns)

const dayMs = 86_400_000

/** Addresses that were not confirmed within a week, and those of subscriptions that ended a month ago. */
export async function eraseSubscribers(transaction: WriteTransaction, now: number) {
  await transaction
    .deleteFrom('subscriptions')
    .where(({ or, and, eb }) =>
      or([
        eb('ended_at', '<', now - 30 * dayMs),
        and([eb('confirmed_at', 'is', null), eb('asked_at', '<', now - 7 * dayMs)]),
      ]),
    )
    .execute()
  await transaction
    .deleteFrom('incident_mails')
    .where('recipient', 'not like', 'staff %')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('subscriptions')
            .select('id')
            .whereRef('subscriptions.map_id', '=', 'incident_mails.map_id')
            .whereRef('subscriptions.id', '=', 'incident_mails.recipient'),
        ),
      ),
    )
    .execute()
}
