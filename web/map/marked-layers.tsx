import { Layer, useMap } from '@vis.gl/react-maplibre'
import type { Map as EngineMap, ExpressionSpecification } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { parcelColors } from '#domain/features/palette.ts'
import { dotSizePixels } from '#domain/map-configuration/map-constants.ts'
import { featureSource, isGeometry, isPin, pinsFrom, sourceOf } from './map-style.ts'
import { typeStyle } from './type-style.ts'

type Marks =
  | { mode: 'some'; kinds: ReadonlyMap<string, FeatureKind> }
  | { mode: 'all'; except: ReadonlySet<string> }

const ring = {
  dot: dotSizePixels / 2 + 1,
  pin: { teardrop: 9, disc: 18 },
} as const

/** Uses the feature state of the map, which marks thousands without reloading tiles. */
export function MarkedLayers({ marks, kind }: { marks: Marks; kind: FeatureKind | undefined }) {
  useNamedOnMap(marks)
  if (marks.mode === 'some' && marks.kinds.size === 0) return null
  const isNamed: ExpressionSpecification = ['boolean', ['feature-state', 'isNamed'], false]
  const opacityOf = (opacity: number): ExpressionSpecification =>
    marks.mode === 'some' ? ['case', isNamed, opacity, 0] : ['case', isNamed, 0, opacity]
  return featureKinds
    .filter((one) => kind === undefined || one === kind)
    .map((one) => {
      const drawn = sourceOf(kindTraits[one].collection)
      return <MarkedKind key={one} kind={one} drawn={drawn} opacityOf={opacityOf} />
    })
}

type MarkedKindProps = {
  kind: FeatureKind
  drawn: { source: string; 'source-layer': string }
  opacityOf(opacity: number): ExpressionSpecification
}

function MarkedKind({ kind, drawn, opacityOf }: MarkedKindProps) {
  const color = parcelColors.selected
  const { pin } = kindTraits[kind]
  const pinRadius = pin === null ? ring.dot : ring.pin[pin]
  return (
    <>
      <Layer
        id={`marked-${kind}-areas`}
        beforeId={typeStyle.firstPinLayer}
        type="fill"
        {...drawn}
        filter={isGeometry('Polygon')}
        paint={{ 'fill-color': color, 'fill-opacity': opacityOf(0.3) }}
      />
      <Layer
        id={`marked-${kind}-lines`}
        beforeId={typeStyle.firstPinLayer}
        type="line"
        {...drawn}
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': color, 'line-width': 2.5, 'line-opacity': opacityOf(1) }}
      />
      <Layer
        id={`marked-${kind}-points`}
        type="circle"
        {...drawn}
        filter={isGeometry('Point')}
        paint={{
          'circle-radius': ['step', ['zoom'], ring.dot, pinsFrom, ['case', isPin, pinRadius, ring.dot]],
          'circle-opacity': 0,
          'circle-stroke-color': color,
          'circle-stroke-width': 2.5,
          'circle-stroke-opacity': opacityOf(1),
        }}
      />
    </>
  )
}

type NamedFeature = { sourceLayer: string; id: string }
type Named = ReadonlyMap<string, NamedFeature>

const name = (map: EngineMap, feature: NamedFeature) =>
  map.setFeatureState({ source: featureSource, ...feature }, { isNamed: true })

function useNamedOnMap(marks: Marks) {
  const map = useMap().current?.getMap()
  const applied = useRef<Named>(new Map())
  useEffect(() => {
    if (!map) return
    const named = namedBy(marks)
    if (map.style?._loaded) {
      for (const [key, one] of applied.current)
        if (!named.has(key)) map.removeFeatureState({ source: featureSource, ...one }, 'isNamed')
      for (const [key, one] of named) if (!applied.current.has(key)) name(map, one)
    }
    applied.current = named
  }, [map, marks])
  useEffect(() => {
    if (!map) return
    // A restarted map has lost its feature state.
    const setAllStates = () => {
      for (const one of applied.current.values()) name(map, one)
    }
    map.on('style.load', setAllStates)
    return () => {
      map.off('style.load', setAllStates)
      // A removed map has no style.
      if (map.style?._loaded)
        for (const one of applied.current.values()) map.removeFeatureState({ source: featureSource, ...one })
      applied.current = new Map()
    }
  }, [map])
}

function namedBy(marks: Marks): Named {
  const named = new Map<string, { sourceLayer: string; id: string }>()
  const add = (id: string, kind: FeatureKind) => {
    const sourceLayer = kindTraits[kind].collection
    named.set(`${sourceLayer} ${id}`, { sourceLayer, id })
  }
  if (marks.mode === 'some') for (const [id, kind] of marks.kinds) add(id, kind)
  // Their kinds are unknown.
  else for (const id of marks.except) for (const kind of featureKinds) add(id, kind)
  return named
}
