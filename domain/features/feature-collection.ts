import type { FeatureKind } from '../definition/kinds.ts'
import type { Geometry } from '../geometry/geometry.schema.ts'

/** A feature of a map as GeoJSON; `date` as in lists. */
export type GeoJsonFeature = {
  type: 'Feature'
  id: string
  geometry: Geometry
  properties: {
    kind: FeatureKind
    type: string | null
    status: string | null
    severity: string | null
    date: string | null
  }
}

/** Features in one answer. The two numbers have their names from OGC API - Features. */
export type FeatureCollection = {
  type: 'FeatureCollection'
  /** How many there are. */
  numberMatched: number
  /** How many of them are in `features`. */
  numberReturned: number
  features: GeoJsonFeature[]
}

/** Of more than so many, those are in the answer that the map shows from farthest away. */
export const mostFeaturesInAnswer = 10_000
