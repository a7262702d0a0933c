import { foldText } from '#domain/features/text.ts'
import type { WriteTransaction } from '../database/database.ts'

export async function insertMap(transaction: WriteTransaction, mapId: string, now: number) {
  await transaction.insertInto('maps').values({ map_id: mapId, created_at: now, updated_at: now }).execute()
}

/** A client and its map. */
export async function insertClient(
  transaction: WriteTransaction,
  client: { id: string; name: string; location: string; thumbnail: string | null },
  now: number,
) {
  await insertMap(transaction, client.id, now)
  await transaction
    .insertInto('clients')
    .values({
      map_id: client.id,
      name: client.name,
      location: client.location,
      thumbnail: client.thumbnail,
      list_order: foldText(client.name),
      search_text: foldText(`${client.name} ${client.location}`),
      created_at: now,
      updated_at: now,
      archived_at: null,
    })
    .execute()
}
