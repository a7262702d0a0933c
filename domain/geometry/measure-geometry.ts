import polylabel from 'polylabel'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { mercatorX, mercatorY } from './web-mercator.ts'

export function shapeOfGeometry(geometry: Geometry): FeatureShape {
  if (geometry.type.endsWith('Point')) return 'point'
  return geometry.type.endsWith('LineString') ? 'line' : 'polygon'
}

export function partsOfGeometry(geometry: Geometry): Position[][] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]]
    case 'MultiPoint':
      return [geometry.coordinates]
    case 'LineString':
      return [geometry.coordinates]
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates
    case 'MultiPolygon':
      return geometry.coordinates.flat()
  }
}

/** Outer ring first. Empty for points and lines. */
export function polygonsOfGeometry(geometry: Geometry): Position[][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}

export function extentOfGeometry(geometry: Geometry) {
  const extent = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const part of partsOfGeometry(geometry)) {
    for (const [lng, lat] of part) {
      extent.west = Math.min(extent.west, lng)
      extent.south = Math.min(extent.south, lat)
      extent.east = Math.max(extent.east, lng)
      extent.north = Math.max(extent.north, lat)
    }
  }
  return extent
}

/** On the Web Mercator unit square; positive. */
export function mercatorRingArea(ring: readonly Position[]): number {
  let sum = 0
  for (let index = 1; index < ring.length; index++) {
    const [fromLng, fromLat] = ring[index - 1] as Position
    const [toLng, toLat] = ring[index] as Position
    sum += mercatorX(fromLng) * mercatorY(toLat) - mercatorX(toLng) * mercatorY(fromLat)
  }
  return Math.abs(sum) / 2
}

function mercatorLength(line: readonly Position[]): number {
  let sum = 0
  for (let index = 1; index < line.length; index++) {
    const [fromLng, fromLat] = line[index - 1] as Position
    const [toLng, toLat] = line[index] as Position
    sum += Math.hypot(mercatorX(toLng) - mercatorX(fromLng), mercatorY(toLat) - mercatorY(fromLat))
  }
  return sum
}

/** Area or length on the Web Mercator unit square, ignoring holes; 0 for points. */
export function mercatorSize(geometry: Geometry): number {
  const shape = shapeOfGeometry(geometry)
  if (shape === 'point') return 0
  if (shape === 'line') return partsOfGeometry(geometry).reduce((sum, line) => sum + mercatorLength(line), 0)
  return polygonsOfGeometry(geometry).reduce((sum, [outer = [], ...holes]) => {
    const holesArea = holes.reduce((area, hole) => area + mercatorRingArea(hole), 0)
    return sum + Math.max(0, mercatorRingArea(outer) - holesArea)
  }, 0)
}

export function outerRing(geometry: Geometry): Position[] {
  return largest(polygonsOfGeometry(geometry), ([outer = []]) => mercatorRingArea(outer))?.[0] ?? []
}

/** Place of a pin: the (first) point, the middle of a line, or inside a polygon. */
export function locationOfGeometry(geometry: Geometry): { lng: number; lat: number } {
  switch (shapeOfGeometry(geometry)) {
    case 'point':
      return toLngLat(partsOfGeometry(geometry)[0]?.[0])
    case 'line':
      return toLngLat(middleOfLine(largest(partsOfGeometry(geometry), mercatorLength) ?? []))
    case 'polygon': {
      const polygon = largest(polygonsOfGeometry(geometry), ([outer = []]) => mercatorRingArea(outer)) ?? []
      return toLngLat(insideOfPolygon(polygon))
    }
  }
}

function toLngLat(position: readonly number[] | undefined) {
  return { lng: position?.[0] ?? 0, lat: position?.[1] ?? 0 }
}

function largest<Part>(parts: readonly Part[], sizeOf: (part: Part) => number): Part | undefined {
  let best: Part | undefined
  let bestSize = -Infinity
  for (const part of parts) {
    const size = sizeOf(part)
    if (size > bestSize) [best, bestSize] = [part, size]
  }
  return best
}

function middleOfLine(line: readonly Position[]): readonly number[] | undefined {
  let remaining = mercatorLength(line) / 2
  for (let index = 1; index < line.length; index++) {
    const from = line[index - 1] as Position
    const to = line[index] as Position
    const length = mercatorLength([from, to])
    if (length > 0 && length >= remaining) {
      const share = remaining / length
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    }
    remaining -= length
  }
  return line[0]
}

/** The center of mass if it is inside, otherwise the point farthest from every edge. */
function insideOfPolygon(polygon: Position[][]): readonly number[] | undefined {
  const [outer = []] = polygon
  const center = centroidOfRing(outer)
  if (center && isInside(center, polygon)) return center
  if (mercatorRingArea(outer) === 0) return outer[0]
  return poleOfInaccessibility(polygon)
}

/** Share of the extent's shorter side. Finer than a pin shows. */
const finest = 1 / 50
/** polylabel starts with one cell per multiple of the shorter side. */
const maxElongated = 64
/** Corners times cells: 20,000 corners take about 50 ms. */
const maxComparisons = 1e7

/** Stretches flat shapes first, and searches large ones less exactly. */
function poleOfInaccessibility(polygon: Position[][]): readonly number[] {
  const { west, south, east, north } = extentOfGeometry({ type: 'Polygon', coordinates: polygon })
  const longest = Math.max(east - west, north - south)
  const [scaleX, scaleY] = [east - west, north - south].map((side) =>
    Math.max(1, longest / side / maxElongated),
  ) as [number, number]
  const sides = [(east - west) * scaleX, (north - south) * scaleY]
  const [shorter, longer] = [Math.min(...sides), Math.max(...sides)]
  const corners = polygon.reduce((sum, ring) => sum + ring.length, 0)
  const cells = Math.min(1 / finest, Math.max(4, Math.sqrt((maxComparisons * shorter) / longer / corners)))
  const isFlat = scaleX > 1 || scaleY > 1
  const stretched = isFlat
    ? polygon.map((ring) => ring.map(([x, y]) => [(x - west) * scaleX, (y - south) * scaleY]))
    : polygon
  const [x, y] = polylabel(stretched as number[][][], shorter / cells) as unknown as [number, number]
  return isFlat ? [west + x / scaleX, south + y / scaleY] : [x, y]
}

function centroidOfRing(ring: readonly Position[]): [number, number] | undefined {
  const [originLng, originLat] = ring[0] ?? [0, 0]
  let area = 0
  let lng = 0
  let lat = 0
  for (let index = 1; index < ring.length; index++) {
    const from = ring[index - 1] as Position
    const to = ring[index] as Position
    const [fromX, fromY, toX, toY] = [
      from[0] - originLng,
      from[1] - originLat,
      to[0] - originLng,
      to[1] - originLat,
    ]
    const cross = fromX * toY - toX * fromY
    area += cross
    lng += (fromX + toX) * cross
    lat += (fromY + toY) * cross
  }
  return area === 0 ? undefined : [originLng + lng / (3 * area), originLat + lat / (3 * area)]
}

function isInside([lng, lat]: [number, number], polygon: readonly Position[][]): boolean {
  let inside = false
  for (const ring of polygon) {
    for (let index = 1; index < ring.length; index++) {
      const [fromLng, fromLat] = ring[index - 1] as Position
      const [toLng, toLat] = ring[index] as Position
      const crosses = fromLat > lat !== toLat > lat
      if (crosses && lng < ((toLng - fromLng) * (lat - fromLat)) / (toLat - fromLat) + fromLng)
        inside = !inside
    }
  }
  return inside
}
