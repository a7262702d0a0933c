import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection } from 'geojson'
import type { ExpressionSpecification, FilterSpecification } from 'maplibre-gl'
import { useContext, useEffect, useState } from 'react'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { ConnectionContext } from '#web/ui/connection-context.ts'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { withoutLeaps } from './date-line.ts'
import { type DataLayer, featureSource, isGeometry } from './look.ts'
import { type NamedPlace, NamedPlaces } from './named-places.tsx'
import { toEngineZoom } from './zoom.ts'

// What is drawn where the base map's tiles cannot be had: land, states and counties, from a package and not the network,
// and the map's own land upon it, as a map of its own.

type Outlines = { land: FeatureCollection; states: FeatureCollection; counties: FeatureCollection }

type GroundColors = {
  land: string
  county: string
  state: string
  /** Around all parcels together. */
  edge: string
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
    edge: '#fbfaf6',
    parcels: ['#e3ead6', '#e9ead9', '#dde7d3', '#e6e8d0'],
    water: '#b4d5ea',
    road: '#ffffff',
    roadCasing: '#c9c5b6',
    roadName: '#3b4449',
    waterName: '#1a5a8a',
    halo: '#ffffff',
  },
  dark: {
    land: '#1d2224',
    county: '#394144',
    state: '#5a6569',
    edge: '#0f1213',
    parcels: ['#26302a', '#2a322c', '#232d29', '#2b312a'],
    water: '#1f3f55',
    road: '#454d51',
    roadCasing: '#15191b',
    roadName: '#d5dcdf',
    waterName: '#8fc3e6',
    halo: '#14181b',
  },
}

const colorsFor = (isDark: boolean) => colorsOf[isDark ? 'dark' : 'light']

/** Closer to the ground outlines alone say nothing of where one is. */
const placeFrom = toEngineZoom(10)

type GroundProps = { isShown: boolean; isDark: boolean; place: NamedPlace | null }

/** What lies around the map's own land. */
export function Ground({ isShown, isDark, place }: GroundProps) {
  const outlines = useOutlines(isShown)
  if (!isShown) return null
  const colors = colorsFor(isDark)
  return (
    <>
      {outlines && (
        <>
          <Source id="outline-land" type="geojson" data={outlines.land}>
            <Layer
              id="outline-land"
              type="fill"
              beforeId="ground-end"
              paint={{ 'fill-color': colors.land }}
            />
          </Source>
          <Source id="outline-counties" type="geojson" data={outlines.counties}>
            <Layer
              id="outline-counties"
              type="line"
              beforeId="ground-end"
              minzoom={4.5}
              paint={{ 'line-color': colors.county, 'line-width': 1 }}
            />
          </Source>
          <Source id="outline-states" type="geojson" data={outlines.states}>
            <Layer
              id="outline-states"
              type="line"
              beforeId="ground-end"
              paint={{ 'line-color': colors.state, 'line-width': 1.25 }}
            />
          </Source>
        </>
      )}
      {place && (
        <NamedPlaces id="outline-place" places={[place]} isDark={isDark} minzoom={placeFrom} isTown />
      )}
    </>
  )
}

const isLineOf = (...types: string[]): FilterSpecification => [
  'all',
  isGeometry('LineString'),
  ['in', ['get', 'type'], ['literal', types]],
]

/** A width that grows with the ground, in pixels at zoom 14. */
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

/** Neighbours mostly have ids that end differently, and so different tints. */
function tintOf(tints: GroundColors['parcels']): ExpressionSpecification {
  const [first, ...others] = tints
  const branches = [...'123456789abcdefghijklmnopqrstuvwxyz'].flatMap((end, index) => [
    end,
    [...others, first][index % tints.length] as string,
  ])
  return ['match', ['slice', ['get', 'id'], -1], ...branches, first] as unknown as ExpressionSpecification
}

/** The map's own land, water and roads, from its tiles. */
export function groundLayers(isDark: boolean): DataLayer[] {
  const colors = colorsFor(isDark)
  const parcels = { source: featureSource, 'source-layer': 'parcels', filter: isGeometry('Polygon') }
  const assets = { source: featureSource, 'source-layer': 'assets' }
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  return [
    {
      id: 'ground-edge',
      type: 'line',
      ...parcels,
      layout: round,
      paint: { 'line-color': colors.edge, 'line-width': onGround(12), 'line-blur': 3 },
    },
    {
      id: 'ground-parcels',
      type: 'fill',
      ...parcels,
      paint: { 'fill-color': tintOf(colors.parcels) },
    },
    {
      id: 'ground-ponds',
      type: 'fill',
      ...assets,
      filter: ['all', isGeometry('Polygon'), ['==', ['get', 'type'], 'water']],
      paint: { 'fill-color': colors.water },
    },
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

/** Along them. Tiles carry no names: those in view are told by their ids. */
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
      // Roads before pipes that lie in them.
      'symbol-sort-key': ['case', isWater, 1, 0],
      'text-field': ['match', ['get', 'id'], ...[...names].flat(), ''] as unknown as ExpressionSpecification,
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, 11, 15, 13],
      'text-max-angle': 40,
      // Beside the line, which would strike it out.
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

function useOutlines(isWanted: boolean): Outlines | null {
  const [outlines, setOutlines] = useState<Outlines | null>(null)
  const { isAway } = useContext(ConnectionContext)
  // Without a connection they are asked for once more when there is one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the connection alone decides when to try again
  useEffect(() => {
    if (!isWanted || outlines) return
    let isCurrent = true
    loadChunk(loadOutlines).then(
      (loaded) => isCurrent && setOutlines(loaded),
      // Without them the ground is plain, and the map says already that its base map is away.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, outlines, isAway])
  return outlines
}

async function loadOutlines(): Promise<Outlines> {
  const [us, world] = await Promise.all([
    import('us-atlas/counties-10m.json').then((module) => module.default as unknown as Topology),
    import('world-atlas/land-50m.json').then((module) => module.default as unknown as Topology),
  ])
  const collection = (topology: Topology, name: string) => topology.objects[name] as GeometryCollection
  const lines = (name: string): FeatureCollection => ({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: mesh(us, collection(us, name)) }],
  })
  return {
    land: {
      type: 'FeatureCollection',
      features: [
        ...feature(world, collection(world, 'land')).features.map(cutAtDateLine),
        // Finer than the world's: at the coast it decides.
        ...feature(us, collection(us, 'nation')).features,
      ],
    },
    states: lines('states'),
    counties: lines('counties'),
  }
}

/** Where a coast leaps from 180 to -180, the engine would paint a stripe across all oceans between. */
function cutAtDateLine(land: Feature): Feature {
  const { geometry } = land
  const polygons =
    geometry.type === 'Polygon'
      ? [geometry.coordinates]
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : []
  return { ...land, geometry: { type: 'MultiPolygon', coordinates: polygons.flatMap(withoutLeaps) } }
}
