import { sql } from 'kysely'
import type { MapRanking, RankedFeature, Ranks } from '#domain/thinning/rank-features.ts'
import type { WriteTransaction } from '../database/database.ts'

const rowsPerPage = 5_000
const rowsPerUpdate = 1_000

export const rankedColumns = ['id', 'kind', 'shape', 'type', 'date', 'size', 'morton'] as const

type Row = RankedFeature & Ranks

const order = ['min_zoom', 'morton', 'id'] as const
const orderColumns = sql.join(order.map((column) => sql.ref(column)))

export async function readIntoRanking(
  transaction: WriteTransaction,
  mapId: string,
  ranking: MapRanking,
  isLeftOut: (id: string) => boolean = () => false,
) {
  let last: Row | undefined
  do {
    const after = last
    const rows: Row[] = await transaction
      .selectFrom('features')
      .select([...rankedColumns, 'min_zoom', 'type_min_zoom'])
      .where('map_id', '=', mapId)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(${orderColumns}) > (${sql.join(order.map((column) => after?.[column]))})`),
      )
      .orderBy(orderColumns)
      .limit(rowsPerPage)
      .execute()
    for (const row of rows) if (!isLeftOut(row.id)) ranking.add(row, row)
    last = rows.length === rowsPerPage ? rows.at(-1) : undefined
  } while (last)
}

export async function writeRanks(
  transaction: WriteTransaction,
  mapId: string,
  changes: Iterable<{ id: string } & Ranks>,
) {
  let batch: ({ id: string } & Ranks)[] = []
  for (const change of changes) {
    batch.push(change)
    if (batch.length < rowsPerUpdate) continue
    await updateRanks(transaction, mapId, batch)
    batch = []
  }
  if (batch.length > 0) await updateRanks(transaction, mapId, batch)
}

async function updateRanks(
  transaction: WriteTransaction,
  mapId: string,
  changes: readonly ({ id: string } & Ranks)[],
) {
  const rows = changes.map(
    ({ id, min_zoom, type_min_zoom }) =>
      sql`(${id}, cast(${min_zoom} as integer), cast(${type_min_zoom} as integer))`,
  )
  await sql`
    with changed (id, min_zoom, type_min_zoom) as (values ${sql.join(rows)})
    update features
    set min_zoom = changed.min_zoom, type_min_zoom = changed.type_min_zoom
    from changed
    where features.map_id = ${mapId} and features.id = changed.id`.execute(transaction)
}
