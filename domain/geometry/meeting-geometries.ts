import Flatbush from 'flatbush'
import { covers } from './covers.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { partsOfGeometry, shapeOfGeometry } from './measure-geometry.ts'
import { boxOfSegment, meetingOf, type Segment } from './segments.ts'

/** Includes edges. Exact. */
export function meetingWith(geometry: Geometry): (other: Geometry) => boolean {
  const segments = segmentsOf(geometry)
  const index = new Flatbush(segments.length)
  for (const segment of segments) index.add(...boxOfSegment(segment))
  index.finish()
  const isMet = (segment: Segment<Position>) =>
    index
      .search(...boxOfSegment(segment))
      .some((at) => meetingOf(segments[at] as Segment<Position>, segment) !== undefined)
  return (other) => {
    const others = segmentsOf(other)
    if (others.some(isMet)) return true
    // No edges intersect, so one position decides.
    return beginsIn(other, geometry) || beginsIn(geometry, other)
  }
}

export function segmentsOf(geometry: Geometry): Segment<Position>[] {
  return partsOfGeometry(geometry).flatMap((part) =>
    shapeOfGeometry(geometry) === 'point'
      ? part.map((place) => ({ from: place, to: place }))
      : part.slice(1).map((to, at) => ({ from: part[at] as Position, to })),
  )
}

/** The first position of each part, and all points. */
export function beginningsOf(geometry: Geometry): Position[] {
  const parts = partsOfGeometry(geometry)
  return shapeOfGeometry(geometry) === 'point' ? parts.flat() : parts.map(([first]) => first as Position)
}

const beginsIn = (geometry: Geometry, area: Geometry): boolean =>
  shapeOfGeometry(area) === 'polygon' && beginningsOf(geometry).some((place) => covers(area, place))
