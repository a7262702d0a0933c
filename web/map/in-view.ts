import type { Map as EngineMap } from 'maplibre-gl'
import { createContext, useContext, useEffect, useState } from 'react'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { type FeatureType, featureTypes } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { useIsPrinting } from '#web/ui/printing.ts'
import { type MapStyle, restId } from './map-style.ts'

export const MapContext = createContext<{ map: EngineMap; style: MapStyle } | null>(null)

/** One for all features with the same symbol. */
export type InView = {
  group: string
  kind: FeatureKind
  type: FeatureType | null
  isResolved: boolean
  severity: string
}

/** `hasBareDots` if some features have no symbol at this zoom. */
export type Shown = { symbols: readonly InView[]; hasBareDots: boolean }

/** Null until the map is drawn. */
export function useInView(): Shown | null {
  const shown = useContext(MapContext)
  const isPrinting = useIsPrinting()
  const [features, setFeatures] = useState<Shown | null>(null)
  useEffect(() => {
    if (!shown) return
    const { map, style } = shown
    const update = () => setFeatures(featuresInView(map, style))
    update()
    // The layout for paper hides the map beside its picture.
    if (isPrinting) return
    map.on('idle', update)
    return () => {
      map.off('idle', update)
    }
  }, [shown, isPrinting])
  return features
}

type Renderer = Pick<EngineMap, 'getLayer' | 'queryRenderedFeatures'>

export function featuresInView(map: Renderer, { drawn }: MapStyle): Shown {
  const found = new Map<string, InView>()
  const dots = new Set<string>()
  const pins = new Set<string>()
  for (const { group, layers } of drawn)
    for (const kind of featureKinds) {
      const ids = layers
        .filter((layer) => layer['source-layer'] === kindTraits[kind].collection)
        .flatMap(({ id }) => [id, restId(id)])
        .filter((id) => map.getLayer(id) !== undefined)
      if (ids.length === 0) continue
      for (const { properties, layer } of map.queryRenderedFeatures({ layers: ids })) {
        if (layer.type === 'circle') dots.add(properties.id)
        if (layer.type === 'symbol') pins.add(properties.id)
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
  return { symbols: [...found.values()], hasBareDots: [...dots].some((id) => !pins.has(id)) }
}
