import { sql } from 'kysely'
import { MapRanking, type RankedFeature } from '#domain/tiles/rank-features.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { rankedColumns, readIntoRanking, writeRanks } from '../database/rank-map.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { insertFeatures, removeFeatures } from '../features/store-features.queries.ts'
import { countRows } from '../ranks/counts.queries.ts'
import { featureColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'
import { inRange, type StagedRange } from './publish.queries.ts'

// Two ways in which staged rows become features: a few one by one through the door that all writers use, many by
// statements that never bring their geometries here. Either leaves the same ranks and counts.

const rowsPerPage = 10_000

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
  engine: Database['engine'],
  key: ImportKey,
  lastRow: number,
): Promise<StagedRanks> {
  const ranking = new MapRanking()
  const numbers = new Uint32Array(lastRow + 1)
  const mortons = new Float64Array(lastRow + 1)
  const staged: number[] = []
  for (let first = 0; first <= lastRow; first += rowsPerPage) {
    const range = { ...key, first, last: first + rowsPerPage - 1 }
    const rows: (RankedFeature & { row_number: number })[] = await transaction
      .selectFrom('staged_features')
      .select([...rankedColumns, 'row_number'])
      .where(sql<boolean>`${inRange(range)}`)
      .orderBy('row_number')
      .execute()
    for (const row of rows) {
      numbers[row.row_number] = ranking.add(row, null)
      mortons[row.row_number] = row.morton
      staged.push(row.row_number)
    }
  }
  const replaced = await readReplacedIds(transaction, key)
  await readIntoRanking(transaction, key.mapId, ranking, { isLeftOut: (id) => replaced.has(id) })
  ranking.rank()
  await writeRanks(transaction, key.mapId, ranking.changes())
  await countRows(transaction, key.mapId, replacedBy(key), -1)
  await countRows(transaction, key.mapId, stagedBy(key), 1)
  const stagedRows = new Uint32Array(staged)
  // SQLite keeps few pages in memory: neighbours on the ground are neighbours in the indexes, too, which are then
  // filled page by page. PostgreSQL reads what is staged from one end to the other.
  if (engine === 'sqlite')
    stagedRows.sort((one, other) => (mortons[one] as number) - (mortons[other] as number))
  return { ranking, numbers, rows: stagedRows }
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

const stagedBy = ({ mapId, importId }: ImportKey) => sql`
  select kind, shape, type, date from staged_features where map_id = ${mapId} and import_id = ${importId}`

/** Makes some rows visible, with their ranks. */
export async function publishRows(
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  rows: Uint32Array,
  { ranking, numbers }: StagedRanks,
) {
  // Numbers of our own, as text: binding each of them costs more than all else together.
  const ranked = Array.from(rows, (row) => {
    const { leader_zoom, type_leader_zoom } = ranking.ranksOf(numbers[row] as number)
    return `(${row},${leader_zoom},${type_leader_zoom ?? 'null'})`
  })
  const ranks = sql`ranks (row_number, leader_zoom, type_leader_zoom) as (values ${sql.raw(ranked.join())})`
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const row of rows) [first, last] = [Math.min(first, row), Math.max(last, row)]
  const staged = sql`
    ranks cross join staged_features
    where ${inRange({ mapId, importId, first, last })} and staged_features.row_number = ranks.row_number`
  await sql`
    with ${ranks}
    delete from features where map_id = ${mapId} and id in (select staged_features.id from ${staged})`.execute(
    transaction,
  )
  const columns = sql.join(featureColumns.map((column) => sql.ref(column)))
  await sql`
    with ${ranks}
    insert into features (${columns}, leader_zoom, type_leader_zoom)
    select ${columns}, ranks.leader_zoom, cast(ranks.type_leader_zoom as integer)
    from ${staged}`.execute(transaction)
}
