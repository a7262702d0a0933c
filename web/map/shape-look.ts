import type { ExpressionSpecification } from 'maplibre-gl'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import { type DataLayer, dots, featureSource, isGeometry, isPin, type Look, pins, pinsFrom } from './look.ts'
import { shapeColor } from './pin-style.ts'
import { shapePinName } from './pins.ts'

// The look of the viewer: colour tells the shape (section 9 of the specification, 'Markers').

const kinds = ['parcel', 'asset', 'incident'] as const
const sourceLayers: Record<FeatureKind, string> = {
  parcel: 'parcels',
  asset: 'assets',
  incident: 'incidents',
}

const idOf = (kind: FeatureKind, part: string) => `shape-${kind}-${part}`
const from = (kind: FeatureKind) => ({ source: featureSource, 'source-layer': sourceLayers[kind] })

function areas(kind: FeatureKind): DataLayer[] {
  const color = shapeColor(kind, 'polygon')
  return [
    {
      id: idOf(kind, 'areas'),
      type: 'fill',
      ...from(kind),
      filter: isGeometry('Polygon'),
      paint: { 'fill-color': color, 'fill-opacity': 0.12 },
    },
    {
      id: idOf(kind, 'outlines'),
      type: 'line',
      ...from(kind),
      filter: isGeometry('Polygon'),
      paint: { 'line-color': color, 'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.75, 15, 1.75] },
    },
  ]
}

function lines(kind: FeatureKind): DataLayer[] {
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const
  const width = (far: number, near: number): ExpressionSpecification => [
    'interpolate',
    ['linear'],
    ['zoom'],
    10,
    far,
    13,
    near,
  ]
  return [
    {
      id: idOf(kind, 'line-casings'),
      type: 'line',
      ...from(kind),
      filter: isGeometry('LineString'),
      layout,
      paint: { 'line-color': '#ffffff', 'line-width': width(2.5, 5.5), 'line-opacity': 0.9 },
    },
    {
      id: idOf(kind, 'lines'),
      type: 'line',
      ...from(kind),
      filter: isGeometry('LineString'),
      layout,
      paint: { 'line-color': shapeColor(kind, 'line'), 'line-width': width(1.5, 3) },
    },
  ]
}

/** Points of the tile that stand for one shape: the feature itself, its anchor, or all that is seen of it. */
const isPointOf = (shape: FeatureShape): ExpressionSpecification => [
  'all',
  isGeometry('Point'),
  ['==', ['get', 'shape'], shape],
]

function dotsOf(kind: FeatureKind, shape: FeatureShape): DataLayer {
  return {
    id: idOf(kind, `${shape}-dots`),
    type: 'circle',
    ...from(kind),
    filter: isPointOf(shape),
    paint: dots(shapeColor(kind, shape)),
  }
}

function pinsOf(kind: FeatureKind, shape: 'point' | 'polygon'): DataLayer {
  return {
    id: idOf(kind, `${shape}-pins`),
    type: 'symbol',
    ...from(kind),
    filter: ['all', isPointOf(shape), isPin],
    minzoom: pinsFrom,
    layout: pins(shapePinName({ kind, shape, isSelected: false })),
  }
}

const withPins = ['asset', 'incident'] as const

export const shapeLook: Look = {
  name: 'shapes',
  drawn: [
    ...kinds.map((kind) => ({ group: 'polygon', layers: areas(kind) })),
    ...kinds.map((kind) => ({ group: 'line', layers: lines(kind) })),
    ...(['polygon', 'line', 'point'] as const).flatMap((shape) =>
      kinds.map((kind) => ({ group: shape, layers: [dotsOf(kind, shape)] })),
    ),
    ...withPins.map((kind) => ({ group: 'polygon', layers: [pinsOf(kind, 'polygon')] })),
    ...kinds.map((kind) => ({ group: 'point', layers: [pinsOf(kind, 'point')] })),
  ],
  firstPinLayer: idOf('parcel', 'polygon-dots'),
  clickable: [
    ...withPins.toReversed().map((kind) => ({
      kind,
      isExact: false,
      ids: [idOf(kind, 'point-pins'), idOf(kind, 'polygon-pins')],
    })),
    {
      kind: 'incident',
      isExact: false,
      ids: ['point-dots', 'polygon-dots', 'line-dots', 'lines', 'areas'].map((part) =>
        idOf('incident', part),
      ),
    },
    {
      kind: 'asset',
      isExact: false,
      ids: ['point-dots', 'polygon-dots'].map((part) => idOf('asset', part)),
    },
    { kind: 'asset', isExact: false, ids: ['lines', 'line-dots'].map((part) => idOf('asset', part)) },
    { kind: 'asset', isExact: true, ids: [idOf('asset', 'areas')] },
    {
      kind: 'parcel',
      isExact: true,
      ids: ['areas', 'polygon-dots', 'point-pins', 'point-dots', 'lines', 'line-dots'].map((part) =>
        idOf('parcel', part),
      ),
    },
  ],
}
