import type { Position } from 'geojson'
import { meetingOf, type Segment } from '#domain/geometry/segments.ts'
import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'

type Point = readonly [x: number, y: number]

/**
 * Includes edges that touch or run back. A closed path has an edge from last to first point; an open one may end
 * where it started.
 */
export function hasCrossingEdges(path: readonly Position[], isClosed: boolean): boolean {
  const points = path
    .map(([lng = 0, lat = 0]): Point => [mercatorX(lng), mercatorY(lat)])
    .filter((point, index, all) => index === 0 || !isSame(point, all[index - 1]))
  const isLoop = isSame(points[0], points.at(-1)) && points.length > 2
  if (isClosed && !isLoop && points[0]) points.push(points[0])
  const edges = points.slice(1).map((to, index): Segment => ({ from: points[index] as Point, to }))
  return edges.some((edge, index) =>
    edges.slice(index + 1).some((later, offset) => {
      const meetsAtStart = index === 0 && index + 1 + offset === edges.length - 1 && (isClosed || isLoop)
      const meeting = meetingOf(edge, later)
      // Neighboring edges share a point; an edge that runs back shares more.
      return offset === 0 || meetsAtStart ? meeting?.how === 'overlap' : meeting !== undefined
    }),
  )
}

const isSame = (a: Point | undefined, b: Point | undefined) => a?.[0] === b?.[0] && a?.[1] === b?.[1]
