import type { Client } from '#domain/clients/client.schema.ts'
import { foldText } from '#domain/values/text.ts'
import type { WriteTransaction } from '../database/database.ts'

export async function insertMap(transaction: WriteTransaction, mapId: string, now: number) {
  await transaction.insertInto('maps').values({ map_id: mapId, created_at: now, updated_at: now }).execute()
}

/** Returns false if the map exists, also if a concurrent transaction inserted it. */
export async function insertMapUnlessThere(transaction: WriteTransaction, mapId: string, now: number) {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('maps')
    .values({ map_id: mapId, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}

type NewRow = { id: string; name: string; location: string; thumbnail: string | null }

export async function insertClient(transaction: WriteTransaction, client: NewRow, now: number) {
  await insertMap(transaction, client.id, now)
  await insertClientOfMap(transaction, client, now)
}

export async function insertClientOfMap(transaction: WriteTransaction, client: NewRow, now: number) {
  await transaction
    .insertInto('clients')
    .values({
      map_id: client.id,
      name: client.name,
      location: client.location,
      thumbnail: client.thumbnail,
      ...searchColumns(client),
      created_at: now,
      updated_at: now,
      archived_at: null,
    })
    .execute()
}

type Change = { name: string; location: string; time_zone: string | null } | { archived_at: number | null }

export async function updateClient(
  transaction: WriteTransaction,
  { id, version }: Pick<Client, 'id' | 'version'>,
  change: Change,
  now: number,
) {
  const sought = 'name' in change ? searchColumns(change) : {}
  await transaction
    .updateTable('clients')
    .set({ ...change, ...sought, version: version + 1, updated_at: now })
    .where('map_id', '=', id)
    .execute()
}

export async function readMapIdsBetween(transaction: WriteTransaction, first: string, end: string) {
  const rows = await transaction
    .selectFrom('maps')
    .select('map_id')
    .where('map_id', '>=', first)
    .where('map_id', '<', end)
    .execute()
  return new Set(rows.map((row) => row.map_id))
}

function searchColumns({ name, location }: { name: string; location: string }) {
  // No search contains a line break, so no match spans name and location.
  return { list_order: foldText(name), search_text: `${foldText(name)}\n${foldText(location)}` }
}
