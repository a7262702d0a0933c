import type { Position } from 'geojson'
import type { Map as EngineMap, PointLike } from 'maplibre-gl'
import { shapeLayers } from './shape-layers.tsx'

const slackPixels = 6

/** `isEdge` distinguishes an edge or mark from the inside of a shape. */
export type SeenShape = { id: string; isEdge: boolean }

export function findShapeAt(map: EngineMap, [lng = 0, lat = 0]: Position): SeenShape | null {
  const { x, y } = map.project([lng, lat])
  const box: [PointLike, PointLike] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  const layers = shapeLayers.filter((id) => map.getLayer(id) !== undefined)
  if (layers.length === 0) return null
  const [first] = map.queryRenderedFeatures(box, { layers })
  return first ? { id: first.properties.id, isEdge: first.layer.id !== 'shape-fill' } : null
}

export function shapeSeenAt(map: EngineMap, place: Position): string | undefined {
  return findShapeAt(map, place)?.id
}
