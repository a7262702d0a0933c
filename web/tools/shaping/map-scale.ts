import { useMap } from '@vis.gl/react-maplibre'
import type { Position } from '#domain/geometry/geometry.schema.ts'

const snapPixels = 12

/** Returns the distance within which corners snap, in degrees of latitude. */
export function useSnapReach(): (position: Position) => number {
  const map = useMap().current?.getMap()
  return ([lng, lat]) => {
    if (!map) return 0
    const { x, y } = map.project([lng, lat])
    return snapPixels * Math.abs(map.unproject([x, y + 1]).lat - lat)
  }
}
