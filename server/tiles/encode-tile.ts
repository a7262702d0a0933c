import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { FeatureKind } from '#domain/features/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Database } from '../database/database.ts'
import { rangesAround } from './morton-ranges.ts'
import { orderLeaders, type PlacedLeader } from './order-leaders.ts'
import { ringCenters, ringReach, severityRing } from './severity-ring.ts'
import { extentOfTile, type TileAddress } from './tile-address.ts'
import { bytesOf, type Encodable, TileBudget } from './tile-budget.ts'
import { conditionsOfFilter, type KindCondition, type TileFilter } from './tile-filter.ts'
import { roundPoint, tileExtent, tileLines, tileMargin, tileRings } from './tile-geometry.ts'
import {
  readLeaders,
  readTileShapes,
  type TileLeader,
  type TilePoint,
  type TileShape,
} from './tiles.queries.ts'

/** Layer of each kind; severity circles have one of their own. Other programs rely on these names. */
export const layerOfKind: Record<FeatureKind, string> = {
  incident: 'incidents',
  asset: 'assets',
  parcel: 'parcels',
}
export const areaLayer = 'incident_areas'

/** More large shapes than cells are not drawn, and a fifth of the tile is enough for circles. */
const maxShapes = 4_096
const maxRingBytes = 100_000

type Layers = Record<string, Encodable[]>

/** Reads what is on the tile and encodes it as a Mapbox Vector Tile (version 2). */
export async function encodeTile(
  database: Database,
  mapId: string,
  tile: TileAddress,
  filter: TileFilter,
): Promise<Uint8Array> {
  const conditions = conditionsOfFilter(filter)
  const [leaders, shapes, centers] = await Promise.all([
    readLeaders(database, mapId, tile.z, rangesAround(tile, 0), conditions),
    readTileShapes(database, mapId, tile, { margin: tileMargin, limit: maxShapes }, conditions),
    readRingCenters(database, mapId, tile, conditions),
  ])
  const layers: Layers = { incidents: [], assets: [], parcels: [], [areaLayer]: [] }
  const budget = new TileBudget()
  const waiting = addLeaders(layers, budget, tile, orderLeaders(tile, leaders))
  addRings(layers, budget, tile, centers)
  addShapes(layers, budget, tile, shapes, waiting)
  return encode(layers)
}

async function readRingCenters(
  database: Database,
  mapId: string,
  tile: TileAddress,
  conditions: readonly KindCondition[],
) {
  const { north, south } = extentOfTile(tile, 0)
  const reach = ringReach(tile.z, Math.max(Math.abs(north), Math.abs(south)))
  const ofIncidents = conditions.filter(({ kind }) => kind === 'incident')
  if (reach === 0 || ofIncidents.length === 0) return []
  const leaders = await readLeaders(database, mapId, tile.z, rangesAround(tile, reach), ofIncidents)
  return ringCenters(
    tile.z,
    leaders.map((leader) => ({ ...leader, kind: 'incident' as const })),
  )
}

type Waiting = ReadonlyMap<string, { layer: string; asPoint: Encodable; bytes: number }>

/**
 * Points, shapes too small to be seen as such, and the pins of asset and incident areas. Leaders that a line or an area
 * will stand for are returned: should it not fit, a point does.
 */
function addLeaders(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  leaders: readonly PlacedLeader[],
): Waiting {
  const waiting = new Map<string, { layer: string; asPoint: Encodable; bytes: number }>()
  for (const { leader, x, y } of leaders) {
    const layer = layerOfKind[leader.kind]
    const asPoint: Encodable = { type: 1, geometry: [roundPoint([x, y])], tags: tagsOf(leader) }
    const bytes = bytesOf(asPoint)
    if (!budget.take(bytes)) continue
    const isPinned = leader.shape === 'polygon' && leader.kind !== 'parcel'
    if (leader.size_zoom > tile.z || isPinned) layers[layer]?.push(asPoint)
    else waiting.set(leader.id, { layer, asPoint, bytes })
  }
  return waiting
}

function addRings(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  centers: Parameters<typeof ringCenters>[1],
) {
  const least = budget.leftBytes - maxRingBytes
  for (const incident of centers) {
    const ring = severityRing(tile, incident)
    if (!ring) continue
    const { id, severity, status } = incident as TileLeader
    const tags = { id, severity: severity ?? 'unknown', status: status ?? '' }
    const area: Encodable = { type: 3, geometry: [ring.map(roundPoint)], tags }
    const bytes = bytesOf(area)
    if (budget.leftBytes - bytes < least || !budget.take(bytes)) return
    layers[areaLayer]?.push(area)
  }
}

function addShapes(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  shapes: readonly TileShape[],
  waiting: Waiting,
) {
  const drawn = new Set<string>()
  for (const shape of shapes) {
    const geometry = JSON.parse(shape.geometry) as Geometry
    const isLine = shape.shape === 'line'
    const parts = isLine ? tileLines(tile, geometry) : tileRings(tile, geometry)
    if (parts.length === 0) continue
    const encodable: Encodable = { type: isLine ? 2 : 3, geometry: parts, tags: tagsOf(shape) }
    const own = waiting.get(shape.id)
    if (own) budget.giveBack(own.bytes)
    if (budget.take(bytesOf(encodable))) {
      layers[layerOfKind[shape.kind]]?.push(encodable)
      drawn.add(shape.id)
    } else if (own) budget.take(own.bytes)
  }
  for (const [id, { layer, asPoint }] of waiting) if (!drawn.has(id)) layers[layer]?.push(asPoint)
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

function encode(layers: Layers): Uint8Array {
  const filled = Object.entries(layers).filter(([, features]) => features.length > 0)
  // The encoder's type is that of a whole geojson-vt tile; it reads `features` alone.
  const tiles = Object.fromEntries(filled.map(([name, features]) => [name, { features }]))
  return fromGeojsonVt(tiles as unknown as Parameters<typeof fromGeojsonVt>[0], {
    version: 2,
    extent: tileExtent,
  })
}
