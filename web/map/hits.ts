import type { Map as EngineMap, MapGeoJSONFeature, Point } from 'maplibre-gl'
import { type FeatureKind, type FeatureShape, featureShapes } from '#domain/definition/kinds.ts'
import type { KnownFeature } from '#domain/features/known-feature.ts'
import type { MapStyle } from './map-style.ts'

/** A feature under the pointer, as its tile knows it. */
export type Hit = KnownFeature & {
  /** How many of its kind and shape lie at its place at every zoom; from far away that is not told. */
  count: number
}

/** Thin lines and small dots may be missed by this much. */
const slackPixels = 4

type Renderer = Pick<EngineMap, 'getLayer' | 'queryRenderedFeatures'>

/** Features of the first rank that lies under the point; several where one rank has a tie, none over bare land. */
export function hitsAt(map: Renderer, style: MapStyle, point: Point): Hit[] {
  for (const rank of style.clickable) {
    const hits = hitsOfRank(map, rank, point)
    if (hits.length > 0) return hits
  }
  return []
}

/** Features of all ranks under the point, the first rank first: also the parcel below a line. */
export function allHitsAt(map: Renderer, style: MapStyle, point: Point): Hit[] {
  const hits = style.clickable.flatMap((rank) => hitsOfRank(map, rank, point))
  return [...new Map(hits.toReversed().map((hit) => [hit.id, hit])).values()].toReversed()
}

function hitsOfRank(
  map: Renderer,
  { kind, isExact, ids }: MapStyle['clickable'][number],
  { x, y }: Point,
): Hit[] {
  const box: [[number, number], [number, number]] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  const layers = ids.filter((id) => map.getLayer(id) !== undefined)
  const found = map.queryRenderedFeatures(isExact ? [x, y] : box, { layers })
  const unique = new Map(found.map((feature) => [String(feature.properties.id), feature]))
  return [...unique.values()].map((feature) => hitOf(kind, feature))
}

const shapeOfGeometry: Partial<Record<string, FeatureShape>> = { Point: 'point', Polygon: 'polygon' }

function hitOf(kind: FeatureKind, { properties, geometry }: MapGeoJSONFeature): Hit {
  const { id, type = null, status = null, severity = null, count = '1' } = properties
  // Of a point that stands for a line or an area the tile says so; no other shape has its place on the tile.
  const shape =
    featureShapes.find((shape) => shape === properties.shape) ?? shapeOfGeometry[geometry.type] ?? 'line'
  const place = geometry.type === 'Point' ? geometry.coordinates : undefined
  return {
    id: String(id),
    kind,
    shape,
    type,
    status,
    severity,
    count: Number(count),
    ...(place ? { location: { lng: place[0] as number, lat: place[1] as number } } : {}),
  }
}
