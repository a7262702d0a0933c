import type { Map as EngineMap, MapGeoJSONFeature, Point } from 'maplibre-gl'
import { type FeatureKind, type FeatureShape, featureShapes } from '#domain/definition/kinds.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import type { MapStyle } from './map-style.ts'

export type Hit = FeaturePreview & {
  /** Features of the same kind and shape at its place at every zoom; unknown at low zooms. */
  count: number
}

/** Thin lines and small dots may be missed by this much. */
const slackPixels = 4

type Renderer = Pick<EngineMap, 'getLayer' | 'queryRenderedFeatures'>

export function hitsAt(map: Renderer, style: MapStyle, point: Point): Hit[] {
  for (const rank of style.clickable) {
    const hits = hitsOfRank(map, rank, point)
    if (hits.length > 0) return hits
  }
  return []
}

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
  // Only points that stand for lines or areas have a shape on the tile.
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
