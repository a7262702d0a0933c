import { type Box, unwrapped } from '#domain/geometry/box.ts'

/** Degrees. */
export type Place = { lng: number; lat: number }

export function median(values: readonly number[]): number {
  return share(values, 0.5)
}

export function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

export function middleOf(places: readonly Place[]): Place {
  return { lng: median(places.map(({ lng }) => lng)), lat: median(places.map(({ lat }) => lat)) }
}

const kilometersPerDegree = 111.2

/** Approximate; 0 within the box. */
export function kilometersTo(box: Box, { lng, lat }: Place): number {
  const { west, south, east, north } = unwrapped(box)
  const turned = [lng - 360, lng, lng + 360]
  const degreesLng = Math.min(...turned.map((one) => Math.max(0, west - one, one - east)))
  const degreesLat = lat < south ? south - lat : Math.max(0, lat - north)
  return kilometersPerDegree * Math.hypot(degreesLng * Math.cos((lat * Math.PI) / 180), degreesLat)
}

export function diagonalOf(box: Box): number {
  const { west, south, east, north } = unwrapped(box)
  const across = (east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180)
  return kilometersPerDegree * Math.hypot(across, north - south)
}

/** Kilometers. Neighbors of a map's land are plausible. */
export const reachOf = (land: Box) => Math.max(100, 2 * diagonalOf(land))

export type Slip = { place: Place; isSwapped: boolean }

/** Returns the same numbers with another sign, or swapped, if that is within reach of the land. */
export function findSlip(land: Box, { lng, lat }: Place): Slip | undefined {
  const slips: Slip[] = [
    { place: { lat, lng: -lng }, isSwapped: false },
    { place: { lat: -lat, lng }, isSwapped: false },
    { place: { lat: -lat, lng: -lng }, isSwapped: false },
    { place: { lat: lng, lng: lat }, isSwapped: true },
    { place: { lat: lng, lng: -lat }, isSwapped: true },
    { place: { lat: -lng, lng: lat }, isSwapped: true },
  ]
  const reach = reachOf(land)
  return slips.find(({ place }) => Math.abs(place.lat) <= 90 && kilometersTo(land, place) <= reach)
}
