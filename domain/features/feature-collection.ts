import type { FeatureKind } from '../definition/kinds.ts'
import type { Geometry } from '../geometry/geometry.schema.ts'

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

/** The counts are named as in OGC API - Features. */
export type FeatureCollection = {
  type: 'FeatureCollection'
  numberMatched: number
  numberReturned: number
  features: GeoJsonFeature[]
}

/** Larger results contain the features that the map shows from farthest away. */
export const maxFeaturesInAnswer = 10_000
