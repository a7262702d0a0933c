import Flatbush from 'flatbush'
import { covers, passingOf } from './covers.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { extentOfGeometry, partsOfGeometry, shapeOfGeometry } from './measure-geometry.ts'
import { boxOfSegment, meetingOf, type Segment } from './segments.ts'

type Extent = ReturnType<typeof extentOfGeometry>

/** By the even-odd rule, including the line itself. Exact. */
export class EnclosedArea {
  readonly extent: Extent
  readonly corners: readonly Position[]
  private readonly edges: readonly Segment<Position>[]
  private readonly index: Flatbush
  private readonly start: Position

  /** At least one corner; the last may repeat the first. */
  constructor(corners: readonly Position[]) {
    this.corners = corners
    this.start = corners[0] as Position
    this.edges = corners.map((from, at) => ({ from, to: corners[at + 1] ?? this.start }))
    this.index = new Flatbush(this.edges.length)
    for (const edge of this.edges) this.index.add(...boxOfSegment(edge))
    this.index.finish()
    this.extent = extentOfGeometry({ type: 'LineString', coordinates: [...corners] })
  }

  covers(place: Position): boolean {
    const [x, y] = place
    let isInside = false
    for (const at of this.index.search(x, y, Infinity, y)) {
      const { from, to } = this.edges[at] as Segment<Position>
      const passing = passingOf(from, to, place)
      if (passing === 'on') return true
      if (passing === 'east') isInside = !isInside
    }
    return isInside
  }

  /** Whether it intersects every geometry with this extent; undefined if that depends on the geometry. */
  meetsAnyIn({ west, south, east, north }: Extent): boolean | undefined {
    const isPlace = west === east && south === north
    if (!isPlace && this.index.search(west, south, east, north).length > 0) return undefined
    // No edge is near, so all of the extent is on one side.
    return this.covers([west, south])
  }

  meets(geometry: Geometry): boolean {
    const parts = partsOfGeometry(geometry)
    if (shapeOfGeometry(geometry) === 'point')
      return parts.some((places) => places.some((place) => this.covers(place)))
    if (parts.some(([first]) => this.covers(first as Position))) return true
    if (parts.some((part) => this.isCrossedBy(part))) return true
    // No edges intersect, so the area is within one polygon or in none.
    return covers(geometry, this.start)
  }

  private isCrossedBy(part: readonly Position[]): boolean {
    return part.some((to, at) => {
      const from = part[at - 1]
      if (!from) return false
      const segment = { from, to }
      return this.index
        .search(...boxOfSegment(segment))
        .some((edge) => meetingOf(this.edges[edge] as Segment<Position>, segment) !== undefined)
    })
  }
}

/** Longitudes may continue beyond 180 degrees: one area per world, moved to the world of the features. */
export function enclosedAreas(corners: readonly Position[]): EnclosedArea[] {
  const { west, east } = extentOfGeometry({ type: 'LineString', coordinates: [...corners] })
  const [first, last] = [Math.ceil((west - 180) / 360), Math.floor((east + 180) / 360)]
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const turned = (first + index) * 360
    return new EnclosedArea(corners.map(([lng, lat]): Position => [lng - turned, lat]))
  })
}
