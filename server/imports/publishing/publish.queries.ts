import { sql } from 'kysely'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns, StagedFeaturesTable } from '../../database/tables.ts'
import { lockRanks } from '../../thinning/write-features.queries.ts'
import { contentColumns, notedColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'

// Staged features become features, a range of rows at a time, so that no one statement runs for long.
// One transaction calls all of this.

export type StagedRange = ImportKey & { first: number; last: number }

/**
 * PostgreSQL's planner takes a map that is being filled for an empty one, and would compare each row of it with
 * each staged row. Joining by hash or merge costs no more than reading both once.
 */
export async function planForManyRows(
  transaction: WriteTransaction,
  engine: Database['engine'],
  isMany: boolean,
) {
  if (engine !== 'postgres') return
  await sql`set local enable_nestloop = ${sql.raw(isMany ? 'off' : 'on')}`.execute(transaction)
}

/**
 * On PostgreSQL other writers go on beside this transaction: writers that add features to the map take turns, and the
 * features about to be replaced are held as they are. SQLite has one writer at a time anyway.
 */
export async function lockFeatures(
  transaction: WriteTransaction,
  engine: Database['engine'],
  key: ImportKey,
) {
  if (engine !== 'postgres') return
  await lockRanks(transaction, engine, key.mapId)
  await sql`
    select count(*) from (
      select id from features
      where map_id = ${key.mapId} and id in (
        select id from staged_features where map_id = ${key.mapId} and import_id = ${key.importId}
      )
      order by id for update
    ) as held`.execute(transaction)
}

export async function countStaged(transaction: WriteTransaction, key: ImportKey): Promise<number> {
  const { count } = await transaction
    .selectFrom('staged_features')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('map_id', '=', key.mapId)
    .where('import_id', '=', key.importId)
    .executeTakeFirstOrThrow()
  return count
}

export const inRange = ({ mapId, importId, first, last }: StagedRange) => sql`
  staged_features.map_id = ${mapId} and staged_features.import_id = ${importId}
  and staged_features.row_number between ${first} and ${last}`

export const stagedIds = (range: StagedRange) =>
  sql`select staged_features.id from staged_features where ${inRange(range)}`

/** So many are read at once. */
const rowsPerPage = 2_000
/** With their shapes. */
const shapesPerPage = 200

/** Staged assets of which maintenance is told, by the file or by what they replace, in order; a page of them. */
export function readMaintained(transaction: WriteTransaction, range: StagedRange) {
  return transaction
    .selectFrom('staged_features')
    .leftJoin('features', (join) =>
      join
        .onRef('features.map_id', '=', 'staged_features.map_id')
        .onRef('features.id', '=', 'staged_features.id')
        .on('features.kind', '=', 'asset')
        .on('features.is_general', '=', 0),
    )
    .select(['staged_features.row_number', 'staged_features.id', 'staged_features.fields'])
    .select(['features.fields as former', 'features.version'])
    .where(sql<boolean>`${inRange(range)}`)
    .where('staged_features.kind', '=', 'asset')
    .where('staged_features.is_general', '=', 0)
    .where(({ eb, or }) => {
      const tells = (column: 'staged_features.fields' | 'features.fields') => [
        eb(column, 'like', '%"maintenanceHistory":[{%'),
        eb(column, 'like', '%"maintenancePlan":{%'),
      ]
      return or([...tells('staged_features.fields'), ...tells('features.fields')])
    })
    .orderBy('staged_features.row_number')
    .limit(rowsPerPage)
    .execute()
}

/** Staged rows that replace features of which somebody has said something in the client's own fields. */
export function readOwners(transaction: WriteTransaction, range: StagedRange) {
  return transaction
    .selectFrom('staged_features')
    .innerJoin('features', (join) =>
      join
        .onRef('features.map_id', '=', 'staged_features.map_id')
        .onRef('features.id', '=', 'staged_features.id'),
    )
    .selectAll('staged_features')
    .select('features.fields as former')
    .where(sql<boolean>`${inRange(range)}`)
    .where('features.fields', 'like', '%"own":{%')
    .orderBy('staged_features.row_number')
    .limit(rowsPerPage)
    .execute()
}

/** Staged rows that replace features, in order, each with what it replaces; a page of them, and where the next one begins. */
export async function readReplacing(
  transaction: WriteTransaction,
  range: StagedRange,
): Promise<{ pairs: { staged: StagedFeaturesTable; former: FeatureColumns }[]; next: number | null }> {
  const staged = await transaction
    .selectFrom('staged_features')
    .selectAll()
    .where(sql<boolean>`${inRange(range)}`)
    .orderBy('staged_features.row_number')
    .limit(shapesPerPage)
    .execute()
  const last = staged.at(-1)
  if (!last) return { pairs: [], next: null }
  const rows: FeatureColumns[] = await transaction
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', range.mapId)
    .where(
      'id',
      'in',
      staged.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pairs = staged.flatMap((row) => {
    const former = byId.get(row.id)
    return former ? [{ staged: row, former }] : []
  })
  return { pairs, next: last.row_number + 1 }
}

export async function writeStaged(
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  rowNumber: number,
  changed: Partial<FeatureColumns>,
) {
  await transaction
    .updateTable('staged_features')
    .set(changed)
    .where('map_id', '=', mapId)
    .where('import_id', '=', importId)
    .where('row_number', '=', rowNumber)
    .execute()
}

/** Whether a staged row says the same as the feature beside it. */
export const isSameAsThere = sql.join(
  contentColumns.map(
    (column) => sql`staged_features.${sql.ref(column)} is not distinct from features.${sql.ref(column)}`,
  ),
  sql` and `,
)

/** Rows equal to what is there leave the stage. */
export async function leaveOutUnchanged(transaction: WriteTransaction, range: StagedRange) {
  await sql`
    delete from staged_features
    where ${inRange(range)} and exists (
      select 1 from features
      where features.map_id = staged_features.map_id and features.id = staged_features.id and ${isSameAsThere}
    )`.execute(transaction)
}

/**
 * Records which features will be replaced, and what they are now; returns how many. In the order of the table's key,
 * page by page.
 */
export async function recordChanges(
  transaction: WriteTransaction,
  engine: Database['engine'],
  range: StagedRange,
  /** Of the file; those after it are of marked features. */
  lastRow: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into import_changes (map_id, import_id, id, previous, deed)
    select staged_features.map_id, staged_features.import_id, staged_features.id,
      case when features.id is not null then ${featureAsJson(engine)} end,
      case when staged_features.row_number > ${lastRow} then 'mark' else 'row' end
    from staged_features
    left join features on features.map_id = staged_features.map_id and features.id = staged_features.id
    where ${inRange(range)}
    order by staged_features.id`.execute(transaction)
  return Number(numAffectedRows)
}

/** Numbers to their last digit. */
function featureAsJson(engine: Database['engine']) {
  const members = sql.join(
    notedColumns.flatMap((column) => [sql.lit(column), sql`features.${sql.ref(column)}`]),
  )
  return engine === 'postgres'
    ? sql`cast(json_build_object(${members}) as text)`
    : sql`json_object(${members})`
}

/** What comes with the import is removed no more: it can be removed again. */
export async function forgetReturning(transaction: WriteTransaction, { mapId, importId }: ImportKey) {
  const removed = transaction.selectFrom('removed_features').select('id').where('map_id', '=', mapId)
  // Hardly any map has many; and then the list of all that is staged is made for nothing.
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

/** Where the features are that the range replaces; undefined where it replaces none. */
export async function extentOfReplaced(transaction: WriteTransaction, range: StagedRange) {
  return extentOf(transaction, sql`features where map_id = ${range.mapId} and id in (${stagedIds(range)})`)
}

export async function extentOfStaged(transaction: WriteTransaction, range: StagedRange) {
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

/** A feature that replaces another one keeps its history; returns how many do. */
export async function carryHistoryOn(transaction: WriteTransaction, range: StagedRange): Promise<number> {
  const { numAffectedRows } = await sql`
    update staged_features set version = features.version + 1, created_at = features.created_at
    from features
    where ${inRange(range)} and features.map_id = staged_features.map_id and features.id = staged_features.id`.execute(
    transaction,
  )
  return Number(numAffectedRows)
}
