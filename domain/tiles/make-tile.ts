import { featureKinds } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { pinOrderOf } from '#domain/features/pin-order.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { mortonCode } from '#domain/thinning/morton.ts'
import { pinsFromTileZoom, tilePixels } from '#domain/thinning/tile-zooms.ts'
import { encodeLayers } from './encode-layers.ts'
import { bytesOf, bytesWithoutGeometry, type Encodable } from './encoded-size.ts'
import { orderRepresentatives } from './order-representatives.ts'
import { ringCenters, ringReach, severityRing } from './severity-ring.ts'
import { extentOfTile, type TileAddress, tileExtent } from './tile-address.ts'
import { TileBudget } from './tile-budget.ts'
import {
  type Attributes,
  derivedTags,
  type PlacedRepresentative,
  type TagValues,
  type TileGeometry,
  type TileRepresentative,
} from './tile-features.ts'
import { roundPoint, tileLines, tileMargin, tileRings } from './tile-geometry.ts'
import { UntanglingBudget } from './untangle.ts'

/** Layers of kinds are in their traits; severity circles have their own. */
export const areaLayer = 'incident_areas'
export const tileLayers = [...featureKinds.map((kind) => kindTraits[kind].collection), areaLayer]

/** Limit of lines and polygons larger than cells; circles have a limit in bytes, a fifth of the tile. */
const maxGeometries = 4_096
const maxRingBytes = 100_000

export type TilePlace = Pick<Attributes, 'kind' | 'shape'> & { morton: number }

export type TileSource = {
  representatives(tile: TileAddress): TileRepresentative[] | Promise<TileRepresentative[]>
  /**
   * The incidents that represent a cell of twice the width, on the tile and within `reach` (a share of its
   * width) beside it.
   */
  incidents(tile: TileAddress, reach: number): TileRepresentative[] | Promise<TileRepresentative[]>
  /** The largest first, touching the tile with its margin (a share of its width). */
  geometries(
    tile: TileAddress,
    wanted: { margin: number; limit: number },
  ): TileGeometry[] | Promise<TileGeometry[]>
  countsAt(places: readonly TilePlace[]): CountAt | Promise<CountAt>
}
type CountAt = (place: TilePlace) => number

type Layers = Record<string, Encodable[]>

export async function makeTile(source: TileSource, tile: TileAddress): Promise<Uint8Array> {
  const [representatives, geometries, centers] = await Promise.all([
    // Sorts while the database searches for geometries.
    Promise.resolve(source.representatives(tile)).then((found) => orderRepresentatives(tile, found)),
    source.geometries(tile, { margin: tileMargin, limit: maxGeometries }),
    readRingCenters(source, tile),
  ])
  const pins = choosePins(tile.z, representatives)
  const countAt = await countPlaces(source, tile, { pins, geometries })
  const layers: Layers = Object.fromEntries(tileLayers.map((layer) => [layer, []]))
  const budget = new TileBudget()
  const waiting = addRepresentatives(layers, budget, tile, representatives, { pins, countAt })
  addRings(layers, budget, tile, centers)
  addGeometries(layers, budget, tile, geometries, { waiting, countAt })
  return encodeLayers(layers)
}

type Pins = ReturnType<typeof choosePins>
type CountOf = (feature: TileRepresentative | TileGeometry) => number

async function countPlaces(
  source: TileSource,
  tile: TileAddress,
  { pins, geometries }: { pins: Pins; geometries: readonly TileGeometry[] },
): Promise<CountOf> {
  if (tile.z < pinsFromTileZoom) return () => 1
  const countAt = await source.countsAt([...pins.keys(), ...geometries].map(placeOf))
  return (feature) => countAt(placeOf(feature))
}

function placeOf(feature: TileRepresentative | TileGeometry): TilePlace {
  if ('morton' in feature) {
    const { kind, shape } = feature.attributes
    return { kind, shape, morton: feature.morton }
  }
  const { kind, shape } = feature.standing.attributes
  return { kind, shape, morton: mortonCode(feature.lng, feature.lat) }
}

function tagsWithCount(tags: TagValues, count: number): TagValues {
  return count > 1 ? { ...tags, count: String(count) } : tags
}

async function readRingCenters(source: TileSource, tile: TileAddress) {
  const { north, south } = extentOfTile(tile, 0)
  const reach = ringReach(tile.z, Math.max(Math.abs(north), Math.abs(south)))
  return reach === 0 ? [] : ringCenters(tile.z, await source.incidents(tile, reach))
}

const dotTagsOf = derivedTags((attributes) => ({ ...attributes, mark: 'dot' }))

type Waiting = ReadonlyMap<string, { layer: string; asPoint: Encodable; bytes: number }>

/**
 * Adds points, lines and polygons too small to draw, and pins of areas. Returns representatives whose geometry
 * is drawn instead, as a fallback if it does not fit.
 */
function addRepresentatives(
  layers: Layers,
  budget: TileBudget,
  tile: TileAddress,
  representatives: readonly PlacedRepresentative[],
  { pins, countAt }: { pins: Pins; countAt: CountOf },
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
    if (budget.leftBytes < bytesWithoutGeometry({ id, attributes: tags })) continue
    const layer = kindTraits[attributes.kind].collection
    const asPoint: Encodable = { type: 1, geometry: [roundPoint([x, y])], id, attributes: tags }
    const bytes = bytesOf(asPoint)
    if (!budget.take(bytes)) continue
    const isPinned = attributes.shape === 'polygon' && hasPin(attributes)
    if (geometryZoom > tile.z || isPinned) layers[layer]?.push(asPoint)
    else waiting.set(id, { layer, asPoint, bytes })
  }
  return waiting
}

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
  { waiting, countAt }: { waiting: Waiting; countAt: CountOf },
) {
  const drawn = new Set<string>()
  const untangling = new UntanglingBudget()
  for (const row of geometries) {
    const { id } = row
    const attributes = tagsWithCount(row.attributes, countAt(row))
    const own = waiting.get(id)
    // Avoids cutting and rounding thousands of geometries on a full tile.
    if (budget.leftBytes + (own?.bytes ?? 0) < bytesWithoutGeometry({ id, attributes })) continue
    const geometry = geometryOf(row)
    const isLine = row.attributes.shape === 'line'
    const parts = isLine ? tileLines(tile, geometry) : tileRings(tile, geometry, untangling)
    if (parts.length === 0) continue
    const encodable: Encodable = { type: isLine ? 2 : 3, geometry: parts, id, attributes }
    if (own) budget.giveBack(own.bytes)
    if (budget.take(bytesOf(encodable))) {
      layers[kindTraits[row.attributes.kind].collection]?.push(encodable)
      drawn.add(id)
    } else if (own) budget.take(own.bytes)
  }
  for (const [id, { layer, asPoint }] of waiting) if (!drawn.has(id)) layers[layer]?.push(asPoint)
}

const geometryOf = ({ geometry }: TileGeometry): Geometry =>
  typeof geometry === 'string' ? JSON.parse(geometry) : geometry

/** This many pins of 30 pixels cover a quarter of a tile of 512 pixels. */
const maxPins = 80
/** With more pins, each kind has one per cell of about a pin's width. */
const cellPixels = 32
const cellUnits = (cellPixels / tilePixels) * tileExtent
const cellsAcross = tilePixels / cellPixels

const hasPin = ({ shape, kind }: Attributes) =>
  shape === 'point' || (shape === 'polygon' && kindTraits[kind].pin !== null)

function choosePins(
  z: number,
  representatives: readonly PlacedRepresentative[],
): ReadonlyMap<TileRepresentative, number> {
  const pins = new Map<TileRepresentative, number>()
  if (z < pinsFromTileZoom) return pins
  const possible = representatives.filter(({ representative }) => hasPin(representative.standing.attributes))
  const chosen = possible.length > maxPins ? firstOfCells(possible) : possible
  for (const { representative } of chosen) pins.set(representative, orderOf(representative))
  return pins
}

const orderOf = ({ standing, date }: TileRepresentative) => pinOrderOf(standing.attributes, date)

function firstOfCells(placed: readonly PlacedRepresentative[]): Iterable<PlacedRepresentative> {
  const firsts = new Map<string, { one: PlacedRepresentative; order: number }>()
  for (const one of placed) {
    const { representative, x, y } = one
    const cell = Math.floor(y / cellUnits) * cellsAcross + Math.floor(x / cellUnits)
    const key = `${cell} ${representative.standing.attributes.kind}`
    const first = firsts.get(key)
    const order = orderOf(representative)
    const isFirst =
      !first ||
      order < first.order ||
      (order === first.order && representative.standing.zoom < first.one.representative.standing.zoom)
    if (isFirst) firsts.set(key, { one, order })
  }
  return [...firsts.values()].map(({ one }) => one)
}
