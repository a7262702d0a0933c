import { maxAreaCorners, maxAreaLng } from '#domain/features/bulk-change.ts'
import type { AreaRing } from '#web/workspace/area-request.ts'

export type LngLat = { lng: number; lat: number }

export function boxBetween(a: LngLat, b: LngLat): LngLat[] {
  return [a, { lng: b.lng, lat: a.lat }, b, { lng: a.lng, lat: b.lat }]
}

/** Its center is between -180 and 180 degrees. Too many corners are thinned evenly. */
export function ringOf(corners: readonly LngLat[], maxCorners = maxAreaCorners): AreaRing {
  const lngs = corners.map(({ lng }) => lng)
  const least = lngs.reduce((a, b) => Math.min(a, b))
  const most = lngs.reduce((a, b) => Math.max(a, b))
  const turns = Math.floor(((least + most) / 2 + 180) / 360)
  const within = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value))
  const step = Math.ceil(corners.length / maxCorners)
  const thinned = corners.filter((_, index) => index % step === 0)
  return thinned.map(({ lng, lat }) => [within(lng - turns * 360, maxAreaLng), within(lat, 90)])
}
