import type { Map as EngineMap, Point } from 'maplibre-gl'
import type { FeatureKind } from '#domain/features/kinds.ts'
import { clickableLayers } from './feature-layers.tsx'

export type Hit = { kind: FeatureKind; id: string }

/** Thin lines and small dots may be missed by this much. */
const slackPixels = 4

/** Features of the first rank that lies under the point; several where one rank has a tie, none over bare land. */
export function hitsAt(map: EngineMap, { x, y }: Point): Hit[] {
  const box: [[number, number], [number, number]] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  for (const { kind, rank, ids } of clickableLayers) {
    const layers = ids.filter((id) => map.getLayer(id) !== undefined)
    // Land lies side by side: there the exact point decides.
    const isLand = rank >= 3
    const found = map.queryRenderedFeatures(isLand ? [x, y] : box, { layers })
    const unique = [...new Set(found.map((feature) => String(feature.properties.id)))]
    if (unique.length > 0) return unique.map((id) => ({ kind, id }))
  }
  return []
}
