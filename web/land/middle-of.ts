import type { LatLng } from '#domain/geometry/geometry.schema.ts'

/** `box` is west, south, east, north. */
export const middleOf = ([west = 0, south = 0, east = 0, north = 0]: readonly number[]): LatLng => ({
  lng: (west + east) / 2,
  lat: (south + north) / 2,
})
