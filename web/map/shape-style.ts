import { type FeatureKind, type FeatureShape, featureKinds } from '#domain/definition/kinds.ts'
import { kindsBottomUp, kindTraits, pinnedKinds } from '#domain/features/kind-traits.ts'
import {
  type ClickRank,
  type DataLayer,
  dots,
  isGeometry,
  isPin,
  lineCasing,
  type MapStyle,
  pins,
  pinsFrom,
  roundLine,
  sourceOf,
  typeOrNone,
} from './map-style.ts'
import { resolvedColor, shapeColor } from './pin-style.ts'
import { pointPinStart, shapePinName } from './pins.ts'

// Color shows the shape (section 9 of the specification, 'Markers').

const idOf = (kind: FeatureKind, part: string) => `shape-${kind}-${part}`
const from = (kind: FeatureKind) => sourceOf(kindTraits[kind].collection)

function areas(kind: FeatureKind): DataLayer[] {
  const color = shapeColor(kind, 'polygon')
  const common = { ...from(kind), filter: isGeometry('Polygon') }
  return [
    {
      id: idOf(kind, 'areas'),
      type: 'fill',
      ...common,
      paint: { 'fill-color': color, 'fill-opacity': 0.12 },
    },
    {
      id: idOf(kind, 'outlines'),
      type: 'line',
      ...common,
      paint: { 'line-color': color, 'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.75, 15, 1.75] },
    },
  ]
}

const lines = (kind: FeatureKind): DataLayer[] => [
  lineCasing(idOf(kind, 'line-casings'), from(kind)),
  {
    id: idOf(kind, 'lines'),
    type: 'line',
    ...from(kind),
    filter: isGeometry('LineString'),
    layout: roundLine,
    paint: {
      'line-color': shapeColor(kind, 'line'),
      'line-width': ['interpolate', ['linear'], ['zoom'], 10, 1.5, 13, 3],
    },
  },
]

const dotLayer = (kind: FeatureKind, shape: FeatureShape, isDark: boolean): DataLayer => ({
  id: idOf(kind, `${shape}-dots`),
  type: 'circle',
  ...from(kind),
  filter: ['all', isGeometry('Point'), ['==', ['get', 'shape'], shape]],
  paint: dots(shapeColor(kind, shape), resolvedColor(shapeColor(kind, shape), isDark), isDark),
})

const pinLayer = (kind: FeatureKind, shape: 'point' | 'polygon'): DataLayer => ({
  id: idOf(kind, `${shape}-pins`),
  type: 'symbol',
  ...from(kind),
  filter: ['all', isGeometry('Point'), ['==', ['get', 'shape'], shape], isPin],
  minzoom: pinsFrom,
  layout: pins(
    shape === 'point'
      ? ['concat', pointPinStart(kind), typeOrNone]
      : shapePinName({ kind, shape, type: null, isSelected: false }),
  ),
})

function clickRanks(kind: FeatureKind): ClickRank[] {
  const ids = (...parts: string[]) => parts.map((part) => idOf(kind, part))
  switch (kindTraits[kind].hit) {
    case 'near':
      return [{ kind, isExact: false, ids: ids('point-dots', 'polygon-dots', 'line-dots', 'lines', 'areas') }]
    case 'exact':
      return [
        {
          kind,
          isExact: true,
          ids: ids('areas', 'polygon-dots', 'point-pins', 'point-dots', 'lines', 'line-dots'),
        },
      ]
    case 'by shape':
      return [
        { kind, isExact: false, ids: ids('point-dots', 'polygon-dots') },
        { kind, isExact: false, ids: ids('lines', 'line-dots') },
        { kind, isExact: true, ids: ids('areas') },
      ]
  }
}

const styleFor = (isDark: boolean): MapStyle => ({
  name: 'shapes',
  isDark,
  drawn: [
    ...kindsBottomUp.map((kind) => ({ group: 'polygon', layers: areas(kind) })),
    ...kindsBottomUp.map((kind) => ({ group: 'line', layers: lines(kind) })),
    ...(['polygon', 'line', 'point'] as const).flatMap((shape) =>
      kindsBottomUp.map((kind) => ({ group: shape, layers: [dotLayer(kind, shape, isDark)] })),
    ),
    ...pinnedKinds.toReversed().map((kind) => ({ group: 'polygon', layers: [pinLayer(kind, 'polygon')] })),
    ...kindsBottomUp.map((kind) => ({ group: 'point', layers: [pinLayer(kind, 'point')] })),
  ],
  firstPinLayer: `shape-${kindsBottomUp[0]}-polygon-dots`,
  clickable: [
    ...pinnedKinds.map((kind) => ({
      kind,
      isExact: false,
      ids: [idOf(kind, 'point-pins'), idOf(kind, 'polygon-pins')],
    })),
    ...featureKinds.flatMap(clickRanks),
  ],
})

export const shapeStyle = styleFor(false)
export const darkShapeStyle = styleFor(true)
