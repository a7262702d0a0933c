import { type Geom, union } from 'polyclip-ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { boxOfSegment, meetingOf, type Segment, segmentsOfRing, touchingPairs } from '../geometry/segments.ts'

// Rounding to the grid of a tile may lay one side of a narrow strip across the other. Map engines draw that as well as
// anything; programs that measure or cut shapes take offence.

type Ring = readonly (readonly [x: number, y: number])[]

/** Whether edges of polygons cross or lie on each other; that they touch is left to them. Rings are closed. */
export function isTangled(polygons: readonly (readonly Ring[])[]): boolean {
  const segments: Segment[] = []
  for (const [number, ring] of polygons.flat().entries())
    segments.push(
      ...segmentsOfRing(ring as unknown as Position[], { polygon: 0, ring: number }, segments.length),
    )
  for (const [first, second] of touchingPairs(segments.map(boxOfSegment))) {
    const meeting = meetingOf(segments[first] as Segment, segments[second] as Segment)
    if (meeting && meeting.how !== 'touch') return true
  }
  return false
}

/** The same land as polygons whose edges do not cross; not rounded. */
export function untangle(polygons: readonly (readonly Ring[])[]): Position[][][] {
  return union(polygons.filter((rings) => rings.length > 0) as unknown as Geom) as Position[][][]
}
