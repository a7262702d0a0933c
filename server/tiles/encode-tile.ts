import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { FeatureKind } from '#domain/features/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Database } from '../database/database.ts'
import { severityRing } from './severity-ring.ts'
import type { TileAddress } from './tile-address.ts'
import { conditionsOfFilter, type TileFilter } from './tile-filter.ts'
import { roundPoint, tileExtent, tileLines, tileMargin, tileRings, toTilePoint } from './tile-geometry.ts'
import { readTileIncidents, readTilePoints, readTileShapes, type TilePoint } from './tiles.queries.ts'

/** Layer of each kind; severity circles have one of their own. Other programs rely on these names. */
export const layerOfKind: Record<FeatureKind, string> = {
  incident: 'incidents',
  asset: 'assets',
  parcel: 'parcels',
}
export const areaLayer = 'incident_areas'

type TileFeature = { type: 1 | 2 | 3; geometry: number[][] | number[][][]; tags: Record<string, string> }

/** Reads what is on the tile and encodes it as a Mapbox Vector Tile (version 2). */
export async function encodeTile(
  database: Database,
  mapId: string,
  tile: TileAddress,
  filter: TileFilter,
): Promise<Uint8Array> {
  const conditions = conditionsOfFilter(filter)
  const [points, shapes, incidents] = await Promise.all([
    readTilePoints(database, mapId, tile, conditions),
    readTileShapes(database, mapId, tile, tileMargin, conditions),
    readTileIncidents(database, mapId, tile, conditions),
  ])
  const layers: Record<string, TileFeature[]> = { incidents: [], assets: [], parcels: [], [areaLayer]: [] }

  for (const shape of shapes) {
    const geometry = JSON.parse(shape.geometry) as Geometry
    const isLine = shape.shape === 'line'
    const parts = isLine ? tileLines(tile, geometry) : tileRings(tile, geometry)
    if (parts.length === 0) continue
    layers[layerOfKind[shape.kind]]?.push({ type: isLine ? 2 : 3, geometry: parts, tags: tagsOf(shape) })
  }
  for (const point of points) {
    const geometry = [roundPoint(toTilePoint(tile, point.lng, point.lat))]
    layers[layerOfKind[point.kind]]?.push({ type: 1, geometry, tags: tagsOf(point) })
  }
  for (const incident of incidents) {
    const ring = severityRing(tile, incident)
    if (!ring) continue
    const tags = { id: incident.id, severity: incident.severity ?? 'unknown', status: incident.status ?? '' }
    layers[areaLayer]?.push({ type: 3, geometry: [ring.map(roundPoint)], tags })
  }
  return encode(layers)
}

/** `shape` tells what the feature is where a point stands for it. Names are left out: hovering fetches them. */
function tagsOf({ id, shape, type, status, severity }: TilePoint): Record<string, string> {
  return {
    id,
    shape,
    ...(type === null ? {} : { type }),
    ...(status === null ? {} : { status }),
    ...(severity === null ? {} : { severity }),
  }
}

function encode(layers: Record<string, TileFeature[]>): Uint8Array {
  const filled = Object.entries(layers).filter(([, features]) => features.length > 0)
  // The encoder's type is that of a whole geojson-vt tile; it reads `features` alone.
  const tiles = Object.fromEntries(filled.map(([name, features]) => [name, { features }]))
  return fromGeojsonVt(tiles as unknown as Parameters<typeof fromGeojsonVt>[0], {
    version: 2,
    extent: tileExtent,
  })
}
