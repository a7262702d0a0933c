import type { ExpressionSpecification, LayerSpecification, VectorSourceSpecification } from 'maplibre-gl'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { dotSizePixels, pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import { resolvedFill } from './pin-style.ts'
import { countMark } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

export const featureSource = 'features'

/** Everything, dimmed below the matches of a filter or search. */
export const restSource = 'rest'

export const dataSources = [featureSource, restSource] as const

export type DataLayer = LayerSpecification & { 'source-layer': string }

/** `isExact` for adjoining land: the exact point decides. */
export type ClickRank = { kind: FeatureKind; isExact: boolean; ids: readonly string[] }

export type MapStyle = {
  name: 'types' | 'shapes'
  isDark: boolean
  drawn: readonly { group: string; layers: readonly DataLayer[] }[]
  firstPinLayer: string
  clickable: readonly ClickRank[]
}

const maxTileZoom = 17

export const featureTiles = (address: string): VectorSourceSpecification => ({
  type: 'vector',
  tiles: [address],
  minzoom: 0,
  maxzoom: maxTileZoom,
  promoteId: 'id',
})

export type Visibility = Readonly<Record<string, boolean>>

export function isDrawn(
  { name }: MapStyle,
  isVisible: Visibility,
  kind: FeatureKind,
  shape: FeatureShape,
): boolean {
  return isVisible[name === 'types' ? kind : shape] ?? false
}

export function layersOf(style: MapStyle, isVisible: Visibility): LayerSpecification[] {
  return style.drawn.flatMap(({ group, layers }) =>
    layers.map(
      (layer) =>
        ({
          ...layer,
          layout: { ...layer.layout, visibility: isVisible[group] ? 'visible' : 'none' },
        }) as LayerSpecification,
    ),
  )
}

/** Lot lines stay legible on imagery. */
const restOpacity = (layer: LayerSpecification) =>
  'source-layer' in layer && landLayers.includes(layer['source-layer'] ?? '') ? 0.5 : 0.25

const landLayers = Object.values(kindTraits)
  .filter(({ pin }) => pin === null)
  .map(({ collection }) => collection)

const opacityNames: Partial<Record<LayerSpecification['type'], readonly string[]>> = {
  fill: ['fill-opacity'],
  line: ['line-opacity'],
  circle: ['circle-opacity', 'circle-stroke-opacity'],
  symbol: ['icon-opacity'],
}

export const restId = (id: string) => `rest-${id}`

export const fromRest = <Layer extends LayerSpecification>(layer: Layer): Layer => ({
  ...layer,
  id: restId(layer.id),
  source: restSource,
})

export function restLayersOf(style: MapStyle, isVisible: Visibility): LayerSpecification[] {
  return layersOf(style, isVisible).map((layer) => {
    const paint: Record<string, unknown> = { ...layer.paint }
    for (const name of opacityNames[layer.type] ?? [])
      paint[name] = ['*', restOpacity(layer), paint[name] ?? 1]
    return { ...fromRest(layer), paint } as LayerSpecification
  })
}

export const pinsFrom = toEngineZoom(pinsFromZoom)

export const isGeometry = (type: 'Point' | 'LineString' | 'Polygon'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
]

/** Crowded tiles mark features that stay dots at low zooms. */
export const isPin: ExpressionSpecification = ['!=', ['get', 'mark'], 'dot']

export const isResolved: ExpressionSpecification = ['==', ['get', 'status'], 'resolved']

export const sourceOf = (layer: string) => ({ source: featureSource, 'source-layer': layer })

export const roundLine = { 'line-cap': 'round', 'line-join': 'round' } as const

export const lineCasing = (id: string, source: ReturnType<typeof sourceOf>): DataLayer => ({
  id,
  type: 'line',
  ...source,
  filter: isGeometry('LineString'),
  layout: roundLine,
  paint: {
    'line-color': '#ffffff',
    'line-width': ['interpolate', ['linear'], ['zoom'], 10, 2.5, 13, 5.5],
    'line-opacity': 0.9,
  },
})

export type Color = ExpressionSpecification | string

/** Every feature has a dot under its pin, which stays visible if the pin has no room. */
export function dots(color: Color, resolved: Color, isDark: boolean) {
  return {
    'circle-color': ['case', isResolved, resolvedFill(isDark), color] satisfies ExpressionSpecification,
    'circle-radius': dotSizePixels / 2,
    'circle-stroke-color': ['case', isResolved, resolved, '#ffffff'] satisfies ExpressionSpecification,
    'circle-stroke-width': 1,
  }
}

export const typeOrNone: ExpressionSpecification = ['coalesce', ['get', 'type'], 'untyped']

/** Pins never overlap: the first in the order wins. */
export function pins(image: ExpressionSpecification | string) {
  return {
    'icon-image': ['concat', image, countSuffix] as ExpressionSpecification,
    'icon-padding': 0,
    'symbol-sort-key': ['to-number', ['get', 'pin_order']] as ExpressionSpecification,
  }
}

const countSuffix: ExpressionSpecification = [
  'case',
  ['has', 'count'],
  ['concat', countMark, ['get', 'count']],
  '',
]
