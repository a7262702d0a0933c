import type { ExpressionSpecification } from 'maplibre-gl'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import { featureKinds } from '#domain/definition/kinds.ts'
import {
  kindsBottomUp,
  kindTraits,
  pinnedKinds,
  severityKinds,
  type ZoomWidth,
} from '#domain/features/kind-traits.ts'
import { severityColors } from '#domain/features/palette.ts'
import { dotSizePixels } from '#domain/map-configuration/map-constants.ts'
import {
  type ClickRank,
  type Color,
  type DataLayer,
  dots,
  isGeometry,
  isPin,
  isResolved,
  lineCasing,
  type MapStyle,
  pins,
  pinsFrom,
  roundLine,
  sourceOf,
  typeOrNone,
} from './map-style.ts'
import { resolvedColor } from './pin-style.ts'
import { resolvedMark, teardropFootPixels } from './pins.ts'

type Match = [string, string, ...string[]]
const matchColor = (property: string, colors: Record<string, string>, other: string) =>
  ['match', ['get', property], ...(Object.entries(colors).flat() as Match), other] as ExpressionSpecification

function colorOf(kind: FeatureKind, tone = (color: string) => color): Color {
  const { typeColors, color } = kindTraits[kind]
  const normal = tone(color.normal)
  const toned = Object.entries(typeColors).map(([type, one]) => [type, tone(one)])
  return toned.length === 0 ? normal : matchColor('type', Object.fromEntries(toned), normal)
}

const severityColor = matchColor('severity', severityColors, severityColors.unknown)

const widthOf = (width: number | ZoomWidth): ExpressionSpecification | number =>
  typeof width === 'number' ? width : ['interpolate', ['linear'], ['zoom'], ...width.from, ...width.to]

const severityRings: DataLayer[] = [
  {
    id: 'severity-areas',
    type: 'fill',
    ...sourceOf('incident_areas'),
    paint: { 'fill-color': severityColor, 'fill-opacity': ['case', isResolved, 0.06, 0.16] },
  },
  {
    id: 'severity-outlines',
    type: 'line',
    ...sourceOf('incident_areas'),
    paint: {
      'line-color': severityColor,
      'line-width': 1.5,
      'line-opacity': ['case', isResolved, 0.45, 0.9],
    },
  },
]

/** Includes dots of land, which has no pins. */
function shapeLayers(kind: FeatureKind): DataLayer[] {
  const { collection, drawing, pin } = kindTraits[kind]
  const source = sourceOf(collection)
  const color = colorOf(kind)
  const layers: DataLayer[] = [
    {
      id: `${kind}-areas`,
      type: 'fill',
      ...source,
      filter: isGeometry('Polygon'),
      paint: { 'fill-color': color, 'fill-opacity': drawing.fillOpacity },
    },
    {
      id: `${kind}-outlines`,
      type: 'line',
      ...source,
      filter: isGeometry('Polygon'),
      paint: { 'line-color': color, 'line-width': widthOf(drawing.outline) },
    },
  ]
  if (pin === null)
    layers.push({
      id: `${kind}-dots`,
      type: 'circle',
      ...source,
      filter: isGeometry('Point'),
      paint: { 'circle-color': color, 'circle-radius': dotSizePixels / 2, 'circle-opacity': 0.6 },
    })
  if (drawing.hasLineCasing) layers.push(lineCasing(`${kind}-line-casings`, source))
  layers.push({
    id: `${kind}-lines`,
    type: 'line',
    ...source,
    filter: isGeometry('LineString'),
    layout: drawing.hasLineCasing ? roundLine : {},
    paint: { 'line-color': color, 'line-width': widthOf(drawing.line) },
  })
  return layers
}

const dotLayer = (kind: FeatureKind, isDark: boolean): DataLayer => ({
  id: `${kind}-dots`,
  type: 'circle',
  ...sourceOf(kindTraits[kind].collection),
  filter: isGeometry('Point'),
  paint: dots(
    colorOf(kind),
    colorOf(kind, (color) => resolvedColor(color, isDark)),
    isDark,
  ),
})

function pinLayer(kind: FeatureKind, isDark: boolean): DataLayer {
  const { collection, pin, hit } = kindTraits[kind]
  const isShortLine: ExpressionSpecification = ['==', ['get', 'shape'], 'line']
  const isPoint = isGeometry('Point')
  return {
    id: `${kind}-pins`,
    type: 'symbol',
    ...sourceOf(collection),
    filter: hit === 'near' ? ['all', isPoint, isPin] : ['all', isPoint, ['!', isShortLine], isPin],
    minzoom: pinsFrom,
    layout: {
      ...pins(['concat', `${kind}-`, typeOrNone, ['case', isResolved, resolvedMark(isDark), '']]),
      ...(pin === 'teardrop' && { 'icon-anchor': 'bottom', 'icon-offset': [0, teardropFootPixels] }),
    },
  }
}

function clickRanks(kind: FeatureKind): ClickRank[] {
  const ids = (...parts: string[]) => parts.map((part) => `${kind}-${part}`)
  switch (kindTraits[kind].hit) {
    case 'near':
      return [{ kind, isExact: false, ids: ids('dots', 'lines', 'outlines', 'areas') }]
    case 'exact':
      return [{ kind, isExact: true, ids: ids('areas', 'dots', 'lines') }]
    case 'by shape':
      return [
        { kind, isExact: false, ids: ids('dots') },
        { kind, isExact: false, ids: ids('lines') },
        { kind, isExact: true, ids: ids('areas') },
      ]
  }
}

const pinnedBottomUp = pinnedKinds.toReversed()

const styleFor = (isDark: boolean): MapStyle => ({
  name: 'types',
  isDark,
  drawn: [
    ...kindsBottomUp.map((kind) => ({
      group: kind,
      layers: [...(severityKinds.includes(kind) ? severityRings : []), ...shapeLayers(kind)],
    })),
    ...pinnedBottomUp.map((kind) => ({ group: kind, layers: [dotLayer(kind, isDark)] })),
    ...pinnedBottomUp.map((kind) => ({ group: kind, layers: [pinLayer(kind, isDark)] })),
  ],
  firstPinLayer: `${pinnedBottomUp[0]}-dots`,
  clickable: [
    ...pinnedKinds.map((kind) => ({ kind, isExact: false, ids: [`${kind}-pins`] })),
    ...featureKinds.flatMap(clickRanks),
  ],
})

export const typeStyle = styleFor(false)
export const darkTypeStyle = styleFor(true)
