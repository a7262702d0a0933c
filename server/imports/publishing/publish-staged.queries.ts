import { sql } from 'kysely'
import { MapRanking, type RankedFeature, type Ranks } from '#domain/tiles/rank-features.ts'
import type { Database, EngineDialect, WriteTransaction } from '../../database/database.ts'
import { rankedColumns, readIntoRanking, writeRanks } from '../../database/rank-map.ts'
import { TableOrder } from '../../database/table-order.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { insertFeatures, removeFeatures } from '../../features/store-features.queries.ts'
import { CountSums, countRows } from '../../ranks/counts.queries.ts'
import { featureColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'
import { inRange, type StagedRange } from './publish.queries.ts'

// Two ways in which staged rows become features: a few one by one through the door that all writers use, many by
// statements that never bring their geometries here. Either leaves the same ranks and counts.

const rowsPerPage = 2_000

/** A few. What replaces a feature takes its place. */
export async function publishOneByOne(
  transaction: WriteTransaction,
  engine: Database['engine'],
  range: StagedRange,
) {
  const rows: FeatureColumns[] = await transaction
    .selectFrom('staged_features')
    .select(featureColumns)
    .where(sql<boolean>`${inRange(range)}`)
    .orderBy('row_number')
    .execute()
  if (rows.length === 0) return
  await removeFeatures(
    transaction,
    engine,
    range.mapId,
    rows.map((row) => row.id),
  )
  await insertFeatures(transaction, engine, rows)
}

/**
 * The ranking of the map as it will be, the number that each staged row has in it, and the rows in the order in which
 * they become features.
 */
export type StagedRanks = { ranking: MapRanking; numbers: Uint32Array; rows: Uint32Array }

/** Many: ranks the whole map with what is staged, before any of it moves. */
export async function rankWithStaged(
  transaction: WriteTransaction,
  key: ImportKey,
  { lastRow, isReplacing }: { lastRow: number; isReplacing: boolean },
): Promise<StagedRanks> {
  const ranking = new MapRanking()
  const numbers = new Uint32Array(lastRow + 1)
  const order = new TableOrder(lastRow + 1)
  const counts = new CountSums()
  for (let first = 0; first <= lastRow; first += rowsPerPage) {
    const range = { ...key, first, last: first + rowsPerPage - 1 }
    const rows: (RankedFeature & { row_number: number; size_zoom: number })[] = await transaction
      .selectFrom('staged_features')
      .select([...rankedColumns, 'size_zoom', 'row_number'])
      .where(sql<boolean>`${inRange(range)}`)
      .orderBy('row_number')
      .execute()
    counts.add(rows, 1)
    for (const row of rows) {
      numbers[row.row_number] = ranking.add(row, null)
      order.add(row.row_number, row)
    }
  }
  const replaced = isReplacing ? await readReplacedIds(transaction, key) : new Set()
  await readIntoRanking(transaction, key.mapId, ranking, (id) => replaced.has(id))
  ranking.rank()
  await writeRanks(transaction, key.mapId, ranking.changes())
  if (isReplacing) await countRows(transaction, key.mapId, replacedBy(key), -1)
  await counts.store(transaction, key.mapId)
  return { ranking, numbers, rows: order.sorted() }
}

async function readReplacedIds(transaction: WriteTransaction, { mapId, importId }: ImportKey) {
  const rows = await transaction
    .selectFrom('import_changes')
    .select('id')
    .where('map_id', '=', mapId)
    .where('import_id', '=', importId)
    .where('previous', 'is not', null)
    .execute()
  return new Set(rows.map((row) => row.id))
}

const replacedBy = ({ mapId, importId }: ImportKey) => sql`
  select kind, shape, type, date from features
  where map_id = ${mapId} and id in (
    select id from import_changes
    where map_id = ${mapId} and import_id = ${importId} and previous is not null
  )`

/** Makes some rows visible, with their ranks. */
export async function publishRows(
  transaction: WriteTransaction,
  dialect: EngineDialect,
  { mapId, importId }: ImportKey,
  { rows, ranks, isReplacing }: { rows: Uint32Array; ranks: StagedRanks; isReplacing: boolean },
) {
  const packed = Array.from(rows, (row) =>
    packRanks(row, ranks.ranking.ranksOf(ranks.numbers[row] as number)),
  )
  const ranked = sql`ranks (row_number, leader_zoom, type_leader_zoom) as (
    select value >> 16, (value >> 8) & 255, nullif(value & 255, ${sql.lit(noRank)}) from ${dialect.listed(packed)} as listed
  )`
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const row of rows) [first, last] = [Math.min(first, row), Math.max(last, row)]
  const staged = sql`
    ranks cross join staged_features
    where ${inRange({ mapId, importId, first, last })} and staged_features.row_number = ranks.row_number`
  if (isReplacing)
    await sql`
      with ${ranked}
      delete from features where map_id = ${mapId} and id in (select staged_features.id from ${staged})`.execute(
      transaction,
    )
  const columns = sql.join(featureColumns.map((column) => sql.ref(column)))
  await sql`
    with ${ranked}
    insert into features (${columns}, leader_zoom, type_leader_zoom)
    select ${columns}, ranks.leader_zoom, ranks.type_leader_zoom
    from ${staged}`.execute(transaction)
}

const noRank = 255

/** A row and its ranks as one number, which databases take apart again. */
function packRanks(row: number, { leader_zoom, type_leader_zoom }: Ranks): number {
  return (row * 256 + leader_zoom) * 256 + (type_leader_zoom ?? noRank)
}
