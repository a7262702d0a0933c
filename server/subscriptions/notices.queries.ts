import { boxAround } from '#domain/geometry/box.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import type { FeatureColumns, NoticesTable } from '../database/tables.ts'

export type AreaFeature = Pick<
  FeatureColumns,
  'id' | 'kind' | 'geometry' | 'west' | 'south' | 'east' | 'north'
>

const idsAtOnce = 500

export async function readAreaFeatures(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<AreaFeature[]> {
  const rows: AreaFeature[] = []
  for (let start = 0; start < ids.length; start += idsAtOnce)
    rows.push(
      ...(await read
        .selectFrom('features')
        .select(['id', 'kind', 'geometry', 'west', 'south', 'east', 'north'])
        .where('map_id', '=', mapId)
        .where('id', 'in', ids.slice(start, start + idsAtOnce))
        .execute()),
    )
  return rows
}

/** Those whose extent is near the extent of all features. */
export function listParcelsAround(
  database: Database,
  caller: QueueClient,
  { features, meters }: { features: readonly AreaFeature[]; meters: number },
  limit: number,
): Promise<{ id: string; geometry: string }[]> {
  const { mapId } = caller
  const box = boxAround(features)
  if (!box) return Promise.resolve([])
  const [perLng, perLat] = scaleAt(Math.min(89, Math.max(Math.abs(box.south), Math.abs(box.north))))
  const [x, y] = [meters / perLng, meters / perLat]
  const around = { west: box.west - x, south: box.south - y, east: box.east + x, north: box.north + y }
  return database.readInWorker(caller, (read) =>
    read
      .selectFrom('features')
      .select(['id', 'geometry'])
      .where('map_id', '=', mapId)
      .where('kind', '=', 'parcel')
      .where(database.dialect.intersects(mapId, around))
      .limit(limit)
      .execute(),
  )
}

type Key = { mapId: string; id: string }

export const readNotice = (read: ReadDatabase, { mapId, id }: Key) =>
  read.selectFrom('notices').selectAll().where('map_id', '=', mapId).where('id', '=', id).executeTakeFirst()

export async function countNoticesSince(read: ReadDatabase, mapId: string, since: number): Promise<number> {
  const { count } = await read
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('map_id', '=', mapId)
    .where('sent_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertNotice = (transaction: WriteTransaction, row: NoticesTable) =>
  transaction.insertInto('notices').values(row).execute()

/** False if they were queued before. */
export async function noteQueued(transaction: WriteTransaction, { mapId, id }: Key, now: number) {
  const { numUpdatedRows } = await transaction
    .updateTable('notices')
    .set({ queued_at: now })
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .where('queued_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
