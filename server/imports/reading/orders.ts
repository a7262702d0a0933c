import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { Extent } from '../../database/database.ts'
import { kilometersTo, median, type Place, reachOf } from '../../geometry/distances.ts'
import { maxLongitude } from '../geometry/read-geometry.ts'

// Whether coordinates are degrees at all, and in which order.

/** South of it nobody owns land. */
export const antarctic = -60

/** Whether most of these may be degrees, in one order or the other. */
export function isInDegrees(positions: readonly Position[]): boolean {
  const [x, y] = middleOf(positions)
  return positions.length === 0 || isPlace({ lng: x, lat: y }) || isPlace({ lng: y, lat: x })
}

/** Whether the other order is the right one: it brings most of these to the land, or at least onto the earth. */
export function areSwapped(
  positions: readonly Position[],
  { isSwapped, land }: { isSwapped: boolean; land: Extent | undefined },
): boolean {
  if (positions.length === 0) return false
  const [x, y] = middleOf(positions)
  const [here, there] = isSwapped
    ? [
        { lng: y, lat: x },
        { lng: x, lat: y },
      ]
    : [
        { lng: x, lat: y },
        { lng: y, lat: x },
      ]
  if (!isPlace(there)) return false
  if (!isPlace(here)) return true
  return land ? !isNear(land, here) && isNear(land, there) : here.lat < antarctic
}

const middleOf = (positions: readonly Position[]) =>
  [median(positions.map(([x]) => x)), median(positions.map(([, y]) => y))] as const

const isPlace = ({ lng, lat }: Place) => Math.abs(lng) <= maxLongitude && Math.abs(lat) <= 90

const isNear = (land: Extent, place: Place) => kilometersTo(land, place) <= reachOf(land)
