import { type ExaminedShape, examineShape } from '#domain/features/change-feature.ts'
import { maxNamed, type ShapeCheck } from '#domain/features/shape-check.schema.ts'
import { EnclosedArea } from '#domain/geometry/enclosed-area.ts'
import { nearAny } from '#domain/geometry/geometries-near.ts'
import { type Geometry, geometry as geometrySchema, type Position } from '#domain/geometry/geometry.schema.ts'
import { partsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { overlapAcres } from '#domain/geometry/overlap.ts'

/** Geometries are JSON: threads receive text much faster than nested arrays. */
export type NamedShape = { id: string; name: string; geometry: string }

/** About half a square meter: files round corners differently. */
const leastAcres = 1e-4

export const shapeWork = {
  /** Null for an invalid geometry. */
  examine(geometries: readonly string[]): (ExaminedShape | null)[] {
    return geometries.map((text) => {
      const { data } = geometrySchema.safeParse(JSON.parse(text))
      return data ? examineShape(data) : null
    })
  },

  within({
    corners,
    geometries,
  }: {
    corners: readonly Position[]
    geometries: readonly string[]
  }): boolean[] {
    const area = new EnclosedArea(corners)
    return geometries.map((text) => area.meets(JSON.parse(text)))
  },

  near({
    areas,
    others,
  }: {
    areas: readonly string[]
    others: readonly { geometry: string; meters: number }[]
  }): boolean[] {
    const isNear = nearAny(areas.map((text) => JSON.parse(text)))
    return others.map(({ geometry, meters }) => isNear(JSON.parse(geometry), meters))
  },

  compare({
    geometry,
    others,
  }: {
    geometry: string
    others: readonly NamedShape[]
  }): Pick<ShapeCheck, 'neighbors' | 'overlaps'> {
    const shape: Geometry = JSON.parse(geometry)
    const corners = cornersOf(shape)
    const neighbors: ShapeCheck['neighbors'] = []
    const overlaps: ShapeCheck['overlaps'] = []
    for (const { id, name, geometry: text } of others) {
      const other: Geometry = JSON.parse(text)
      if (neighbors.length < maxNamed && [...cornersOf(other)].some((corner) => corners.has(corner)))
        neighbors.push({ id, name })
      const acres = overlapAcres(shape, other)
      if (acres > leastAcres) overlaps.push({ id, name, acres })
    }
    overlaps.sort((one, other) => other.acres - one.acres)
    return { neighbors, overlaps: overlaps.slice(0, maxNamed) }
  },
}

export type ShapeWork = typeof shapeWork

const cornersOf = (geometry: Geometry): Set<string> =>
  new Set(
    partsOfGeometry(geometry)
      .flat()
      .map(([lng, lat]) => `${lng} ${lat}`),
  )
