import type { ExpressionSpecification, FilterSpecification } from 'maplibre-gl'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import {
  assetColors,
  incidentColors,
  parcelColors,
  severityColors,
  untypedColor,
} from '#domain/features/palette.ts'
import { dotSizePixels } from '#domain/map-configuration/map-constants.ts'
import {
  type DataLayer,
  dots,
  featureSource,
  isGeometry,
  isPin,
  isResolved,
  type Look,
  pins,
  pinsFrom,
} from './look.ts'
import { teardropFootPixels } from './pins.ts'

// The look of the main view: colour tells the type.

type Match = [string, string, ...string[]]
const colorByType = (colors: Record<string, string>) =>
  [
    'match',
    ['get', 'type'],
    ...(Object.entries(colors).flat() as Match),
    untypedColor,
  ] as ExpressionSpecification

const assetColor = colorByType(assetColors)
const incidentColor = colorByType(incidentColors)
const severityColor = [
  'match',
  ['get', 'severity'],
  ...(Object.entries(severityColors).flat() as Match),
  severityColors.unknown,
] as ExpressionSpecification

const isLine: FilterSpecification = isGeometry('LineString')
const isPolygon: FilterSpecification = isGeometry('Polygon')
const isPoint: FilterSpecification = isGeometry('Point')
/** A line too short to be seen is a dot; everything else that is a point stands for a thing with a pin. */
const hasPin: FilterSpecification = ['all', isPoint, ['!=', ['get', 'shape'], 'line'], isPin]

const type: ExpressionSpecification = ['coalesce', ['get', 'type'], 'untyped']

const layers: Record<FeatureKind, DataLayer[]> = {
  parcel: [
    {
      id: 'parcel-areas',
      type: 'fill',
      source: featureSource,
      'source-layer': 'parcels',
      filter: isPolygon,
      paint: { 'fill-color': parcelColors.normal, 'fill-opacity': 0.08 },
    },
    {
      id: 'parcel-outlines',
      type: 'line',
      source: featureSource,
      'source-layer': 'parcels',
      filter: isPolygon,
      paint: {
        'line-color': parcelColors.normal,
        'line-width': ['interpolate', ['linear'], ['zoom'], 10, 0.75, 15, 1.5],
      },
    },
    {
      id: 'parcel-dots',
      type: 'circle',
      source: featureSource,
      'source-layer': 'parcels',
      filter: isPoint,
      paint: {
        'circle-color': parcelColors.normal,
        'circle-radius': dotSizePixels / 2,
        'circle-opacity': 0.6,
      },
    },
    {
      id: 'parcel-lines',
      type: 'line',
      source: featureSource,
      'source-layer': 'parcels',
      filter: isLine,
      paint: { 'line-color': parcelColors.normal, 'line-width': 2 },
    },
  ],
  asset: [
    {
      id: 'asset-areas',
      type: 'fill',
      source: featureSource,
      'source-layer': 'assets',
      filter: isPolygon,
      paint: { 'fill-color': assetColor, 'fill-opacity': 0.22 },
    },
    {
      id: 'asset-area-outlines',
      type: 'line',
      source: featureSource,
      'source-layer': 'assets',
      filter: isPolygon,
      paint: { 'line-color': assetColor, 'line-width': 1.5 },
    },
    {
      id: 'asset-line-casings',
      type: 'line',
      source: featureSource,
      'source-layer': 'assets',
      filter: isLine,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': '#ffffff',
        'line-width': ['interpolate', ['linear'], ['zoom'], 10, 2.5, 13, 5.5],
        'line-opacity': 0.9,
      },
    },
    {
      id: 'asset-lines',
      type: 'line',
      source: featureSource,
      'source-layer': 'assets',
      filter: isLine,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': assetColor,
        'line-width': ['interpolate', ['linear'], ['zoom'], 10, 1.5, 13, 3],
      },
    },
  ],
  incident: [
    {
      id: 'severity-areas',
      type: 'fill',
      source: featureSource,
      'source-layer': 'incident_areas',
      paint: { 'fill-color': severityColor, 'fill-opacity': ['case', isResolved, 0.06, 0.16] },
    },
    {
      id: 'severity-outlines',
      type: 'line',
      source: featureSource,
      'source-layer': 'incident_areas',
      paint: {
        'line-color': severityColor,
        'line-width': 1.5,
        'line-opacity': ['case', isResolved, 0.45, 0.9],
      },
    },
    {
      id: 'incident-areas',
      type: 'fill',
      source: featureSource,
      'source-layer': 'incidents',
      filter: isPolygon,
      paint: { 'fill-color': incidentColor, 'fill-opacity': 0.25 },
    },
    {
      id: 'incident-lines',
      type: 'line',
      source: featureSource,
      'source-layer': 'incidents',
      filter: ['!=', ['geometry-type'], 'Point'],
      paint: { 'line-color': incidentColor, 'line-width': 3 },
    },
  ],
}

/** Above every area and line. */
const dotLayers: Record<'asset' | 'incident', DataLayer[]> = {
  asset: [
    {
      id: 'asset-dots',
      type: 'circle',
      source: featureSource,
      'source-layer': 'assets',
      filter: isPoint,
      paint: dots(assetColor),
    },
  ],
  incident: [
    {
      id: 'incident-dots',
      type: 'circle',
      source: featureSource,
      'source-layer': 'incidents',
      filter: isPoint,
      paint: dots(incidentColor),
    },
  ],
}

/** Above every dot. */
const pinLayers: typeof dotLayers = {
  asset: [
    {
      id: 'asset-pins',
      type: 'symbol',
      source: featureSource,
      'source-layer': 'assets',
      filter: hasPin,
      minzoom: pinsFrom,
      layout: pins(['concat', 'asset-', type]),
    },
  ],
  incident: [
    {
      id: 'incident-pins',
      type: 'symbol',
      source: featureSource,
      'source-layer': 'incidents',
      filter: ['all', isPoint, isPin],
      minzoom: pinsFrom,
      layout: {
        ...pins(['concat', 'incident-', type, ['case', isResolved, '-resolved', '']]),
        'icon-anchor': 'bottom',
        'icon-offset': [0, teardropFootPixels],
      },
    },
  ],
}

export const typeLook: Look = {
  name: 'types',
  drawn: [
    ...(['parcel', 'asset', 'incident'] as const).map((kind) => ({ group: kind, layers: layers[kind] })),
    ...[dotLayers, pinLayers].flatMap((ofPoints) =>
      (['asset', 'incident'] as const).map((kind) => ({ group: kind, layers: ofPoints[kind] })),
    ),
  ],
  firstPinLayer: 'asset-dots',
  clickable: [
    { kind: 'incident', isExact: false, ids: ['incident-pins'] },
    { kind: 'asset', isExact: false, ids: ['asset-pins'] },
    { kind: 'incident', isExact: false, ids: ['incident-dots', 'incident-lines', 'incident-areas'] },
    { kind: 'asset', isExact: false, ids: ['asset-dots'] },
    { kind: 'asset', isExact: false, ids: ['asset-lines'] },
    { kind: 'asset', isExact: true, ids: ['asset-areas'] },
    { kind: 'parcel', isExact: true, ids: ['parcel-areas', 'parcel-dots', 'parcel-lines'] },
  ],
}
