import { middleLng, partsOfBox } from '#domain/geometry/box.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { fromUtm, toUtm, type UtmZone, utmZoneOf } from '#domain/geometry/transverse-mercator.ts'
import {
  earthCircumferenceMeters,
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
} from '#domain/geometry/web-mercator.ts'
import type { Extent } from '../database/database.ts'
import { type StatePlane, statePlanesAt } from './state-planes.ts'

// Coordinate reference systems (OGC API - Features, part 2), by their names as addresses.

export type ReferenceSystem = {
  uri: string
  fromLngLat(lng: number, lat: number): [number, number]
  /** Not finite where there is no such place. */
  toLngLat(x: number, y: number): [number, number]
  /** Whether meridians and parallels run along its axes, so that a box is a box. */
  isUpright: boolean
}

const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`

/** Degrees, longitude first: as everything is stored. */
export const crs84: ReferenceSystem = {
  uri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  fromLngLat: (lng, lat) => [lng, lat],
  toLngLat: (lng, lat) => [lng, lat],
  isUpright: true,
}

/** The same, latitude first. */
const wgs84: ReferenceSystem = {
  uri: epsg(4326),
  fromLngLat: (lng, lat) => [lat, lng],
  toLngLat: (lat, lng) => [lng, lat],
  isUpright: true,
}

const webMercator: ReferenceSystem = {
  uri: epsg(3857),
  fromLngLat: (lng, lat) =>
    roundToMillimeters([
      (mercatorX(lng) - 0.5) * earthCircumferenceMeters,
      (0.5 - mercatorY(lat)) * earthCircumferenceMeters,
    ]),
  toLngLat: (x, y) => [
    lngOfMercatorX(x / earthCircumferenceMeters + 0.5),
    latOfMercatorY(0.5 - y / earthCircumferenceMeters),
  ],
  isUpright: true,
}

const utm = (zone: UtmZone): ReferenceSystem => ({
  uri: epsg((zone.half === 'north' ? 32_600 : 32_700) + zone.number),
  fromLngLat: (lng, lat) => roundToMillimeters(toUtm(zone, lng, lat)),
  toLngLat: (x, y) => fromUtm(zone, x, y),
  isUpright: false,
})

const statePlane = ({ code, fromLngLat, toLngLat }: StatePlane): ReferenceSystem => ({
  uri: epsg(code),
  fromLngLat: (lng, lat) => roundToMillimeters(fromLngLat(lng, lat)),
  toLngLat,
  isUpright: false,
})

/** To thousandths of a foot where feet are the unit. */
const roundToMillimeters = ([x, y]: [number, number]): [number, number] => [
  Math.round(x * 1_000) / 1_000,
  Math.round(y * 1_000) / 1_000,
]

/** Those of a map with this extent, the default first. */
export function referenceSystemsOf(extent: Extent | null): ReferenceSystem[] {
  const everywhere = [crs84, wgs84, webMercator]
  if (!extent) return everywhere
  const middle = [middleLng(extent), (extent.south + extent.north) / 2] as const
  return [...everywhere, utm(utmZoneOf(...middle)), ...statePlanesAt(...middle).map(statePlane)]
}

/** Where on earth a position is; undefined where it is nowhere. */
export function placeOf({ toLngLat }: ReferenceSystem, x: number, y: number): Position | undefined {
  const [lng, lat] = toLngLat(x, y)
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90 ? [lng, lat] : undefined
}

/** An edge of a box that runs across meridians is bent: so many straight pieces are near enough. */
const piecesOfEdge = 16

/**
 * The areas of a box: lower corner, upper corner, each perhaps with a height. Two where it goes over the date line; undefined
 * where it is no box.
 */
export function areasOfBox(system: ReferenceSystem, numbers: readonly number[]): Geometry[] | undefined {
  const [x1, y1, x2, y2] = (numbers.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3]).map((at) => numbers[at]) as [
    number,
    number,
    number,
    number,
  ]
  if (!system.isUpright) return areaOfSlantedBox(system, [x1, y1, x2, y2])
  const [west, south] = inWorld(system.toLngLat(x1, y1))
  const [east, north] = inWorld(system.toLngLat(x2, y2))
  if (![west, south, east, north].every(Number.isFinite) || south > north) return undefined
  return partsOfBox({ west, south, east, north }).map(areaOf)
}

/** Programs ask for more than the world where they show all of it. */
const inWorld = ([lng, lat]: [number, number]): [number, number] => [
  Math.min(180, Math.max(-180, lng)),
  Math.min(90, Math.max(-90, lat)),
]

/** A box that is no more than a line or a point is that. */
function areaOf({ west, south, east, north }: Extent): Geometry {
  const corners: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  if (west === east && south === north) return { type: 'Point', coordinates: [west, south] }
  if (west === east || south === north)
    return {
      type: 'LineString',
      coordinates: [
        [west, south],
        [east, north],
      ],
    }
  return { type: 'Polygon', coordinates: [corners] }
}

function areaOfSlantedBox(
  system: ReferenceSystem,
  [x1, y1, x2, y2]: [number, number, number, number],
): Geometry[] | undefined {
  if (x1 > x2 || y1 > y2) return undefined
  const corners = [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
  ] as const
  const ring: Position[] = []
  for (const [index, [fromX, fromY]] of corners.entries()) {
    const [toX, toY] = corners[(index + 1) % 4] as readonly [number, number]
    for (let piece = 0; piece < piecesOfEdge; piece++) {
      const share = piece / piecesOfEdge
      const place = placeOf(system, fromX + (toX - fromX) * share, fromY + (toY - fromY) * share)
      if (!place) return undefined
      ring.push(place)
    }
  }
  const [first] = ring
  if (x1 === x2 && y1 === y2) return [{ type: 'Point', coordinates: first as Position }]
  if (x1 === x2 || y1 === y2) return [{ type: 'LineString', coordinates: ring }]
  return [{ type: 'Polygon', coordinates: [[...ring, first as Position]] }]
}

/** The same geometry with other positions. */
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
