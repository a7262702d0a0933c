import type { Map as EngineMap } from 'maplibre-gl'
import { createContext, useContext, useEffect, useState } from 'react'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { type FeatureType, featureTypes } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { type MapStyle, restId } from './map-style.ts'

export const MapContext = createContext<{ map: EngineMap; style: MapStyle } | null>(null)

/** One for all features that look the same. */
export type InView = {
  group: string
  kind: FeatureKind
  type: FeatureType | null
  isResolved: boolean
  severity: string
}

/** Null until the map is drawn. */
export function useInView(): readonly InView[] | null {
  const shown = useContext(MapContext)
  const [features, setFeatures] = useState<readonly InView[] | null>(null)
  useEffect(() => {
    if (!shown) return
    const { map, style } = shown
    const look = () => setFeatures(featuresInView(map, style))
    look()
    map.on('idle', look)
    return () => {
      map.off('idle', look)
    }
  }, [shown])
  return features
}

type Renderer = Pick<EngineMap, 'getLayer' | 'queryRenderedFeatures'>

export function featuresInView(map: Renderer, { drawn }: MapStyle): InView[] {
  const found = new Map<string, InView>()
  for (const { group, layers } of drawn)
    for (const kind of featureKinds) {
      const ids = layers
        .filter((layer) => layer['source-layer'] === kindTraits[kind].collection)
        .flatMap(({ id }) => [id, restId(id)])
        .filter((id) => map.getLayer(id) !== undefined)
      if (ids.length === 0) continue
      for (const { properties } of map.queryRenderedFeatures({ layers: ids })) {
        const feature = {
          group,
          kind,
          type: featureTypes.find((type) => type === properties.type) ?? null,
          isResolved: properties.status === 'resolved',
          severity: properties.severity ?? 'unknown',
        }
        found.set(Object.values(feature).join(), feature)
      }
    }
  return [...found.values()]
}
