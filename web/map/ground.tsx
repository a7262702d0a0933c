import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection } from 'geojson'
import { useContext, useEffect, useState } from 'react'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { ConnectionContext } from '#web/ui/connection-context.ts'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { withoutLeaps } from './date-line.ts'
import { colorsFor } from './ground-layers.ts'
import { type NamedPlace, NamedPlaces } from './named-places.tsx'
import { toEngineZoom } from './zoom.ts'

// Shown if base map tiles cannot load: land, states and counties from a bundled file below the map's own land, in a
// separate map.

type Outlines = { land: FeatureCollection; states: FeatureCollection; counties: FeatureCollection }

const placeLabelMinZoom = toEngineZoom(10)

type GroundProps = { isShown: boolean; isDark: boolean; place: NamedPlace | null }

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
        <NamedPlaces id="outline-place" places={[place]} isDark={isDark} minzoom={placeLabelMinZoom} isTown />
      )}
    </>
  )
}

function useOutlines(isWanted: boolean): Outlines | null {
  const [outlines, setOutlines] = useState<Outlines | null>(null)
  const { isAway } = useContext(ConnectionContext)
  // Loads again when the connection is back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new connection triggers a retry
  useEffect(() => {
    if (!isWanted || outlines) return
    let isCurrent = true
    loadChunk(loadOutlines).then(
      (loaded) => isCurrent && setOutlines(loaded),
      // Without the outlines the ground is plain; the map already reports the base map as unavailable.
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
        ...feature(us, collection(us, 'nation')).features,
      ],
    },
    states: lines('states'),
    counties: lines('counties'),
  }
}

/** The engine would paint a stripe across all oceans where a coast jumps from 180 to -180. */
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
