import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import {
  earthCircumferenceMeters,
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
} from '#domain/geometry/web-mercator.ts'

/** 512 pixels; x counts from the west, y from the north. */
export type TileAddress = { z: number; x: number; y: number }

/** Tile units per side. */
export const tileExtent = 4096

/** Tile units, not rounded. */
export function toTilePoint({ z, x, y }: TileAddress, lng: number, lat: number): [x: number, y: number] {
  const tiles = 2 ** z
  return [(mercatorX(lng) * tiles - x) * tileExtent, (mercatorY(lat) * tiles - y) * tileExtent]
}

/** Widened on each side by `margin` (a share of its width). */
export function extentOfTile({ z, x, y }: TileAddress, margin: number): Bounds {
  const tiles = 2 ** z
  return {
    west: lngOfMercatorX((x - margin) / tiles),
    east: lngOfMercatorX((x + 1 + margin) / tiles),
    north: latOfMercatorY((y - margin) / tiles),
    south: latOfMercatorY((y + 1 + margin) / tiles),
  }
}

export function expandExtent({ west, south, east, north }: Bounds, meters: number): Bounds {
  const latDegrees = (meters / earthCircumferenceMeters) * 360
  const farthest = Math.min(89, Math.max(Math.abs(south), Math.abs(north)) + latDegrees)
  const lngDegrees = latDegrees / Math.cos((farthest * Math.PI) / 180)
  return {
    west: west - lngDegrees,
    east: east + lngDegrees,
    south: south - latDegrees,
    north: north + latDegrees,
  }
}
