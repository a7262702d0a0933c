import type { Position } from 'geojson'
import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'

type Point = { x: number; y: number }
type Edge = readonly [from: Point, to: Point]

/**
 * Whether edges of a path cross, touch or run back over each other, as they are seen on the map. A closed path has
 * an edge from its last point to its first; an open one may end where it began.
 */
export function hasCrossingEdges(path: readonly Position[], isClosed: boolean): boolean {
  const points = path
    .map(([lng = 0, lat = 0]) => ({ x: mercatorX(lng), y: mercatorY(lat) }))
    .filter(({ x, y }, index, all) => index === 0 || x !== all[index - 1]?.x || y !== all[index - 1]?.y)
  const isLoop = isSame(points[0], points.at(-1)) && points.length > 2
  if (isClosed && !isLoop && points[0]) points.push(points[0])
  const edges = points.slice(1).map((to, index) => [points[index], to] as Edge)
  return edges.some((edge, index) =>
    edges.slice(index + 1).some((later, offset) => {
      if (offset === 0) return runsBack(edge, later)
      const meetsAtStart = index === 0 && index + 1 + offset === edges.length - 1 && (isClosed || isLoop)
      return meetsAtStart ? runsBack(later, edge) : meet(edge, later)
    }),
  )
}

const isSame = (a: Point | undefined, b: Point | undefined) => a?.x === b?.x && a?.y === b?.y

/** Positive where the point lies to the left of the edge. */
const side = ([from, to]: Edge, { x, y }: Point) =>
  Math.sign((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x))

/** The second edge begins where the first ends: it must not lie on it. */
function runsBack(edge: Edge, next: Edge): boolean {
  const [from, corner] = edge
  const [, to] = next
  if (side(edge, to) !== 0) return false
  return (corner.x - from.x) * (to.x - corner.x) + (corner.y - from.y) * (to.y - corner.y) < 0
}

function meet(a: Edge, b: Edge): boolean {
  const [a0, a1] = [side(b, a[0]), side(b, a[1])]
  const [b0, b1] = [side(a, b[0]), side(a, b[1])]
  if (a0 !== a1 && b0 !== b1) return true
  if (a0 !== 0 || a1 !== 0 || b0 !== 0 || b1 !== 0) return false
  // All on one line: they meet where their boxes do.
  const overlap = (axis: 'x' | 'y') =>
    Math.max(Math.min(a[0][axis], a[1][axis]), Math.min(b[0][axis], b[1][axis])) <=
    Math.min(Math.max(a[0][axis], a[1][axis]), Math.max(b[0][axis], b[1][axis]))
  return overlap('x') && overlap('y')
}
