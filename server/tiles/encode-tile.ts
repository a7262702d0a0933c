import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { mortonCode } from '#domain/thinning/morton.ts'
import { pinsFromTileZoom } from '#domain/thinning/tile-zooms.ts'
import type { Database } from '../database/database.ts'
import { extentOfTile, type TileAddress } from '../geometry/tile-address.ts'
import type { TileFilter } from '../thinning/filter.ts'
import {
  countCoLocated,
  readTileGeometries,
  readTileIncidents,
  readTileRepresentatives,
} from '../thinning/read-tile.queries.ts'
import {
  type Attributes,
  derivedTags,
  type PlacedRepresentative,
  type TagValues,
  type TileGeometry,
  type TileRepresentative,
} from '../thinning/tile-attributes.ts'
import { TileBudget } from '../thinning/tile-budget.ts'
import { choosePins, hasPin } from './choose-pins.ts'
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
  const pins = choosePins(tile.z, representatives)
  const countAt = await countPlaces(database, mapId, tile, filter, { pins, geometries })
  const layers: Layers = { incidents: [], assets: [], parcels: [], [areaLayer]: [] }
  const budget = new TileBudget()
  const waiting = addRepresentatives(layers, budget, tile, representatives, { pins, countAt })
  addRings(layers, budget, tile, centers)
  addGeometries(layers, budget, tile, geometries, { waiting, countAt })
  return encodeLayers(layers)
}

type Pins = ReturnType<typeof choosePins>
type CountAt = (feature: TileRepresentative | TileGeometry) => number

/** How many features lie at the place of a pin, a line or an area. From far away nothing is told apart anyway. */
async function countPlaces(
  database: Database,
  mapId: string,
  tile: TileAddress,
  filter: TileFilter,
  { pins, geometries }: { pins: Pins; geometries: readonly TileGeometry[] },
): Promise<CountAt> {
  if (tile.z < pinsFromTileZoom) return () => 1
  const placeOf = (feature: TileRepresentative | TileGeometry) =>
    'morton' in feature
      ? { ...kindAndShapeOf(feature.attributes), morton: feature.morton }
      : {
          ...kindAndShapeOf(feature.standing.attributes),
          morton: mortonCode(feature.lng, feature.lat),
        }
  const places = [...pins.keys(), ...geometries].map(placeOf)
  const countAt = await countCoLocated(database, mapId, filter, places)
  return (feature) => countAt(placeOf(feature))
}

const kindAndShapeOf = ({ kind, shape }: Attributes) => ({ kind, shape })

function tagsWithCount(tags: TagValues, count: number): TagValues {
  return count > 1 ? { ...tags, count: String(count) } : tags
}

async function readRingCenters(database: Database, mapId: string, tile: TileAddress, filter: TileFilter) {
  const { north, south } = extentOfTile(tile, 0)
  const reach = ringReach(tile.z, Math.max(Math.abs(north), Math.abs(south)))
  if (reach === 0) return []
  return ringCenters(tile.z, await readTileIncidents(database, mapId, tile, reach, filter))
}

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
  { pins, countAt }: { pins: Pins; countAt: CountAt },
): Waiting {
  const waiting = new Map<string, { layer: string; asPoint: Encodable; bytes: number }>()
  const tagsOf = (representative: TileRepresentative): TagValues => {
    const { attributes } = representative.standing
    const order = pins.get(representative)
    if (order !== undefined)
      return tagsWithCount({ ...attributes, pin_order: String(order) }, countAt(representative))
    return tile.z >= pinsFromTileZoom && hasPin(attributes) ? dotTagsOf(attributes) : attributes
  }
  for (const { representative, x, y } of representatives) {
    const { id, standing } = representative
    const { attributes, geometryZoom } = standing
    const tags = tagsOf(representative)
    // On a full tile thousands do not fit.
    if (budget.leftBytes < bytesWithoutGeometry({ id, attributes: tags })) continue
    const layer = layerOfKind[attributes.kind]
    const asPoint: Encodable = { type: 1, geometry: [roundPoint([x, y])], id, attributes: tags }
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

function addRings(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  centers: readonly TileRepresentative[],
) {
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
  { waiting, countAt }: { waiting: Waiting; countAt: CountAt },
) {
  const drawn = new Set<string>()
  for (const row of geometries) {
    const { id } = row
    const attributes = tagsWithCount(row.attributes, countAt(row))
    const own = waiting.get(id)
    // A full tile has room for none of the thousands that wait: they need not be cut and rounded.
    if (budget.leftBytes + (own?.bytes ?? 0) < bytesWithoutGeometry({ id, attributes })) continue
    const geometry = JSON.parse(row.geometry) as Geometry
    const isLine = row.attributes.shape === 'line'
    const parts = isLine ? tileLines(tile, geometry) : tileRings(tile, geometry)
    if (parts.length === 0) continue
    const encodable: Encodable = { type: isLine ? 2 : 3, geometry: parts, id, attributes }
    if (own) budget.giveBack(own.bytes)
    if (budget.take(bytesOf(encodable))) {
      layers[layerOfKind[row.attributes.kind]]?.push(encodable)
      drawn.add(id)
    } else if (own) budget.take(own.bytes)
  }
  for (const [id, { layer, asPoint }] of waiting) if (!drawn.has(id)) layers[layer]?.push(asPoint)
}
