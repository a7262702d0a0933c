import { partsOfBox } from '#domain/geometry/box.ts'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'

type Shown = { center: LatLng | null; mapBounds: Bounds | null }

export function findOutside({ center, mapBounds: bounds }: Shown, land: Bounds | null) {
  return {
    isCenterOutside: bounds !== null && center !== null && !isInside(boxOf(center), bounds),
    landOutside: bounds === null || land === null ? 'none' : shareOutside(land, bounds),
  } as const
}

export function boxAround(boxes: readonly Bounds[]): Bounds {
  return {
    north: Math.max(...boxes.map(({ north }) => north)),
    east: Math.max(...boxes.map(({ east }) => east)),
    south: Math.min(...boxes.map(({ south }) => south)),
    west: Math.min(...boxes.map(({ west }) => west)),
  }
}

export const boxOf = ({ lat, lng }: LatLng): Bounds => ({ north: lat, east: lng, south: lat, west: lng })

function shareOutside(land: Bounds, bounds: Bounds): 'none' | 'some' | 'all' {
  const parts = partsOfBox(land)
  if (parts.every((part) => isInside(part, bounds))) return 'none'
  return parts.every((part) => isApart(part, bounds)) ? 'all' : 'some'
}

const isApart = (box: Bounds, bounds: Bounds) =>
  box.south > bounds.north || box.north < bounds.south || box.west > bounds.east || box.east < bounds.west

function isInside(box: Bounds, bounds: Bounds): boolean {
  return (
    box.north <= bounds.north &&
    box.south >= bounds.south &&
    box.east <= bounds.east &&
    box.west >= bounds.west
  )
}
