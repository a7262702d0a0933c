import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { Extent } from '../../database/database.ts'
import { kilometersTo, median, type Place, reachOf } from '../../geometry/distances.ts'
import { maxLongitude } from '../geometry/read-geometry.ts'

/** There are no parcels south of this latitude. */
export const antarctic = -60

export function isInDegrees(positions: readonly Position[]): boolean {
  const [x, y] = middleOf(positions)
  return positions.length === 0 || isPlace({ lng: x, lat: y }) || isPlace({ lng: y, lat: x })
}

/** Whether the other order brings most positions to the land, or at least into the range of degrees. */
export function areSwapped(
  positions: readonly Position[],
  { isSwapped, land }: { isSwapped: boolean; land: Extent | undefined },
): boolean {
  if (positions.length === 0) return false
  const [x, y] = middleOf(positions)
  const [straight, swapped] = [
    { lng: x, lat: y },
    { lng: y, lat: x },
  ]
  const [here, there] = isSwapped ? [swapped, straight] : [straight, swapped]
  if (!isPlace(there)) return false
  if (!isPlace(here)) return true
  return land ? !isNear(land, here) && isNear(land, there) : here.lat < antarctic
}

const middleOf = (positions: readonly Position[]) =>
  [median(positions.map(([x]) => x)), median(positions.map(([, y]) => y))] as const

const isPlace = ({ lng, lat }: Place) => Math.abs(lng) <= maxLongitude && Math.abs(lat) <= 90

const isNear = (land: Extent, place: Place) => kilometersTo(land, place) <= reachOf(land)
