import type { Map as EngineMap, MapGeoJSONFeature, Point } from 'maplibre-gl'
import { type FeatureKind, type FeatureShape, featureShapes } from '#domain/definition/kinds.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import { type MapStyle, restId } from './map-style.ts'

export type Hit = FeaturePreview & {
  /** Features of the same kind and shape at its place at every zoom; unknown at low zooms. */
  count: number
  /** Not a match of the filter or search. */
  isDimmed: boolean
}

/** Thin lines and small dots may be missed by this much. */
const slackPixels = 4

type Renderer = Pick<EngineMap, 'getLayer' | 'queryRenderedFeatures'>

/** Dimmed features only where there is no match. */
export function hitsAt(map: Renderer, style: MapStyle, point: Point): Hit[] {
  for (const isDimmed of [false, true])
    for (const rank of style.clickable) {
      const hits = hitsOfRank(map, rank, point, isDimmed)
      if (hits.length > 0) return hits
    }
  return []
}

export function allHitsAt(map: Renderer, style: MapStyle, point: Point): Hit[] {
  const hits = style.clickable.flatMap((rank) => hitsOfRank(map, rank, point, false))
  return [...new Map(hits.toReversed().map((hit) => [hit.id, hit])).values()].toReversed()
}

function hitsOfRank(
  map: Renderer,
  { kind, isExact, ids }: MapStyle['clickable'][number],
  { x, y }: Point,
  isDimmed: boolean,
): Hit[] {
  const box: [[number, number], [number, number]] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  const layers = ids.map((id) => (isDimmed ? restId(id) : id)).filter((id) => map.getLayer(id) !== undefined)
  if (layers.length === 0) return []
  const found = map.queryRenderedFeatures(isExact ? [x, y] : box, { layers })
  const unique = new Map(found.map((feature) => [String(feature.properties.id), feature]))
  return [...unique.values()].map((feature) => ({ ...hitOf(kind, feature), isDimmed }))
}

const shapeOfGeometry: Partial<Record<string, FeatureShape>> = { Point: 'point', Polygon: 'polygon' }

function hitOf(kind: FeatureKind, { properties, geometry }: MapGeoJSONFeature): Omit<Hit, 'isDimmed'> {
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
