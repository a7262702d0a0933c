import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { dotSizePixels, pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import { toEngineZoom } from './zoom.ts'

/** The vector tiles that every look is made of. */
export const featureSource = 'features'

export type DataLayer = LayerSpecification & { 'source-layer': string }

/** How the same tiles are drawn and clicked: by type in the main view, by shape in the viewer. */
export type Look = {
  name: 'types' | 'shapes'
  /** From the lowest to the topmost; a group can be switched off. */
  drawn: readonly { group: string; layers: readonly DataLayer[] }[]
  /** Names lie below this layer. */
  firstPinLayer: string
  /** First things first; where land lies side by side, the exact point decides. */
  clickable: readonly { kind: FeatureKind; isExact: boolean; ids: readonly string[] }[]
}

export const pinsFrom = toEngineZoom(pinsFromZoom)

export const isGeometry = (type: 'Point' | 'LineString' | 'Polygon'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
]

/** One of so many on a tile that pins would cover each other: it stays a dot until one comes closer. */
const isMarkedDot: ExpressionSpecification = ['==', ['get', 'mark'], 'dot']
export const isPin: ExpressionSpecification = ['!', isMarkedDot]
export const isDot: ExpressionSpecification = ['any', ['<', ['zoom'], pinsFrom], isMarkedDot]

export function dots(color: ExpressionSpecification | string) {
  return {
    'circle-color': color,
    'circle-radius': dotSizePixels / 2,
    'circle-stroke-color': '#ffffff',
    'circle-stroke-width': 1,
  }
}
