import type { Extent } from '../../database/database.ts'

/** In degrees. */
export type Place = { lng: number; lat: number }

export function median(values: readonly number[]): number {
  return share(values, 0.5)
}

/** The value below which this share of the values lies. */
export function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Few that lie far away do not move it. */
export function middleOf(places: readonly Place[]): Place {
  return { lng: median(places.map(({ lng }) => lng)), lat: median(places.map(({ lat }) => lat)) }
}

const kilometersPerDegree = 111.2

/** Roughly: 0 within the box. Over the date line it is short, too. */
export function kilometersTo({ west, south, east, north }: Extent, { lng, lat }: Place): number {
  const beside = lng < west ? west - lng : Math.max(0, lng - east)
  const degreesLng =
    beside === 0 ? 0 : Math.min(beside, Math.abs(360 - (Math.max(east, lng) - Math.min(west, lng))))
  const degreesLat = lat < south ? south - lat : Math.max(0, lat - north)
  return kilometersPerDegree * Math.hypot(degreesLng * Math.cos((lat * Math.PI) / 180), degreesLat)
}

export function diagonalOf({ west, south, east, north }: Extent): number {
  const across = (east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180)
  return kilometersPerDegree * Math.hypot(across, north - south)
}

/** Neighbors of the land on a map are plausible: so far from it, in kilometers, rows of a file may lie. */
export const reachOf = (land: Extent) => Math.max(100, 2 * diagonalOf(land))
