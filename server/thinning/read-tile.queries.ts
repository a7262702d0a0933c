import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { featureKinds } from '#domain/definition/kinds.ts'
import { type ColumnWords, columnWordsOf } from '#domain/features/filters.ts'
import { severityKinds } from '#domain/features/kind-traits.ts'
import { type RankedFeature, rankFeatures } from '#domain/thinning/rank-features.ts'
import { alwaysHidden, codesOfCell, everyRank, smallestCell } from '#domain/thinning/representatives.ts'
import type { TilePlace } from '#domain/tiles/make-tile.ts'
import { type MortonRange, rangesAround } from '#domain/tiles/morton-ranges.ts'
import { extentOfTile, type TileAddress } from '#domain/tiles/tile-address.ts'
import {
  type Attributes,
  largestFirst,
  type Standing,
  type TileGeometry,
  type TileRepresentative,
} from '#domain/tiles/tile-features.ts'
import type { Database, EngineDialect, ReadDatabase } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { conditionsOfFilter, type KindCondition, type TileFilter } from './filter.ts'
import { attributeColumns, attributesOf, partsParting, standingOf } from './tile-attributes.ts'

const representativeColumns = ['id', 'lng', 'lat', 'date'] as const

const textOf = (...parts: RawBuilder<unknown>[]) =>
  sql<string>`concat(${sql.join(parts, sql`, ${sql.lit(partsParting)}, `)})`
const attributeParts = attributeColumns.map((column) => sql.ref(column))

/** Parses a column in place: copying thousands of rows is slow. */
function withParsed<Name extends string, Meaning, Row extends Record<Name, Meaning>>(
  rows: (Omit<Row, Name> & Record<Name, string>)[],
  name: Name,
  meaningOf: (text: string) => Meaning,
): Row[] {
  for (const row of rows as Record<Name, unknown>[]) row[name] = meaningOf(row[name] as string)
  return rows as unknown as Row[]
}

type TileQuery = { z: number; ranges: readonly MortonRange[]; conditions: readonly KindCondition[] }

/**
 * The representative of each cell among the matching features. Kinds with types in the filter use the ranks
 * within each type: one representative per type. Reads only indexes.
 */
export async function readTileRepresentatives(
  database: Database,
  mapId: string,
  tile: TileAddress,
  filter: TileFilter,
): Promise<TileRepresentative[]> {
  const query = { z: tile.z, ranges: rangesAround(tile, 0), conditions: conditionsOfFilter(filter) }
  return isRanked(filter) ? readRepresentatives(database, mapId, query) : thinMatching(database, mapId, query)
}

/** Cells have twice the width. `reach` beside the tile is a share of its width. */
export async function readTileIncidents(
  database: Database,
  mapId: string,
  tile: TileAddress,
  reach: number,
  filter: TileFilter,
): Promise<TileRepresentative[]> {
  const conditions = conditionsOfFilter(filter).filter(({ kind }) => severityKinds.includes(kind))
  const query = { z: tile.z - 1, ranges: rangesAround(tile, reach), conditions }
  if (!isRanked(filter)) return thinMatching(database, mapId, query)
  return readRepresentatives(database, mapId, query)
}

async function readRepresentatives(
  { read, dialect }: Database,
  mapId: string,
  { z, ranges, conditions }: TileQuery,
): Promise<TileRepresentative[]> {
  const anyType = conditions.filter(({ types }) => types === null)
  const withTypes = conditions.filter(({ types }) => types !== null)
  const queries = ranges.flatMap((range) =>
    [
      { rank: sql`min_zoom`, those: anyType },
      { rank: sql`type_min_zoom`, those: withTypes },
    ]
      .filter(({ those }) => those.length > 0)
      .map(
        ({ rank, those }) => sql`
          select ${sql.join(representativeColumns.map((column) => sql.ref(column)))},
            ${textOf(...attributeParts, rank, sql.ref('size_zoom'))} as standing
          from features
          where map_id = ${mapId} ${allTypesCondition(those)} ${incidentCondition(those)} and ${isOneOf(rank, ranksUpTo(z))}
            and morton >= ${range.first} and morton < ${range.end} and ${matches(dialect, those)}`,
      ),
  )
  if (queries.length === 0) return []
  const { rows } = await sql<Omit<TileRepresentative, 'standing'> & { standing: string }>`
    ${sql.join(queries, sql` union all `)}`.execute(read)
  return withParsed<'standing', Standing, TileRepresentative>(rows, 'standing', standingOf)
}

const isRanked = ({ columns = {} }: TileFilter) => Object.keys(columnWordsOf(columns)).length === 0

/**
 * For filters without stored ranks: the lowest rank among the matching features represents its cell, so a
 * representative stays one with the filter, if it matches. Needs one scan of the ranges in an index: a second
 * at most for a million features.
 */
async function thinMatching(
  { read, dialect }: Database,
  mapId: string,
  { z, ranges, conditions }: TileQuery,
): Promise<TileRepresentative[]> {
  if (conditions.length === 0 || ranges.length === 0) return []
  const isWithin = ranges.map(({ first, end }) => sql`(morton >= ${first} and morton < ${end})`)
  const firstKey = sql`min((min_zoom + 100) || id)`
  // The order of the join matters: SQLite would scan the map for each feature.
  const { rows } = await sql<Thinned>`
    with firsts as (
      select substr(${firstKey}, 4) as first_id from features
      where map_id = ${mapId} ${incidentCondition(conditions)} and ${isOneOf(sql`min_zoom`, everyRank)}
        and (${sql.join(isWithin, sql` or `)}) and ${matches(dialect, conditions)}
      group by kind, shape, morton / ${sql.lit(codesOfCell(z))})
    select id, lng, lat, kind, shape, type, date, size, morton, size_zoom, ${textOf(...attributeParts)} as attributes
    from firsts cross join features
    where features.map_id = ${mapId} and features.id = firsts.first_id`.execute(read)
  const ranks = rankFeatures(rows)
  return rows.map(({ id, lng, lat, date, attributes, size_zoom }, index) => {
    const rank = ranks[index]?.min_zoom ?? z
    return {
      id,
      lng,
      lat,
      date,
      standing: standingOf([attributes, Math.min(rank, z), size_zoom].join(partsParting)),
    }
  })
}

type Thinned = RankedFeature & Pick<FeatureColumns, 'lng' | 'lat' | 'size_zoom'> & { attributes: string }

const ranksUpTo = (z: number) => everyRank.filter((rank) => rank <= z)

function isOneOf(rank: RawBuilder<unknown>, ranks: readonly number[]) {
  return sql`${rank} in (${sql.join(ranks.map((zoom) => sql.lit(zoom)))})`
}

function incidentCondition(conditions: readonly KindCondition[]) {
  return conditions.every(({ kind }) => kind === 'incident') ? sql`and kind = 'incident'` : sql``
}

function allTypesCondition(conditions: readonly KindCondition[]) {
  const types = conditions.flatMap((condition) => condition.types ?? [])
  return types.length > 0 ? sql`and type in (${sql.join(types)})` : sql``
}

/** Largest first, with the margin. Above the limit, those visible from the earliest zoom. */
export async function readTileGeometries(
  { read, dialect }: Database,
  mapId: string,
  tile: TileAddress,
  { margin, limit }: { margin: number; limit: number },
  filter: TileFilter,
): Promise<TileGeometry[]> {
  const conditions = conditionsOfFilter(filter)
  const extent = extentOfTile(tile, margin)
  const readGeometries = async (maxOfAll: number | null) => {
    // Sorting with geometries is expensive, and not needed for a few too many.
    const order = maxOfAll === null ? sql`order by size_zoom, size desc, id` : sql``
    const most = maxOfAll ?? limit
    // Each needs its own limit: PostgreSQL would read them side by side, and stop before the largest.
    const queries = dialect.touching(mapId, extent, tile.z, maxOfAll).map(
      (touches) => sql`
        select * from (
          select id, ${textOf(...attributeParts)} as attributes, size_zoom, size, morton, geometry from features
          where ${touches} and ${matches(dialect, conditions)}
          ${order} limit ${most}
        ) as geometries`,
    )
    const { rows } = await sql<Omit<TileGeometry, 'attributes'> & { attributes: string }>`
      ${sql.join(queries, sql` union all `)} limit ${most}`.execute(read)
    return rows
  }
  // A few more, because the R*Tree rounds boxes outward.
  const most = limit + 100
  let geometries = await readGeometries(most)
  // The tile may be full of features that the filter excludes.
  const isCut =
    geometries.length < limit && (await dialect.isCrowded(read, mapId, { extent, zoom: tile.z }, most))
  if (isCut) geometries = await readGeometries(null)
  return largestFirst(
    withParsed<'attributes', Attributes, TileGeometry>(geometries, 'attributes', attributesOf),
    limit,
  )
}

/** The kind as an expression: otherwise the database would use the list's index, which has no locations. */
function matches({ unindexed }: EngineDialect, conditions: readonly KindCondition[]): Expression<SqlBool> {
  const isEverything =
    conditions.length === featureKinds.length &&
    conditions.every(({ types, since, columns }) => !types && !since && Object.keys(columns).length === 0)
  if (isEverything) return sql`1 = 1`
  const oneKind = conditions.map(({ kind, types, since, columns }) => {
    const parts: Expression<unknown>[] = [sql`${unindexed('kind')} = ${kind}`]
    if (types) parts.push(sql`type in (${sql.join(types)})`)
    if (since !== null) parts.push(sql`(date >= ${Date.parse(since)} or date is null)`)
    parts.push(...hasWords(columns))
    return sql`(${sql.join(parts, sql` and `)})`
  })
  return oneKind.length > 0 ? sql`(${sql.join(oneKind, sql` or `)})` : sql`1 = 0`
}

export async function readParcelsSeenFirst(
  read: ReadDatabase,
  mapId: string,
  limit: number,
): Promise<string[]> {
  const rows = await read
    .selectFrom('features')
    .select('geometry')
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .orderBy('min_zoom')
    .orderBy('morton')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.geometry)
}

/** As an expression, because in the order of an index a query would scan the map for few matches. */
export const seenFirst = sql`min_zoom + 0`

/** Only incidents can have an unknown severity. */
export function hasWords(columns: ColumnWords): Expression<SqlBool>[] {
  return Object.entries(columnWordsOf(columns)).map(([column, words]) => {
    const isWanted = sql<SqlBool>`features.${sql.ref(column)} in (${sql.join(words)})`
    if (column !== 'severity' || !words.includes('unknown')) return isWanted
    return sql<SqlBool>`(${isWanted} or (features.kind in (${sql.join(severityKinds)}) and features.severity is null))`
  })
}

/** No zoom separates features in one of the smallest cells. One index range per rank. */
export function isCoLocated(mapId: string, id: string) {
  const { codes } = smallestCell
  const firstCode = sql`(select morton - morton % ${sql.lit(codes)} from features where map_id = ${mapId} and id = ${id})`
  return sql`features.id in (
    select id from features
    where map_id = ${mapId} and min_zoom in (${sql.join(everyRank.map((rank) => sql.lit(rank)))})
      and morton >= ${firstCode} and morton < ${firstCode} + ${sql.lit(codes)})`
}

/**
 * Counts the matching features that share a smallest cell with each place, by kind and shape, itself
 * included. The returned function answers 1 for a feature alone. One lookup per place.
 */
export async function countCoLocated(
  { engine, read, dialect }: Database,
  mapId: string,
  filter: TileFilter,
  places: readonly TilePlace[],
): Promise<(place: TilePlace) => number> {
  const conditions = conditionsOfFilter(filter)
  const firstOf = ({ morton }: TilePlace) => morton - (morton % smallestCell.codes)
  const keyOf = ({ kind, shape }: TilePlace, first: number) => `${kind} ${shape} ${first}`
  const counts = new Map<string, number>()
  const count = async (firsts: readonly number[], ranks: readonly number[]) => {
    if (firsts.length === 0 || conditions.length === 0) return
    const inCell = sql`features
      where map_id = ${mapId} and ${isOneOf(sql`min_zoom`, ranks)}
        and morton >= cells.first and morton < cells.first + ${sql.lit(smallestCell.codes)}
        and ${matches(dialect, conditions)}`
    // PostgreSQL overestimates how many features are in a cell, and would scan the whole table for all cells at once.
    const joined =
      engine === 'postgres' ? sql`lateral (select kind, shape from ${inCell} offset 0) as features` : inCell
    const { rows } = await sql<Omit<TilePlace, 'morton'> & { first: number; count: number }>`
      with cells (first) as (select value from ${dialect.unnest(firsts)} as listed)
      select cells.first, kind, shape, count(*) as count from cells cross join ${joined}
      group by cells.first, kind, shape`.execute(read)
    for (const row of rows) {
      const key = keyOf(row as unknown as TilePlace, Number(row.first))
      counts.set(key, (counts.get(key) ?? 0) + Number(row.count))
    }
  }
  await count([...new Set(places.map(firstOf))], [alwaysHidden])
  if (counts.size === 0) return () => 1
  // All but one in a cell are hidden at every zoom. By kind and date, that one matches if any other does: it
  // is the newest.
  const isOfRanks = isRanked(filter) && conditions.every(({ types }) => types === null)
  if (isOfRanks) for (const [key, hidden] of counts) counts.set(key, hidden + 1)
  else {
    const firsts = new Set([...counts.keys()].map((key) => Number(key.split(' ')[2])))
    await count(
      [...firsts],
      everyRank.filter((rank) => rank !== alwaysHidden),
    )
  }
  return (place) => counts.get(keyOf(place, firstOf(place))) ?? 1
}
