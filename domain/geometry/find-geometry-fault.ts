import { counted, formatNumber } from '#domain/values/wording.ts'
import { findPolygonProblem } from './find-polygon-problem.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { polygonsOfGeometry } from './measure-geometry.ts'

export const maxEditedPositions = 20_000

/** About a third of a second of one processor. Real parcels with 18,606 positions take a tenth of that. */
const maxSteps = 32_000_000

/** `what` is the rest of a sentence that begins with 'The shape'. */
export type GeometryFault = { what: string; at: Position | null }

/** The schema already checks that rings are closed. */
export function findGeometryFault(geometry: Geometry): GeometryFault | null {
  const count = countPositions(geometry)
  if (count > maxEditedPositions)
    return {
      what: `has ${counted(count, 'point')}, but the limit is ${formatNumber(maxEditedPositions)}`,
      at: null,
    }
  for (const line of linesOf(geometry)) {
    const [first] = line
    const isOnePlace = line.every(([lng, lat]) => lng === first?.[0] && lat === first?.[1])
    if (first && isOnePlace) return { what: 'has a line without length', at: first }
  }
  return findPolygonProblem(polygonsOfGeometry(geometry), maxSteps) ?? null
}

/** RFC 7946 (3.1.9): shapes are split at the date line, so that no edge is longer than half of the world. */
export function findWideEdge(geometry: Geometry): GeometryFault | null {
  for (const line of [...linesOf(geometry), ...polygonsOfGeometry(geometry).flat()])
    for (const [index, to] of line.entries()) {
      const from = line[index - 1]
      if (from && Math.abs(to[0] - from[0]) > 180)
        return { what: 'has an edge of more than 180 degrees. Split it at the date line', at: from }
    }
  return null
}

export function countPositions({ type, coordinates }: Geometry): number {
  switch (type) {
    case 'Point':
      return 1
    case 'MultiPoint':
    case 'LineString':
      return coordinates.length
    case 'MultiLineString':
    case 'Polygon':
      return sumOf(coordinates)
    case 'MultiPolygon':
      return coordinates.reduce((sum, rings) => sum + sumOf(rings), 0)
  }
}

const sumOf = (lines: readonly (readonly Position[])[]) => lines.reduce((sum, line) => sum + line.length, 0)

function linesOf({ type, coordinates }: Geometry): readonly (readonly Position[])[] {
  if (type === 'LineString') return [coordinates]
  return type === 'MultiLineString' ? coordinates : []
}
