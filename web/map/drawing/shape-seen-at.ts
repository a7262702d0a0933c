import type { Position } from 'geojson'
import type { Map as EngineMap, PointLike } from 'maplibre-gl'
import { shapeLayers } from './shape-layers.tsx'

/** Thin lines may be missed by this much. */
const slackPixels = 6

/** The id of the topmost shape that is painted there. */
export function shapeSeenAt(map: EngineMap, [lng = 0, lat = 0]: Position): string | undefined {
  const { x, y } = map.project([lng, lat])
  const box: [PointLike, PointLike] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  const layers = shapeLayers.filter((id) => map.getLayer(id) !== undefined)
  return map.queryRenderedFeatures(box, { layers })[0]?.properties.id
}
