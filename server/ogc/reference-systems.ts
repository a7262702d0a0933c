import { readFileSync } from 'node:fs'
import proj4 from 'proj4'
import { middleLng, partsOfBox } from '#domain/geometry/box.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import {
  earthCircumferenceMeters,
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
} from '#domain/geometry/web-mercator.ts'
import type { Extent } from '../database/database.ts'

// Coordinate reference systems (OGC API - Features, part 2), named by URIs.

type Pair = [number, number]

export type ReferenceSystem = {
  uri: string
  fromLngLat(lng: number, lat: number): Pair
  /** Not finite outside of the system. */
  toLngLat(x: number, y: number): Pair
  /** Whether meridians and parallels run along its axes, so that a box stays a box. */
  isUpright: boolean
}

export const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`

/** Degrees, longitude first, as in the database. */
export const crs84: ReferenceSystem = {
  uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  fromLngLat: (lng, lat) => [lng, lat],
  toLngLat: (lng, lat) => [lng, lat],
  isUpright: true,
}

const wgs84: ReferenceSystem = {
  uri: epsg(4326),
  fromLngLat: (lng, lat) => [lat, lng],
  toLngLat: (lat, lng) => [lng, lat],
  isUpright: true,
}

const webMercator: ReferenceSystem = {
  uri: epsg(3857),
  fromLngLat: (lng, lat) =>
    roundToThousandths([
      (mercatorX(lng) - 0.5) * earthCircumferenceMeters,
      (0.5 - mercatorY(lat)) * earthCircumferenceMeters,
    ]),
  toLngLat: (x, y) => [
    lngOfMercatorX(x / earthCircumferenceMeters + 0.5),
    latOfMercatorY(0.5 - y / earthCircumferenceMeters),
  ],
  isUpright: true,
}

const roundToThousandths = (pair: Pair) => pair.map((value) => Math.round(value * 1_000) / 1_000) as Pair

const roundTripTolerance = 1

const projectedSystems = new Map<number, ReferenceSystem>()

function projected(code: number, definition: string): ReferenceSystem {
  const cached = projectedSystems.get(code)
  if (cached) return cached
  const { forward, inverse } = proj4(definition)
  const system: ReferenceSystem = {
    uri: epsg(code),
    fromLngLat: (lng, lat) => roundToThousandths(forward<Pair>([lng, lat])),
    toLngLat(x, y) {
      // Outside of the system proj4 throws, or returns any other position.
      try {
        const [lng, lat] = inverse<Pair>([x, y])
        const [backX, backY] = forward<Pair>([lng, lat])
        if (Math.hypot(backX - x, backY - y) < roundTripTolerance) return [lng, lat]
      } catch {}
      return [Number.NaN, Number.NaN]
    },
    isUpright: false,
  }
  projectedSystems.set(code, system)
  return system
}

/** The UTM zone of a position, without the exceptions around Norway. */
export function utmAt(lng: number, lat: number): ReferenceSystem {
  const zone = Math.min(60, Math.max(1, Math.floor((lng + 180) / 6) + 1))
  return lat < 0
    ? projected(32_700 + zone, `+proj=utm +zone=${zone} +south +datum=WGS84`)
    : projected(32_600 + zone, `+proj=utm +zone=${zone} +datum=WGS84`)
}

type Zone = { code: number; area: Extent; definition: string }

/**
 * State planes on NAD83, in meters and in feet. Each line has the EPSG code, the west, south, east and north
 * of the area of use, and the definition for PROJ; a test compares them with the register.
 */
const statePlaneZones: readonly Zone[] = readFileSync(new URL('state-planes.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [, numbers = '', definition = ''] = /^([-\d. ]+) (\+.+)$/.exec(line) ?? []
    const [code = 0, west = 0, south = 0, east = 0, north = 0] = numbers.split(' ').map(Number)
    return { code, area: { west, south, east, north }, definition }
  })

export const statePlanesAt = (lng: number, lat: number): ReferenceSystem[] =>
  statePlaneZones
    .filter(({ area }) => lat >= area.south && lat <= area.north && isBetween(lng, area.west, area.east))
    .map(({ code, definition }) => projected(code, definition))

/** The Aleutian Islands lie on both sides of the date line. */
const isBetween = (lng: number, west: number, east: number) =>
  west <= east ? lng >= west && lng <= east : lng >= west || lng <= east

export function referenceSystemsOf(extent: Extent | null): ReferenceSystem[] {
  const everywhere = [crs84, wgs84, webMercator]
  if (!extent) return everywhere
  const middle = [middleLng(extent), (extent.south + extent.north) / 2] as const
  return [...everywhere, utmAt(...middle), ...statePlanesAt(...middle)]
}

/** Undefined for coordinates outside of the earth. */
export function toPosition({ toLngLat }: ReferenceSystem, x: number, y: number): Position | undefined {
  const [lng, lat] = toLngLat(x, y)
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90 ? [lng, lat] : undefined
}

/** Straight pieces that approximate an edge of a box across meridians, which is curved in degrees. */
const piecesOfEdge = 16

/** Two areas across the date line; undefined for an invalid box. Corners may have heights. */
export function areasOfBox(system: ReferenceSystem, numbers: readonly number[]): Geometry[] | undefined {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] =
    numbers.length === 6 ? [...numbers.slice(0, 2), ...numbers.slice(3, 5)] : numbers
  if (!system.isUpright) return areaOfSlantedBox(system, [x1, y1, x2, y2])
  const [west, south] = clampToWorld(system.toLngLat(x1, y1))
  const [east, north] = clampToWorld(system.toLngLat(x2, y2))
  if (![west, south, east, north].every(Number.isFinite) || south > north) return undefined
  return partsOfBox({ west, south, east, north }).map((box) =>
    areaWithin(
      [
        [box.west, box.south],
        [box.east, box.south],
        [box.east, box.north],
        [box.west, box.north],
      ],
      box.west === box.east,
      box.south === box.north,
    ),
  )
}

/** Programs send boxes larger than the world to show all of it. */
const clampToWorld = ([lng, lat]: Pair): Pair => [
  Math.min(180, Math.max(-180, lng)),
  Math.min(90, Math.max(-90, lat)),
]

function areaWithin(ring: Position[], hasNoWidth: boolean, hasNoHeight: boolean): Geometry {
  const first = ring[0] as Position
  if (hasNoWidth && hasNoHeight) return { type: 'Point', coordinates: first }
  if (hasNoWidth || hasNoHeight) return { type: 'LineString', coordinates: ring }
  return { type: 'Polygon', coordinates: [[...ring, first]] }
}

function areaOfSlantedBox(
  system: ReferenceSystem,
  [x1, y1, x2, y2]: [number, number, number, number],
): Geometry[] | undefined {
  if (x1 > x2 || y1 > y2) return undefined
  const edges = [
    [x1, y1, x2, y1],
    [x2, y1, x2, y2],
    [x2, y2, x1, y2],
    [x1, y2, x1, y1],
  ] as const
  const ring: Position[] = []
  for (const [fromX, fromY, toX, toY] of edges)
    for (let piece = 0; piece < piecesOfEdge; piece++) {
      const share = piece / piecesOfEdge
      const position = toPosition(system, fromX + (toX - fromX) * share, fromY + (toY - fromY) * share)
      if (!position) return undefined
      ring.push(position)
    }
  return [areaWithin(ring, x1 === x2, y1 === y2)]
}

export function project({ fromLngLat }: ReferenceSystem, geometry: Geometry): Geometry {
  const position = ([lng, lat, ...heights]: Position): Position => [...fromLngLat(lng, lat), ...heights]
  const line = (positions: Position[]) => positions.map(position)
  switch (geometry.type) {
    case 'Point':
      return { type: geometry.type, coordinates: position(geometry.coordinates) }
    case 'MultiPoint':
    case 'LineString':
      return { type: geometry.type, coordinates: line(geometry.coordinates) }
    case 'MultiLineString':
    case 'Polygon':
      return { type: geometry.type, coordinates: geometry.coordinates.map(line) }
    case 'MultiPolygon':
      return { type: geometry.type, coordinates: geometry.coordinates.map((rings) => rings.map(line)) }
  }
}
