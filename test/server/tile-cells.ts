import { clipPolyline } from 'lineclip'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { type ColumnWords, columnWordsOf, type FilterColumn, typesByKind } from '#domain/features/filters.ts'
import type { Database } from '#server/database/database.ts'
import { encodeTile } from '#server/tiles/encode-tile.ts'
import { type DecodedFeature, decodeTile } from './decode-tile.ts'

// Checks thinning against its design: a tile has 64 by 64 cells of 8 pixels, and each cell that contains a matching
// feature must draw something.

type Point = { x: number; y: number }
export type Tile = Point & { z: number }
export type Filter = {
  kinds: FeatureKind[]
  types: string[]
  since: string | undefined
  columns?: ColumnWords
}
type Columns = Record<FilterColumn | 'type', string | null>
export type Anchor = Point & Columns & { id: string; kind: FeatureKind; date: number | null }

const cells = 64
const cellUnits = 4096 / cells

/** Places are 0 to 1 from the north-west corner of the world. */
export async function readAnchors(database: Database, mapId: string): Promise<Anchor[]> {
  const rows = await database.read
    .selectFrom('features')
    .select(['id', 'kind', 'type', 'status', 'severity', 'date', 'lng', 'lat'])
    .where('map_id', '=', mapId)
    .execute()
  return rows.map(({ lng, lat, ...row }) => {
    const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
    return { ...row, x: lng / 360 + 0.5, y }
  })
}

function matches(anchor: Anchor, { kinds, types, since, columns = {} }: Filter): boolean {
  const { kind, type, date } = anchor
  if (kinds.length > 0 && !kinds.includes(kind)) return false
  for (const [column, words] of Object.entries(columnWordsOf(columns)))
    if (!words.includes(anchor[column as FilterColumn] ?? (kind === 'incident' ? 'unknown' : '')))
      return false
  const wanted = typesByKind(types)[kind]
  if (wanted && !(type !== null && wanted.includes(type))) return false
  if (since === undefined || kind !== 'incident' || date === null) return true
  return new Date(date).toISOString().slice(0, 10) >= since
}

export function fullestTiles(anchors: readonly Anchor[], z: number): Tile[] {
  const counts = new Map<string, number>()
  for (const { x, y } of anchors) {
    const tile = `${Math.floor(x * 2 ** z)} ${Math.floor(y * 2 ** z)}`
    counts.set(tile, (counts.get(tile) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([tile]) => {
      const [x = 0, y = 0] = tile.split(' ').map(Number)
      return { z, x, y }
    })
}

export type Look = { empty: string[]; cells: number; features: number; bytes: number }

export async function lookAtTile(
  database: Database,
  mapId: string,
  anchors: readonly Anchor[],
  tile: Tile,
  filter: Filter,
): Promise<Look> {
  const bytes = await encodeTile(database, mapId, tile, filter)
  const features = decodeTile(bytes).filter(({ layer }) => layer !== 'incident_areas')
  const wanted = new Map<number, Point>()
  for (const anchor of anchors) {
    const x = (anchor.x * 2 ** tile.z - tile.x) * cells
    const y = (anchor.y * 2 ** tile.z - tile.y) * cells
    const isHere = Math.min(x, y) >= 0 && Math.max(x, y) < cells
    if (isHere && matches(anchor, filter))
      wanted.set(Math.floor(y) * cells + Math.floor(x), { x: Math.floor(x), y: Math.floor(y) })
  }
  const dotted = cellsOfPoints(features)
  const shapes = features.filter(({ type }) => type !== 1)
  const isEmpty = ([cell, place]: [number, Point]) =>
    !dotted.has(cell) && !shapes.some((shape) => isInCell(shape, place))
  const empty = [...wanted].filter(isEmpty).map(([, { x, y }]) => `${tile.z}/${tile.x}/${tile.y}: ${x}, ${y}`)
  return { empty, cells: wanted.size, features: features.length, bytes: bytes.length }
}

/** Rounded positions on an edge count for both cells. */
function cellsOfPoints(features: readonly DecodedFeature[]): Set<number> {
  const dotted = new Set<number>()
  for (const { type, parts } of features) {
    const [place] = parts[0] ?? []
    if (type !== 1 || !place) continue
    for (const x of [place.x - 0.5, place.x + 0.5])
      for (const y of [place.y - 0.5, place.y + 0.5])
        dotted.add(Math.floor(y / cellUnits) * cells + Math.floor(x / cellUnits))
  }
  return dotted
}

function isInCell({ type, parts }: DecodedFeature, cell: Point): boolean {
  const [west, north] = [cell.x * cellUnits - 1, cell.y * cellUnits - 1]
  const [east, south] = [west + cellUnits + 2, north + cellUnits + 2]
  const crosses = parts.some((part) => {
    const isFar =
      part.every(({ x }) => x < west) ||
      part.every(({ x }) => x > east) ||
      part.every(({ y }) => y < north) ||
      part.every(({ y }) => y > south)
    if (isFar) return false
    const line = part.map(({ x, y }): [number, number] => [x, y])
    return clipPolyline(line, [west, north, east, south]).length > 0
  })
  return crosses || (type === 3 && isInside(parts, { x: (west + east) / 2, y: (north + south) / 2 }))
}

function isInside(rings: readonly (readonly Point[])[], { x, y }: Point): boolean {
  let crossings = 0
  for (const ring of rings)
    for (let index = 1; index < ring.length; index++) {
      const [from, to] = [ring[index - 1] as Point, ring[index] as Point]
      if (from.y > y !== to.y > y && x < ((to.x - from.x) * (y - from.y)) / (to.y - from.y) + from.x)
        crossings++
    }
  return crossings % 2 === 1
}
