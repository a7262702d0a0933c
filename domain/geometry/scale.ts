import type { Box } from './box.ts'
import type { LatLng } from './geometry.schema.ts'

export type Scale = readonly [metersPerLng: number, metersPerLat: number]

/** On the WGS 84 ellipsoid. Exact enough for a few hundred meters. */
export function scaleAt(latitude: number): Scale {
  const angle = (latitude * Math.PI) / 180
  return [
    111_412.84 * Math.cos(angle) - 93.5 * Math.cos(3 * angle) + 0.118 * Math.cos(5 * angle),
    111_132.954 - 559.822 * Math.cos(2 * angle) + 1.175 * Math.cos(4 * angle),
  ]
}

export const metersBetween = (one: readonly number[], other: readonly number[], [x, y]: Scale): number =>
  Math.hypot(((one[0] ?? 0) - (other[0] ?? 0)) * x, ((one[1] ?? 0) - (other[1] ?? 0)) * y)

/** Half its width and height are in meters. */
export function boxAroundPlace({ lat, lng }: LatLng, halfWidth: number, halfHeight = halfWidth): Box {
  const [x, y] = scaleAt(lat)
  return {
    west: Math.max(-180, lng - halfWidth / x),
    east: Math.min(180, lng + halfWidth / x),
    south: Math.max(-90, lat - halfHeight / y),
    north: Math.min(90, lat + halfHeight / y),
  }
}
