import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { pinsFromTileZoom } from '#domain/thinning/tile-zooms.ts'
import type { Database } from '../database/database.ts'
import { extentOfTile, type TileAddress } from '../geometry/tile-address.ts'
import type { TileFilter } from '../thinning/filter.ts'
import {
  readTileGeometries,
  readTileIncidents,
  readTileRepresentatives,
} from '../thinning/read-tile.queries.ts'
import {
  derivedTags,
  type PlacedRepresentative,
  type TileGeometry,
  type TileIncident,
  type TileRepresentative,
} from '../thinning/tile-attributes.ts'
import { TileBudget } from '../thinning/tile-budget.ts'
import { encodeLayers } from './encode-layers.ts'
import { bytesOf, bytesWithoutGeometry, type Encodable } from './encoded-size.ts'
import { ringCenters, ringReach, severityRing } from './severity-ring.ts'
import { roundPoint, tileLines, tileMargin, tileRings } from './tile-geometry.ts'

/** Layer of each kind; severity circles have one of their own. Other programs rely on these names. */
export const layerOfKind: Record<FeatureKind, string> = {
  incident: 'incidents',
  asset: 'assets',
  parcel: 'parcels',
}
export const areaLayer = 'incident_areas'

/** More large lines and polygons than cells are not drawn, and a fifth of the tile is enough for circles. */
const maxGeometries = 4_096
const maxRingBytes = 100_000

type Layers = Record<string, Encodable[]>

/** Reads what is on the tile and encodes it as a Mapbox Vector Tile (version 2). */
export async function encodeTile(
  database: Database,
  mapId: string,
  tile: TileAddress,
  filter: TileFilter,
): Promise<Uint8Array> {
  const [representatives, geometries, centers] = await Promise.all([
    // Ordered while PostgreSQL still looks for the geometries.
    readTileRepresentatives(database, mapId, tile, filter),
    readTileGeometries(database, mapId, tile, { margin: tileMargin, limit: maxGeometries }, filter),
    readRingCenters(database, mapId, tile, filter),
  ])
  const layers: Layers = { incidents: [], assets: [], parcels: [], [areaLayer]: [] }
  const budget = new TileBudget()
  const waiting = addRepresentatives(layers, budget, tile, representatives)
  addRings(layers, budget, tile, centers)
  addGeometries(layers, budget, tile, geometries, waiting)
  return encodeLayers(layers)
}

async function readRingCenters(database: Database, mapId: string, tile: TileAddress, filter: TileFilter) {
  const { north, south } = extentOfTile(tile, 0)
  const reach = ringReach(tile.z, Math.max(Math.abs(north), Math.abs(south)))
  if (reach === 0) return []
  return ringCenters(tile.z, await readTileIncidents(database, mapId, tile, reach, filter))
}

/** So many pins of 30 pixels cover a quarter of a tile of 512, and pins cluster. */
const mostPins = 80
/**
 * Where there are more, only representatives of cells of 32 pixels are pins: those of the tiles so many zooms earlier.
 */
const pinCellZooms = 2

const hasPin = ({ standing: { attributes } }: TileRepresentative) =>
  attributes.shape === 'point' || (attributes.shape === 'polygon' && attributes.kind !== 'parcel')

const dotTagsOf = derivedTags((attributes) => ({ ...attributes, mark: 'dot' }))

type Waiting = ReadonlyMap<string, { layer: string; asPoint: Encodable; bytes: number }>

/**
 * Points, lines and polygons too small to be seen as such, and the pins of asset and incident areas. Representatives
 * that a line or an area will stand for are returned: should it not fit, a point does.
 */
function addRepresentatives(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  representatives: readonly PlacedRepresentative[],
): Waiting {
  const waiting = new Map<string, { layer: string; asPoint: Encodable; bytes: number }>()
  const isCrowded =
    tile.z >= pinsFromTileZoom &&
    representatives.filter(({ representative }) => hasPin(representative)).length > mostPins
  for (const { representative, x, y } of representatives) {
    const { id, standing } = representative
    const { attributes, zoom, geometryZoom } = standing
    // On a full tile thousands do not fit.
    if (budget.leftBytes < bytesWithoutGeometry({ id, attributes })) continue
    const layer = layerOfKind[attributes.kind]
    const isDot = isCrowded && hasPin(representative) && zoom > tile.z - pinCellZooms
    const asPoint: Encodable = {
      type: 1,
      geometry: [roundPoint([x, y])],
      id,
      attributes: isDot ? dotTagsOf(attributes) : attributes,
    }
    const bytes = bytesOf(asPoint)
    if (!budget.take(bytes)) continue
    const isPinned = attributes.shape === 'polygon' && attributes.kind !== 'parcel'
    if (geometryZoom > tile.z || isPinned) layers[layer]?.push(asPoint)
    else waiting.set(id, { layer, asPoint, bytes })
  }
  return waiting
}

/** The circle of an incident has its severity and status alone. */
const areaTagsOf = derivedTags(({ severity, status }) => ({ severity: severity ?? 'unknown', status }))

function addRings(layers: Layers, budget: TileBudget, tile: TileAddress, centers: readonly TileIncident[]) {
  const least = budget.leftBytes - maxRingBytes
  for (const incident of centers) {
    const ring = severityRing(tile, incident)
    if (!ring) continue
    const { id, standing } = incident
    const area: Encodable = { type: 3, geometry: [ring], id, attributes: areaTagsOf(standing.attributes) }
    const bytes = bytesOf(area)
    if (budget.leftBytes - bytes < least || !budget.take(bytes)) return
    layers[areaLayer]?.push(area)
  }
}

function addGeometries(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  geometries: readonly TileGeometry[],
  waiting: Waiting,
) {
  const drawn = new Set<string>()
  for (const row of geometries) {
    const { id, attributes } = row
    const own = waiting.get(id)
    // A full tile has room for none of the thousands that wait: they need not be cut and rounded.
    if (budget.leftBytes + (own?.bytes ?? 0) < bytesWithoutGeometry(row)) continue
    const geometry = JSON.parse(row.geometry) as Geometry
    const isLine = attributes.shape === 'line'
    const parts = isLine ? tileLines(tile, geometry) : tileRings(tile, geometry)
    if (parts.length === 0) continue
    const encodable: Encodable = { type: isLine ? 2 : 3, geometry: parts, id, attributes }
    if (own) budget.giveBack(own.bytes)
    if (budget.take(bytesOf(encodable))) {
      layers[layerOfKind[attributes.kind]]?.push(encodable)
      drawn.add(id)
    } else if (own) budget.take(own.bytes)
  }
  for (const [id, { layer, asPoint }] of waiting) if (!drawn.has(id)) layers[layer]?.push(asPoint)
}
