import { type Expression, type SqlBool, sql } from 'kysely'
import { severityRadiusMeters } from '#domain/incidents/incident-types.ts'
import type { Database, Extent } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { mortonRangeOfTile } from './morton.ts'
import { expandExtent, extentOfTile, type TileAddress } from './tile-address.ts'
import type { KindCondition } from './tile-filter.ts'

export type TilePoint = Pick<
  FeatureColumns,
  'id' | 'kind' | 'shape' | 'type' | 'status' | 'severity' | 'lng' | 'lat'
>
export type TileShape = TilePoint & Pick<FeatureColumns, 'geometry'>

const pointColumns = ['id', 'kind', 'shape', 'type', 'status', 'severity', 'lng', 'lat'] as const

function matches(conditions: readonly KindCondition[]): Expression<SqlBool> {
  const oneKind = conditions.map(({ kind, types, sinceMs }) => {
    const parts = [sql`kind = ${kind}`]
    if (types) parts.push(sql`type in (${sql.join(types)})`)
    if (sinceMs !== null) parts.push(sql`date >= ${sinceMs}`)
    return sql`(${sql.join(parts, sql` and `)})`
  })
  return oneKind.length > 0 ? sql`(${sql.join(oneKind, sql` or `)})` : sql`1 = 0`
}

/**
 * Points, shapes too small to be seen as such, and the anchors of asset and incident areas (their pins). Each
 * belongs to exactly one tile. One range of the covering index for each zoom that is on the tile.
 */
export async function readTilePoints(
  { read }: Database,
  mapId: string,
  tile: TileAddress,
  conditions: readonly KindCondition[],
): Promise<TilePoint[]> {
  const { first, end } = mortonRangeOfTile(tile.z, tile.x, tile.y)
  const ofLeaderZoom = (zoom: number) =>
    read
      .selectFrom('features')
      .select(pointColumns)
      .where('map_id', '=', mapId)
      .where('leader_zoom', '=', zoom)
      .where('morton', '>=', first)
      .where('morton', '<', end)
      .where(sql<SqlBool>`(size_zoom > ${tile.z} or (shape = 'polygon' and kind <> 'parcel'))`)
      .where(matches(conditions))
  let query = ofLeaderZoom(0)
  for (let zoom = 1; zoom <= tile.z; zoom++) query = query.unionAll(ofLeaderZoom(zoom))
  return query.execute()
}

/** Lines and polygons large enough to be drawn that touch the tile or its margin (a share of its width). */
export function readTileShapes(
  { read, dialect }: Database,
  mapId: string,
  tile: TileAddress,
  margin: number,
  conditions: readonly KindCondition[],
): Promise<TileShape[]> {
  return read
    .selectFrom('features')
    .select([...pointColumns, 'geometry'])
    .where('map_id', '=', mapId)
    .where('size_zoom', '<=', tile.z)
    .where(dialect.intersects(extentOfTile(tile, margin)))
    .where(matches(conditions))
    .orderBy('size', 'desc')
    .orderBy('id')
    .execute()
}

/** Incidents whose severity circle may reach into the tile. */
export function readTileIncidents(
  { read, dialect }: Database,
  mapId: string,
  tile: TileAddress,
  conditions: readonly KindCondition[],
): Promise<TilePoint[]> {
  const reach = Math.max(...Object.values(severityRadiusMeters))
  const extent: Extent = expandExtent(extentOfTile(tile, 0), reach)
  return read
    .selectFrom('features')
    .select(pointColumns)
    .where('map_id', '=', mapId)
    .where('kind', '=', 'incident')
    .where(dialect.intersects(extent))
    .where(matches(conditions))
    .orderBy('date', 'desc')
    .orderBy('id')
    .execute()
}
