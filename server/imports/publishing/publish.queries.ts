import { sql } from 'kysely'
import type { CustomFields } from '#domain/features/custom-fields.ts'
import type { Database, EngineDialect, Extent, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readCustomFields } from '../../features/custom-fields/custom-fields.queries.ts'
import { deriveColumns } from '../../features/rows/derive-columns.ts'
import {
  insertFeatures,
  lockRanks,
  removeFeatures,
  rowsPerInsert,
} from '../../thinning/write-features.queries.ts'
import { arrivingColumns, ManyArrivals } from '../../thinning/write-many.queries.ts'
import { featureColumns, type NotedColumns, notedColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'
import { inRange, type StagedRange } from './staged-rows.queries.ts'

// Turns staged rows into features, a range of rows at a time, so that no statement runs for long. One transaction calls
// all of this.

/**
 * Turns nested loops off: PostgreSQL's planner takes a map that is being filled for an empty one, and would compare
 * each of its rows with each staged row. Hash and merge joins cost no more than reading both once.
 */
export async function planForManyRows(
  transaction: WriteTransaction,
  engine: Database['engine'],
  isMany: boolean,
) {
  if (engine !== 'postgres') return
  await sql`set local enable_nestloop = ${sql.raw(isMany ? 'off' : 'on')}`.execute(transaction)
}

export function lockReplaced(
  transaction: WriteTransaction,
  engine: Database['engine'],
  { mapId, importId }: ImportKey,
) {
  const staged = sql`select id from staged_features where map_id = ${mapId} and import_id = ${importId}`
  return lockFeatures(transaction, engine, mapId, sql`id in (${staged})`)
}

/** On PostgreSQL other writers wait for these features, and before adding features. SQLite has one writer. */
export async function lockFeatures(
  transaction: WriteTransaction,
  engine: Database['engine'],
  mapId: string,
  condition: ReturnType<typeof sql>,
) {
  if (engine !== 'postgres') return
  await lockRanks(transaction, engine, mapId)
  await sql`
    select count(*) from (
      select id from features where map_id = ${mapId} and ${condition} order by id for update
    ) as locked`.execute(transaction)
}

/**
 * Records which features are replaced, with their current content. Inserts in the order of the table's key, page by
 * page.
 */
export async function recordChanges(
  transaction: WriteTransaction,
  engine: Database['engine'],
  range: StagedRange,
  lastRowOfFile: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into import_changes (map_id, import_id, id, previous, deed)
    select staged_features.map_id, staged_features.import_id, staged_features.id,
      case when features.id is not null then ${featureAsJson(engine)} end,
      case when staged_features.row_number > ${lastRowOfFile} then 'mark' else 'row' end
    from staged_features
    left join features on features.map_id = staged_features.map_id and features.id = staged_features.id
    where ${inRange(range)}
    order by staged_features.id`.execute(transaction)
  return Number(numAffectedRows)
}

/** With all digits of numbers. */
function featureAsJson(engine: Database['engine']) {
  const members = sql.join(
    notedColumns.flatMap((column) => [sql.lit(column), sql`features.${sql.ref(column)}`]),
  )
  return engine === 'postgres'
    ? sql`cast(json_build_object(${members}) as text)`
    : sql`json_object(${members})`
}

export async function deleteRestoredRemovals(transaction: WriteTransaction, { mapId, importId }: ImportKey) {
  const removed = transaction.selectFrom('removed_features').select('id').where('map_id', '=', mapId)
  // Saves the list of all staged ids on the many maps without removed features.
  if (!(await removed.limit(1).executeTakeFirst())) return
  await transaction
    .deleteFrom('removed_features')
    .where('map_id', '=', mapId)
    .where('id', 'in', (query) =>
      query
        .selectFrom('staged_features')
        .select('staged_features.id')
        .where('map_id', '=', mapId)
        .where('import_id', '=', importId),
    )
    .execute()
}

export function extentOfReplaced(transaction: WriteTransaction, range: StagedRange) {
  const ids = sql`select staged_features.id from staged_features where ${inRange(range)}`
  return extentOf(transaction, sql`features where map_id = ${range.mapId} and id in (${ids})`)
}

export function extentOfStaged(transaction: WriteTransaction, range: StagedRange) {
  return extentOf(transaction, sql`staged_features where ${inRange(range)}`)
}

async function extentOf(
  transaction: WriteTransaction,
  source: ReturnType<typeof sql>,
): Promise<Extent | undefined> {
  const { rows } = await sql<{ [Side in keyof Extent]: number | null }>`
    select min(west) as west, min(south) as south, max(east) as east, max(north) as north from ${source}`.execute(
    transaction,
  )
  const [extent] = rows
  return extent && extent.west !== null ? (extent as Extent) : undefined
}

export async function setVersions(transaction: WriteTransaction, range: StagedRange): Promise<number> {
  const { numAffectedRows } = await sql`
    update staged_features set version = features.version + 1, created_at = features.created_at
    from features
    where ${inRange(range)} and features.map_id = staged_features.map_id and features.id = staged_features.id`.execute(
    transaction,
  )
  return Number(numAffectedRows)
}

// Staged rows become features in two ways, with the same ranks and counts: a few one by one, through the function that
// every writer of features calls; many by SQL alone, without reading their geometries into memory.

export async function publishOneByOne(
  transaction: WriteTransaction,
  engine: Database['engine'],
  range: StagedRange,
) {
  const rows: FeatureColumns[] = await transaction
    .selectFrom('staged_features')
    .select(featureColumns)
    .where(inRange(range))
    .orderBy('row_number')
    .execute()
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  await removeFeatures(transaction, engine, range.mapId, ids)
  await insertFeatures(transaction, engine, rows)
}

const rankedPerPage = 2_000

/** Ranks the whole map together with the staged rows, before any row is moved. */
export async function rankWithStaged(
  transaction: WriteTransaction,
  key: ImportKey,
  { lastRow, isReplacing }: { lastRow: number; isReplacing: boolean },
): Promise<{ arrivals: ManyArrivals; rows: Uint32Array }> {
  const arrivals = new ManyArrivals(transaction, key.mapId, lastRow)
  for (let first = 0; first <= lastRow; first += rankedPerPage) {
    const rows = await transaction
      .selectFrom('staged_features')
      .select([...arrivingColumns, 'row_number'])
      .where(inRange({ ...key, first, last: first + rankedPerPage - 1 }))
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

export type ImportedFeature = {
  id: string
  previous: FeatureColumns | null
  current: ({ version: number; importId: string | null; updatedAt: number } & Extent) | undefined
}

export async function readImportedFeatures(
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  after: string,
): Promise<ImportedFeature[]> {
  const customFields = await readCustomFields(transaction, mapId)
  const rows = await transaction
    .selectFrom('import_changes as change')
    .leftJoin('features as feature', (join) =>
      join.onRef('feature.map_id', '=', 'change.map_id').onRef('feature.id', '=', 'change.id'),
    )
    .select(['change.id', 'change.previous', 'feature.version', 'feature.import_id', 'feature.updated_at'])
    .select(['feature.west', 'feature.south', 'feature.east', 'feature.north'])
    .where('change.map_id', '=', mapId)
    .where('change.import_id', '=', importId)
    .where('change.deed', '<>', 'removal')
    .where('change.id', '>', after)
    .orderBy('change.id')
    .limit(rowsPerInsert)
    .execute()
  return rows.map(({ id, previous, version, import_id, updated_at, ...extent }) => ({
    id,
    previous: previous === null ? null : readPrevious(mapId, previous, customFields),
    current:
      version === null
        ? undefined
        : ({ version, importId: import_id, updatedAt: updated_at, ...extent } as ImportedFeature['current']),
  }))
}

/** Derives columns again: old records have outdated ones, or none. */
function readPrevious(mapId: string, text: string, customFields: CustomFields): FeatureColumns {
  const { is_general = 0, ...noted }: NotedColumns = JSON.parse(text)
  const columns = Object.fromEntries(notedColumns.map((column) => [column, { ...noted, is_general }[column]]))
  const row = columns as NotedColumns
  return { map_id: mapId, ...row, ...deriveColumns(row, JSON.parse(row.geometry), customFields) }
}

export const lockImported = (
  transaction: WriteTransaction,
  engine: Database['engine'],
  { mapId, importId }: ImportKey,
) => lockFeatures(transaction, engine, mapId, sql`import_id = ${importId}`)
