import Flatbush from 'flatbush'
import { placeOnEdge } from './borders/shape-graph.ts'
import { covers } from './covers.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { extentOfGeometry, shapeOfGeometry } from './measure-geometry.ts'
import { beginningsOf, segmentsOf } from './meeting-geometries.ts'
import { metersBetween, scaleAt } from './scale.ts'
import { boxOfSegment, meetingOf, type Segment } from './segments.ts'

/**
 * Whether a geometry meets one of `areas` or comes within so many meters, at most 20,000: they are measured in a plane.
 * At least one area.
 */
export function nearAny(areas: readonly Geometry[]): (other: Geometry, meters: number) => boolean {
  const segments = areas.flatMap(segmentsOf)
  const edges = new Flatbush(segments.length)
  for (const segment of segments) edges.add(...boxOfSegment(segment))
  edges.finish()
  const extents = new Flatbush(areas.length)
  for (const { west, south, east, north } of areas.map(extentOfGeometry))
    extents.add(west, south, east, north)
  extents.finish()
  const polygonsAt = ([x, y]: Position) => extents.search(x, y, x, y).map((index) => areas[index] as Geometry)

  function isNearEdge(segment: Segment<Position>, meters: number): boolean {
    const [west, south, east, north] = boxOfSegment(segment)
    const [scale, farthest] = [scaleAt(south), scaleAt(Math.max(Math.abs(south), Math.abs(north)))]
    const [x, y] = [meters / Math.max(1, farthest[0]), meters / scale[1]]
    return edges.search(west - x, south - y, east + x, north + y).some((index) => {
      const edge = segments[index] as Segment<Position>
      if (meetingOf(edge, segment) !== undefined) return true
      const squeeze = scale[0] / scale[1]
      const isClose = (place: Position, to: Segment<Position>) =>
        metersBetween(placeOnEdge(place, to, squeeze), place, scale) <= meters
      return (
        meters > 0 &&
        (isClose(edge.from, segment) ||
          isClose(edge.to, segment) ||
          isClose(segment.from, edge) ||
          isClose(segment.to, edge))
      )
    })
  }

  return (other, meters) => {
    const others = segmentsOf(other)
    if (others.some((segment) => isNearEdge(segment, meters))) return true
    // No edges intersect: one geometry is within the other, or they are apart.
    const isInside = (place: Position) => polygonsAt(place).some((area) => isCovered(area, place))
    if (beginningsOf(other).some(isInside)) return true
    const { west, south, east, north } = extentOfGeometry(other)
    return edges
      .search(west, south, east, north)
      .some((index) => isCovered(other, (segments[index] as Segment<Position>).from))
  }
}

const isCovered = (area: Geometry, place: Position) =>
  shapeOfGeometry(area) === 'polygon' && covers(area, place)
