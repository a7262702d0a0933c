import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { startOfUtcDay } from '#domain/features/filters.ts'
import type { Database } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { MortonRange } from './morton-ranges.ts'
import { extentOfTile, type TileAddress } from './tile-address.ts'
import type { KindCondition } from './tile-filter.ts'

export type TilePoint = Pick<
  FeatureColumns,
  'id' | 'kind' | 'shape' | 'type' | 'status' | 'severity' | 'lng' | 'lat'
>
/** `zoom` is the rank among those that the filter asks for. */
export type TileLeader = TilePoint & Pick<FeatureColumns, 'date' | 'size_zoom'> & { zoom: number }
export type TileShape = TilePoint & Pick<FeatureColumns, 'geometry'>

const pointColumns = ['id', 'kind', 'shape', 'type', 'status', 'severity', 'lng', 'lat'] as const

/**
 * Who leads a cell of this zoom within some ranges of Morton codes, of those that the filter asks for. A kind of which
 * it names types is looked up by the ranks within each type. Reads nothing but two indexes.
 */
export async function readLeaders(
  { read }: Database,
  mapId: string,
  z: number,
  ranges: readonly MortonRange[],
  conditions: readonly KindCondition[],
): Promise<TileLeader[]> {
  const ofAnyType = conditions.filter(({ types }) => types === null)
  const ofTypes = conditions.filter(({ types }) => types !== null)
  const queries = ranges.flatMap((range) => [
    ...(ofAnyType.length > 0 ? [leadersInRange(mapId, z, range, sql`leader_zoom`, ofAnyType)] : []),
    ...(ofTypes.length > 0 ? [leadersInRange(mapId, z, range, sql`type_leader_zoom`, ofTypes)] : []),
  ])
  if (queries.length === 0) return []
  const { rows } = await sql<TileLeader>`${sql.join(queries, sql` union all `)}`.execute(read)
  return rows
}

function leadersInRange(
  mapId: string,
  z: number,
  { first, end }: MortonRange,
  rank: RawBuilder<unknown>,
  conditions: readonly KindCondition[],
) {
  const columns = sql.join([...pointColumns, 'date', 'size_zoom'].map((column) => sql.ref(column)))
  const zooms = sql.join(Array.from({ length: z + 1 }, (_, zoom) => sql.lit(zoom)))
  const types = conditions.flatMap((condition) => condition.types ?? [])
  const ofTypes = types.length > 0 ? sql`and type in (${sql.join(types)})` : sql``
  return sql`
    select ${columns}, ${rank} as zoom from features
    where map_id = ${mapId} ${ofTypes} and ${rank} in (${zooms}) and morton >= ${first} and morton < ${end}
      and ${matches(conditions)}`
}

/**
 * Lines and polygons large enough to be drawn that touch the tile or its margin (a share of its width), the larger
 * ones first.
 */
export async function readTileShapes(
  { read, dialect }: Database,
  mapId: string,
  tile: TileAddress,
  { margin, limit }: { margin: number; limit: number },
  conditions: readonly KindCondition[],
): Promise<TileShape[]> {
  const extent = extentOfTile(tile, margin)
  const readShapes = (mostOfAnyMap: number | null) =>
    read
      .selectFrom('features')
      .select([...pointColumns, 'geometry', 'size'])
      // As an expression: SQLite would go through all of the map rather than through what the R*Tree finds.
      .where(sql<boolean>`map_id || '' = ${mapId}`)
      // As it is, not as a parameter: PostgreSQL has indexes of large shapes alone, and must see that they serve.
      .where('size_zoom', '<=', sql.lit(tile.z))
      .where(dialect.touches(extent, tile.z, mostOfAnyMap))
      .where(matches(conditions))
      .orderBy('size_zoom')
      .orderBy('id')
      .limit(limit)
      .execute()
  // Some more, because the R*Tree rounds its boxes outwards.
  const most = limit + 100
  let shapes = await readShapes(most)
  // The place may be crowded with the shapes of another map, or with those that the filter leaves out.
  const isCut = shapes.length < limit && (await dialect.isCrowded(read, extent, tile.z, most))
  if (isCut) shapes = await readShapes(null)
  return shapes.sort((one, other) => other.size - one.size || (one.id < other.id ? -1 : 1))
}

/** The kind as an expression: or it would be looked up in the list's index, which knows nothing of places. */
function matches(conditions: readonly KindCondition[]): Expression<SqlBool> {
  const oneKind = conditions.map(({ kind, types, since }) => {
    const parts = [sql`kind || '' = ${kind}`]
    if (types) parts.push(sql`type in (${sql.join(types)})`)
    if (since !== null) parts.push(sql`(date >= ${startOfUtcDay(since)} or date is null)`)
    return sql`(${sql.join(parts, sql` and `)})`
  })
  return oneKind.length > 0 ? sql`(${sql.join(oneKind, sql` or `)})` : sql`1 = 0`
}
