import type { ExpressionSpecification, LayerSpecification, VectorSourceSpecification } from 'maplibre-gl'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import { dotSizePixels, pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import { countMark } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

/** The vector tiles that every style draws. */
export const featureSource = 'features'

export type DataLayer = LayerSpecification & { 'source-layer': string }

/** Layers that a click looks in; where land lies side by side, the exact point decides. */
export type ClickRank = { kind: FeatureKind; isExact: boolean; ids: readonly string[] }

/** How the same tiles are drawn and clicked: by type in the main view, by shape in the viewer. */
export type MapStyle = {
  name: 'types' | 'shapes'
  /** From the lowest to the topmost; a group can be switched off. */
  drawn: readonly { group: string; layers: readonly DataLayer[] }[]
  /** Names lie below this layer. */
  firstPinLayer: string
  /** The first rank with a hit is selected. */
  clickable: readonly ClickRank[]
}

/** Deepest zoom of the tiles that the server makes. */
const maxTileZoom = 17

/** The source of the data, by the address of its tiles. */
export const featureTiles = (address: string): VectorSourceSpecification => ({
  type: 'vector',
  tiles: [address],
  minzoom: 0,
  maxzoom: maxTileZoom,
  promoteId: 'id',
})

/** Which groups of a style are on: kinds in the main view, shapes in the viewer. */
export type Visibility = Readonly<Record<string, boolean>>

/** Whether features of a kind and shape are drawn. */
export function isDrawn(
  { name }: MapStyle,
  isVisible: Visibility,
  kind: FeatureKind,
  shape: FeatureShape,
): boolean {
  return isVisible[name === 'types' ? kind : shape] ?? false
}

/** The layers of a style; those of groups that are off are hidden. */
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

export const pinsFrom = toEngineZoom(pinsFromZoom)

export const isGeometry = (type: 'Point' | 'LineString' | 'Polygon'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
]

/** Where a tile is crowded it marks those that stay dots until one comes closer. */
export const isPin: ExpressionSpecification = ['!=', ['get', 'mark'], 'dot']

/** Such incidents are hollow. */
export const isResolved: ExpressionSpecification = ['==', ['get', 'status'], 'resolved']

export const sourceOf = (layer: string) => ({ source: featureSource, 'source-layer': layer })

export const roundLine = { 'line-cap': 'round', 'line-join': 'round' } as const

/** The white edge of lines. */
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

/** Every feature is a dot under its pin: it is visible where other pins leave no room for its own. */
export function dots(color: ExpressionSpecification | string) {
  const white = '#ffffff'
  return {
    'circle-color': ['case', isResolved, white, color] as ExpressionSpecification,
    'circle-radius': dotSizePixels / 2,
    'circle-stroke-color': ['case', isResolved, color, white] as ExpressionSpecification,
    'circle-stroke-width': 1,
  }
}

/** No pin covers another: the one that comes first in the order keeps its place. */
export function pins(image: ExpressionSpecification | string) {
  return {
    'icon-image': ['concat', image, countSuffix] as ExpressionSpecification,
    'icon-padding': 0,
    'symbol-sort-key': ['to-number', ['get', 'pin_order']] as ExpressionSpecification,
  }
}

/** Where several lie at one place, the pin says how many. */
const countSuffix: ExpressionSpecification = [
  'case',
  ['has', 'count'],
  ['concat', countMark, ['get', 'count']],
  '',
]
