import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FeatureSort, FeatureSortColumn } from '#domain/features/feature-sort.ts'
import type { Database } from '../database/database.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { matchesFilter } from './feature-matches.queries.ts'

// Sorting reads no rows: what it needs of kind, type, status, severity, date and name stands in indexes that are
// there for the tiles and the list. 100,000 features are sorted in less time than an index more would cost when
// they are imported.

type SimpleColumn = Exclude<FeatureSortColumn, 'parcel'>

const places: Record<SimpleColumn, RawBuilder<unknown>> = {
  kind: sql`features.kind`,
  type: sql`features.type`,
  date: sql`features.date`,
  /** As people count; the list's order of incidents begins with their age. */
  name: sql`case
    when features.kind <> 'incident' then features.list_order
    when features.list_order like '~%' then substr(features.list_order, 3)
    else substr(features.list_order, 19) end`,
  /** What needs somebody first: open incidents by severity, then assets out of order, then what is well. */
  status: sql`case
    when features.status = 'unresolved' then
      case features.severity when 'high' then 0 when 'medium' then 1 when 'low' then 2 else 3 end
    when features.status = 'offline' then 4
    when features.status = 'maintenance' then 5
    when features.status = 'operational' then 6
    when features.status = 'resolved' then 7 end`,
}

/** Matching features as (place, id); `place` is null where a feature has no value to be sorted by. */
function placedFeatures(mapId: string, column: FeatureSortColumn, matches: Expression<SqlBool>) {
  if (column !== 'parcel')
    return sql`select ${places[column]} as place, features.id as id from features where ${matches}`
  // By the parcel's name. In this order SQLite goes through the parcels and finds the features of each.
  return sql`
    with known as materialized (
      select parcel.list_order as place, features.id as id
      from features as parcel cross join features
      where parcel.map_id = ${mapId} and parcel.kind = 'parcel'
        and features.map_id = parcel.map_id and features.parcel_id = parcel.id and ${matches}
    )
    select place, id from known
    union all
    select null, features.id from features where ${matches} and features.id not in (select id from known)`
}

const columnOf = (sort: FeatureSort) => sort.replace(/^-/, '') as FeatureSortColumn
const isDescending = (sort: FeatureSort) => sort.startsWith('-')

/** The ids of one page: sorted, or in list order; equals by id. */
export async function readIdsInOrder(
  database: Database,
  mapId: string,
  filter: FeatureFilter,
  page: { sort: FeatureSort | undefined; offset: number; limit: number },
): Promise<string[]> {
  const { sort, offset, limit } = page
  const matches = matchesFilter(database, mapId, filter)
  const part = sql`limit ${limit} offset ${offset}`
  const query = sort
    ? sql<{ id: string }>`
        select id from (${placedFeatures(mapId, columnOf(sort), matches)}) as placed
        order by place ${sql.raw(isDescending(sort) ? 'desc' : 'asc')} nulls last, id ${part}`
    : sql<{ id: string }>`
        select id from features where ${matches} order by kind, list_order, id ${part}`
  const { rows } = await query.execute(database.read)
  return rows.map((row) => row.id)
}

/** How many features stand before one; null where the filter leaves it out. */
export async function readPosition(
  database: Database,
  mapId: string,
  id: string,
  filter: FeatureFilter,
  sort: FeatureSort | undefined,
): Promise<number | null> {
  const matches = matchesFilter(database, mapId, filter)
  const source = sort
    ? placedFeatures(mapId, columnOf(sort), matches)
    : sql`select kind, list_order, id from features where ${matches}`
  const own = await sql<Own>`select * from (${source}) as placed where id = ${id}`.execute(database.read)
  const [row] = own.rows
  if (!row) return null
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${source}) as placed where ${standsBefore(row, sort)}`.execute(
    database.read,
  )
  return rows[0]?.count ?? null
}

type Own = { id: string } & ({ place: string | number | null } | { kind: string; list_order: string })

function standsBefore(own: Own, sort: FeatureSort | undefined) {
  if (!('place' in own)) return sql`(kind, list_order, id) < (${own.kind}, ${own.list_order}, ${own.id})`
  const { id, place } = own
  if (place === null) return sql`(place is not null or id < ${id})`
  const before = sql.raw(sort && isDescending(sort) ? '>' : '<')
  return sql`(place ${before} ${place} or (place = ${place} and id < ${id}))`
}
