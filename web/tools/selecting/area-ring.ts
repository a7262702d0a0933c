import { maxAreaCorners, maxAreaLng } from '#domain/features/bulk-change.ts'

export type LngLat = { lng: number; lat: number }
export type Ring = readonly (readonly [lng: number, lat: number])[]

export function boxBetween(a: LngLat, b: LngLat): LngLat[] {
  return [a, { lng: b.lng, lat: a.lat }, b, { lng: a.lng, lat: b.lat }]
}

/** As the server takes it: in the world from -180 to 180 degrees, as far as it has its middle there. */
export function ringOf(corners: readonly LngLat[]): Ring {
  const lngs = corners.map(({ lng }) => lng)
  const least = lngs.reduce((a, b) => Math.min(a, b))
  const most = lngs.reduce((a, b) => Math.max(a, b))
  const turns = Math.floor(((least + most) / 2 + 180) / 360)
  const within = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value))
  return corners.map(({ lng, lat }) => [within(lng - turns * 360, maxAreaLng), within(lat, 90)])
}

/** One more corner; of too many every second stays. */
export function withCorner(corners: readonly LngLat[], corner: LngLat): LngLat[] {
  const kept = corners.length < maxAreaCorners ? corners : corners.filter((_, index) => index % 2 === 0)
  return [...kept, corner]
}
