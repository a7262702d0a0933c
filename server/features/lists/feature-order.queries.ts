import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeatureSort, FeatureSortColumn } from '#domain/features/feature-sort.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { isCoveredByListIndex, matchesFilter } from './feature-matches.queries.ts'

// Sorting reads no rows: the indexes of the list and of features on parcels have all columns. Sorting 100,000 features
// takes less time than maintaining an index for each order would add to an import.

type SimpleColumn = Exclude<FeatureSortColumn, 'parcel'>

const sortValues: Record<SimpleColumn, RawBuilder<unknown>> = {
  // An expression: in the order of the index of the list SQLite would read each row to filter by status.
  kind: sql`features.kind || ''`,
  type: sql`features.type`,
  severity: sql`case features.severity when 'high' then 0 when 'medium' then 1 when 'low' then 2 end`,
  date: sql`features.date`,
  name: sql`features.name_order`,
  /** Urgent features first: open incidents by severity, then assets out of order, then the rest. */
  status: sql`case
    when features.status = 'unresolved' then
      case features.severity when 'high' then 0 when 'medium' then 1 when 'low' then 2 else 3 end
    when features.status = 'offline' then 4
    when features.status = 'maintenance' then 5
    when features.status = 'operational' then 6
    when features.status = 'resolved' then 7 end`,
}

function featuresWithSortValue(mapId: string, column: FeatureSortColumn, matches: Expression<SqlBool>) {
  if (column !== 'parcel')
    return sql`select ${sortValues[column]} as sort_value, ${listColumns} from features where ${matches}`
  return sql`
    with known as materialized (${onParcelsOfMap(mapId, matches)})
    select * from known
    union all
    select null, ${listColumns} from features where ${matches} and features.id not in (select id from known)`
}

const listOrder = ['kind', 'date_order', 'name_order', 'id'] as const
/** Computes the generated column `date_order` again: SQLite would read each row for it instead of the index. */
const dateOrder = sql`case when features.kind = 'incident'
  then coalesce(-features.date, ${sql.lit(Number.MAX_SAFE_INTEGER)}) else 0 end`
const listColumns = sql`features.kind, ${dateOrder} as date_order, features.name_order, features.id`
const inListOrder = sql.join(listOrder.map((column) => sql.ref(column)))

/** By parcel name: SQLite goes through the parcels and finds the features of each. */
function onParcelsOfMap(mapId: string, matches: Expression<SqlBool>) {
  return sql`
    select parcel.name_order as sort_value, ${listColumns}
    from features as parcel cross join features
    where parcel.map_id = ${mapId} and parcel.kind = 'parcel'
      and features.map_id = parcel.map_id and features.parcel_id = parcel.id and ${matches}`
}

const columnOf = (sort: FeatureSort) => sort.replace(/^-/, '') as FeatureSortColumn
const isDescending = (sort: FeatureSort) => sort.startsWith('-')

export async function readIdsInOrder(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  page: { sort: FeatureSort | undefined; offset: number; limit: number },
): Promise<string[]> {
  const { sort, offset, limit } = page
  const matches = matchesFilter(database, mapId, filter)
  const part = sql`limit ${limit} offset ${offset}`
  const query = sort
    ? sql<{ id: string }>`
        select id from (${featuresWithSortValue(mapId, columnOf(sort), matches)}) as sorted
        order by sort_value ${sql.raw(isDescending(sort) ? 'desc' : 'asc')} nulls last, ${inListOrder} ${part}`
    : sql<{ id: string }>`
        select id from features where ${matches} order by ${kindAndDateInOrder(filter)}, name_order, id ${part}`
  const { rows } = await readSorted(database, read, sort, (sorted) => query.execute(sorted))
  return rows.map((row) => row.id)
}

/** If the index of the list does not cover the filter, sorting its results is faster. */
const kindAndDateInOrder = (filter: FeatureFilter) =>
  isCoveredByListIndex(filter)
    ? sql`features.kind, features.date_order`
    : sql`${sortValues.kind}, ${dateOrder}`

export function readPosition(
  database: Database,
  caller: QueueClient,
  id: string,
  filter: FeatureFilter,
  sort: FeatureSort | undefined,
): Promise<number | null> {
  const { mapId } = caller
  const matches = matchesFilter(database, mapId, filter)
  return database.readInWorker(caller, async (read) => {
    const own = await readOwn(read, id, sort, matches)
    if (!own) return null
    return readSorted(database, read, sort, async (sorted) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (${precedingFeatures(mapId, sort, own, matches)}) as sorted
        where ${standsBefore(own, sort)}`.execute(sorted)
      return rows[0]?.count ?? null
    })
  })
}

async function readOwn(
  read: ReadDatabase,
  id: string,
  sort: FeatureSort | undefined,
  matches: Expression<SqlBool>,
): Promise<Own | undefined> {
  const column = sort && columnOf(sort)
  const sortValue =
    column === 'parcel'
      ? sql`(select parcel.name_order from features as parcel where parcel.map_id = features.map_id
          and parcel.id = features.parcel_id and parcel.kind = 'parcel') as sort_value`
      : column && sql`${sortValues[column]} as sort_value`
  const { rows } = await sql<Own>`
    select ${sql.join([...(sortValue ? [sortValue] : []), listColumns])} from features where ${matches} and id = ${id}`.execute(
    read,
  )
  return rows[0]
}

function precedingFeatures(
  mapId: string,
  sort: FeatureSort | undefined,
  own: Own,
  matches: Expression<SqlBool>,
) {
  if (!sort) return sql`select ${listColumns} from features where ${matches}`
  const column = columnOf(sort)
  const isOnParcel = column === 'parcel' && own.sort_value != null
  return isOnParcel ? onParcelsOfMap(mapId, matches) : featuresWithSortValue(mapId, column, matches)
}

function readSorted<Result>(
  database: Database,
  read: ReadDatabase,
  sort: FeatureSort | undefined,
  work: (read: ReadDatabase) => Promise<Result>,
): Promise<Result> {
  return sort && columnOf(sort) === 'parcel' ? database.readJoined(read, work) : work(read)
}

type Own = {
  sort_value?: string | number | null
  kind: string
  date_order: number
  name_order: string
  id: string
}

function standsBefore(own: Own, sort: FeatureSort | undefined) {
  const isBefore = sql`(${inListOrder}) < (${sql.join(listOrder.map((column) => own[column]))})`
  const { sort_value: value } = own
  if (value === undefined) return isBefore
  if (value === null) return sql`(sort_value is not null or ${isBefore})`
  const before = sql.raw(sort && isDescending(sort) ? '>' : '<')
  return sql`(sort_value ${before} ${value} or (sort_value = ${value} and ${isBefore}))`
}
