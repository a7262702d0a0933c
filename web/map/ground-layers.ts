import type { ExpressionSpecification, FilterSpecification } from 'maplibre-gl'
import {
  type DataLayer,
  featureSource,
  isDrawn,
  isGeometry,
  type MapStyle,
  type Visibility,
} from './map-style.ts'
import { darkGround } from './pin-style.ts'

// Replaces base map tiles that failed to load: land, water and roads from the map's own tiles.

type GroundColors = {
  land: string
  county: string
  state: string
  parcels: readonly [string, string, string, string]
  water: string
  road: string
  roadCasing: string
  roadName: string
  waterName: string
  halo: string
}

const colorsOf: Record<'light' | 'dark', GroundColors> = {
  light: {
    land: '#f3f1ea',
    county: '#d3d0c4',
    state: '#a5a193',
    parcels: ['#e3ead6', '#e9ead9', '#dde7d3', '#e6e8d0'],
    water: '#b4d5ea',
    road: '#ffffff',
    roadCasing: '#c9c5b6',
    roadName: '#3b4449',
    waterName: '#1a5a8a',
    halo: '#ffffff',
  },
  dark: {
    land: darkGround,
    county: '#394144',
    state: '#5a6569',
    parcels: ['#26302a', '#2a322c', '#232d29', '#2b312a'],
    water: '#1f3f55',
    road: '#454d51',
    roadCasing: '#15191b',
    roadName: '#d5dcdf',
    waterName: '#8fc3e6',
    halo: '#14181b',
  },
}

export const colorsFor = (isDark: boolean) => colorsOf[isDark ? 'dark' : 'light']

const isLineOf = (...types: string[]): FilterSpecification => [
  'all',
  isGeometry('LineString'),
  ['in', ['get', 'type'], ['literal', types]],
]

/** Grows with the zoom; pixels at zoom 14. */
const onGround = (pixels: number): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.7],
  ['zoom'],
  10,
  pixels / 6,
  13,
  pixels,
  17,
  pixels * 5,
]

/** Neighbors mostly have ids with different endings, and so different tints. */
function tintOf(tints: GroundColors['parcels']): ExpressionSpecification {
  const [first, ...others] = tints
  const branches = [...'123456789abcdefghijklmnopqrstuvwxyz'].flatMap((end, index) => [
    end,
    [...others, first][index % tints.length] as string,
  ])
  return ['match', ['slice', ['get', 'id'], -1], ...branches, first] as unknown as ExpressionSpecification
}

const assets = { source: featureSource, 'source-layer': 'assets' }
const round = { 'line-cap': 'round', 'line-join': 'round' } as const

export function groundLayers(isDark: boolean, style: MapStyle, isVisible: Visibility): DataLayer[] {
  return [
    ...(isDrawn(style, isVisible, 'parcel', 'polygon') ? groundOfParcels(isDark) : []),
    ...(isDrawn(style, isVisible, 'asset', 'polygon') ? groundOfPonds(isDark) : []),
    ...(isDrawn(style, isVisible, 'asset', 'line') ? groundOfLines(isDark) : []),
  ]
}

function groundOfParcels(isDark: boolean): DataLayer[] {
  const colors = colorsFor(isDark)
  const parcels = { source: featureSource, 'source-layer': 'parcels', filter: isGeometry('Polygon') }
  return [
    {
      id: 'ground-parcels',
      type: 'fill',
      ...parcels,
      paint: { 'fill-color': tintOf(colors.parcels) },
    },
  ]
}

function groundOfPonds(isDark: boolean): DataLayer[] {
  return [
    {
      id: 'ground-ponds',
      type: 'fill',
      ...assets,
      filter: ['all', isGeometry('Polygon'), ['==', ['get', 'type'], 'water']],
      paint: { 'fill-color': colorsFor(isDark).water },
    },
  ]
}

function groundOfLines(isDark: boolean): DataLayer[] {
  const colors = colorsFor(isDark)
  return [
    {
      id: 'ground-streams',
      type: 'line',
      ...assets,
      filter: isLineOf('water'),
      layout: round,
      paint: { 'line-color': colors.water, 'line-width': onGround(8) },
    },
    {
      id: 'ground-road-casings',
      type: 'line',
      ...assets,
      filter: isLineOf('road'),
      layout: round,
      paint: { 'line-color': colors.roadCasing, 'line-width': onGround(13) },
    },
    {
      id: 'ground-roads',
      type: 'line',
      ...assets,
      filter: isLineOf('road'),
      layout: round,
      paint: { 'line-color': colors.road, 'line-width': onGround(11) },
    },
  ]
}

export type NamedLine = { id: string; name: string }

/** Tiles contain no names: they are matched by id. */
export function lineNamesLayer(lines: readonly NamedLine[], isDark: boolean): DataLayer | null {
  const names = new Map(lines.map(({ id, name }) => [id, name]))
  if (names.size === 0) return null
  const colors = colorsFor(isDark)
  const isWater: ExpressionSpecification = ['==', ['get', 'type'], 'water']
  return {
    id: 'ground-names',
    type: 'symbol',
    source: featureSource,
    'source-layer': 'assets',
    filter: isLineOf('road', 'water'),
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 160,
      // Roads before pipes below them.
      'symbol-sort-key': ['case', isWater, 1, 0],
      'text-field': ['match', ['get', 'id'], ...[...names].flat(), ''] as unknown as ExpressionSpecification,
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, 11, 15, 13],
      'text-max-angle': 40,
      // Beside the line, which would cross out the name.
      'text-offset': [0, -0.95],
      'text-letter-spacing': 0.03,
      'text-padding': 4,
    },
    paint: {
      'text-color': ['case', isWater, colors.waterName, colors.roadName],
      'text-halo-color': colors.halo,
      'text-halo-width': 1.75,
    },
  }
}
