import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, Position } from 'geojson'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'

type BoundsFrameProps = { bounds: Bounds | null; landOutside: Bounds | null; isDark: boolean }

/** Land outside has its own frame. The veil marks it independently of colors. */
export function BoundsFrame({ bounds, landOutside, isDark }: BoundsFrameProps) {
  if (!bounds) return null
  return (
    <>
      <Source id="bounds-veil" type="geojson" data={outsideOf(bounds)}>
        <Layer
          id="bounds-veil"
          type="fill"
          paint={{ 'fill-color': isDark ? '#000000' : '#1b1f21', 'fill-opacity': isDark ? 0.45 : 0.2 }}
        />
      </Source>
      {landOutside && (
        <DashedFrame
          id="land-frame"
          box={landOutside}
          isDark={isDark}
          color={isDark ? '#f0a35e' : '#b4530a'}
        />
      )}
      <DashedFrame id="bounds-frame" box={bounds} isDark={isDark} color={isDark ? '#6fbf95' : '#2f6b4f'} />
    </>
  )
}

function DashedFrame({
  id,
  box,
  isDark,
  color,
}: {
  id: string
  box: Bounds
  isDark: boolean
  color: string
}) {
  return (
    <Source
      id={id}
      type="geojson"
      data={{
        type: 'Feature',
        properties: {},
        geometry: { type: 'LineString', coordinates: ringAround(box) },
      }}
    >
      <Layer
        id={`${id}-casing`}
        type="line"
        paint={{ 'line-color': isDark ? '#14181b' : '#ffffff', 'line-width': 5, 'line-opacity': 0.8 }}
      />
      <Layer
        id={id}
        type="line"
        paint={{ 'line-color': color, 'line-width': 2.5, 'line-dasharray': [3, 2] }}
      />
    </Source>
  )
}

const world: Bounds = { north: 90, east: 180, south: -90, west: -180 }

function outsideOf(bounds: Bounds): Feature {
  return {
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [ringAround(world), ringAround(bounds).toReversed()] },
  }
}

function ringAround({ north, east, south, west }: Bounds): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}
