import { sql } from 'kysely'
import type { Database, EngineDialect, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { insertFeatures, removeFeatures } from '../../thinning/write-features.queries.ts'
import { arrivingColumns, ManyArrivals } from '../../thinning/write-many.queries.ts'
import { featureColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'
import { inRange, type StagedRange } from './publish.queries.ts'

// Staged rows become features in two ways: a few one by one, through the function that every writer of features calls;
// many by SQL alone, so that their geometries are not read into memory. Both leave the same ranks and counts.

const rowsPerPage = 2_000

/** For a few rows. A feature with the same id is replaced. */
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

/** For many rows: ranks the whole map together with what is staged, before any row is moved. */
export async function rankWithStaged(
  transaction: WriteTransaction,
  key: ImportKey,
  { lastRow, isReplacing }: { lastRow: number; isReplacing: boolean },
): Promise<{ arrivals: ManyArrivals; rows: Uint32Array }> {
  const arrivals = new ManyArrivals(transaction, key.mapId, lastRow)
  for (let first = 0; first <= lastRow; first += rowsPerPage) {
    const range = { ...key, first, last: first + rowsPerPage - 1 }
    const rows = await transaction
      .selectFrom('staged_features')
      .select([...arrivingColumns, 'row_number'])
      .where(sql<boolean>`${inRange(range)}`)
      .orderBy('row_number')
      .execute()
    arrivals.add(rows)
  }
  const replaced = isReplacing
    ? { ids: await readReplacedIds(transaction, key), rows: replacedBy(key) }
    : null
  return { arrivals, rows: await arrivals.rank(replaced) }
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
  { rows, arrivals, isReplacing }: { rows: Uint32Array; arrivals: ManyArrivals; isReplacing: boolean },
) {
  const ranks = arrivals.ranksOf(rows, dialect)
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const row of rows) [first, last] = [Math.min(first, row), Math.max(last, row)]
  const staged = sql`
    ranks cross join staged_features
    where ${inRange({ mapId, importId, first, last })} and staged_features.row_number = ranks.row_number`
  if (isReplacing)
    await sql`
      with ${ranks}
      delete from features where map_id = ${mapId} and id in (select staged_features.id from ${staged})`.execute(
      transaction,
    )
  const columns = sql.join(featureColumns.map((column) => sql.ref(column)))
  await sql`
    with ${ranks}
    insert into features (${columns}, ${arrivals.rankColumns})
    select ${columns}, ${arrivals.rankValues}
    from ${staged}`.execute(transaction)
}
