import type { LayerSpecification } from 'maplibre-gl'
import { isGeometry } from './map-style.ts'

type Colors = {
  ground: string
  area: string
  edge: string
  casing: string
  line: string
  name: string
  halo: string
}

const colorsOf: Record<'light' | 'dark', Colors> = {
  light: {
    ground: '#f3f1ea',
    area: '#e3e6da',
    edge: '#c9c5b6',
    casing: '#c9c5b6',
    line: '#ffffff',
    name: '#3b4449',
    halo: '#ffffff',
  },
  dark: {
    ground: '#1d2224',
    area: '#262d2b',
    edge: '#394144',
    casing: '#15191b',
    line: '#454d51',
    name: '#d5dcdf',
    halo: '#14181b',
  },
}

export function plainLayers(
  vectorLayers: readonly string[],
  source: string,
  isDark: boolean,
): LayerSpecification[] {
  const colors = colorsOf[isDark ? 'dark' : 'light']
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  const each = (
    layersOf: (from: { source: string; 'source-layer': string }, name: string) => LayerSpecification[],
  ) => vectorLayers.flatMap((name) => layersOf({ source, 'source-layer': name }, name))
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': colors.ground } },
    ...each((from, name) => [
      {
        id: `areas-${name}`,
        type: 'fill',
        ...from,
        filter: isGeometry('Polygon'),
        paint: { 'fill-color': colors.area },
      },
      {
        id: `edges-${name}`,
        type: 'line',
        ...from,
        filter: isGeometry('Polygon'),
        paint: { 'line-color': colors.edge, 'line-width': 0.75 },
      },
    ]),
    ...each((from, name) => [
      {
        id: `casings-${name}`,
        type: 'line',
        ...from,
        filter: isGeometry('LineString'),
        layout: round,
        paint: {
          'line-color': colors.casing,
          'line-width': ['interpolate', ['linear'], ['zoom'], 8, 1.5, 16, 7],
        },
      },
    ]),
    ...each((from, name) => [
      {
        id: `lines-${name}`,
        type: 'line',
        ...from,
        filter: isGeometry('LineString'),
        layout: round,
        paint: {
          'line-color': colors.line,
          'line-width': ['interpolate', ['linear'], ['zoom'], 8, 0.75, 16, 5],
        },
      },
      {
        id: `points-${name}`,
        type: 'circle',
        ...from,
        minzoom: 13,
        filter: isGeometry('Point'),
        paint: { 'circle-color': colors.edge, 'circle-radius': 2 },
      },
    ]),
    ...each((from, name) => [
      {
        id: `names-${name}`,
        type: 'symbol',
        ...from,
        layout: {
          'text-field': ['to-string', ['get', 'name']],
          'text-size': 11,
          'symbol-placement': 'point',
          'text-padding': 8,
        },
        filter: ['all', ['has', 'name'], ['!=', ['geometry-type'], 'LineString']],
        paint: { 'text-color': colors.name, 'text-halo-color': colors.halo, 'text-halo-width': 1.5 },
      },
      {
        id: `line-names-${name}`,
        type: 'symbol',
        ...from,
        minzoom: 12,
        layout: { 'text-field': ['to-string', ['get', 'name']], 'text-size': 11, 'symbol-placement': 'line' },
        filter: ['all', ['has', 'name'], isGeometry('LineString')],
        paint: { 'text-color': colors.name, 'text-halo-color': colors.halo, 'text-halo-width': 1.5 },
      },
    ]),
  ] as LayerSpecification[]
}
