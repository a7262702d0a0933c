import type { Map as EngineMap, Point } from 'maplibre-gl'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { Look } from './look.ts'

export type Hit = { kind: FeatureKind; id: string }

/** Thin lines and small dots may be missed by this much. */
const slackPixels = 4

/** Features of the first rank that lies under the point; several where one rank has a tie, none over bare land. */
export function hitsAt(map: EngineMap, look: Look, { x, y }: Point): Hit[] {
  const box: [[number, number], [number, number]] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  for (const { kind, isExact, ids } of look.clickable) {
    const layers = ids.filter((id) => map.getLayer(id) !== undefined)
    const found = map.queryRenderedFeatures(isExact ? [x, y] : box, { layers })
    const unique = [...new Set(found.map((feature) => String(feature.properties.id)))]
    if (unique.length > 0) return unique.map((id) => ({ kind, id }))
  }
  return []
}
