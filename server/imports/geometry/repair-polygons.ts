import { type Geom, union } from 'polyclip-ts'
import { findPolygonProblem, type PolygonProblem } from '#domain/geometry/find-polygon-problem.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { Refusal } from '../import-error.ts'

/** `repaired` says what was wrong, where something was. */
export type CheckedGeometry = { geometry: Geometry; repaired?: string }

/**
 * Leaves valid geometries as they are. Polygons that cross themselves become the land that their rings go
 * around, in as many parts as that has; a ring that goes back the other way round leaves a hole. Throws a Refusal where nothing is left.
 */
export function repairPolygons(geometry: Geometry): CheckedGeometry {
  const polygons = polygonsOfGeometry(geometry)
  const problem = polygons.length > 0 ? findPolygonProblem(polygons) : undefined
  if (!problem) return { geometry }
  const repaired = unite(polygons, problem)
  const [only] = repaired
  if (!only) throw new Refusal(`its polygon ${sentence(problem)}, and encloses nothing`)
  return {
    geometry:
      repaired.length === 1
        ? { type: 'Polygon', coordinates: only }
        : { type: 'MultiPolygon', coordinates: repaired },
    repaired: `its polygon ${sentence(problem)}`,
  }
}

function sentence({ what, at: [lng, lat] }: PolygonProblem): string {
  return `${what} near ${lng.toFixed(6)}, ${lat.toFixed(6)}`
}

function unite(polygons: Position[][][], problem: PolygonProblem): Position[][][] {
  let united: Position[][][]
  try {
    united = union(polygons as Geom)
  } catch (error) {
    throw new Refusal(
      `its polygon ${sentence(problem)} and could not be repaired (${(error as Error).message})`,
    )
  }
  const left = united.length > 0 ? findPolygonProblem(united) : undefined
  if (left)
    throw new Refusal(`its polygon ${sentence(problem)} and could not be repaired: it still ${left.what}`)
  return united
}
