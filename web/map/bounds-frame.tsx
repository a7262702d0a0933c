import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'

/** A dashed frame around what the map may be moved in. */
export function BoundsFrame({ bounds, isDark }: { bounds: Bounds | null; isDark: boolean }) {
  if (!bounds) return null
  const { north, east, south, west } = bounds
  return (
    <Source
      id="bounds-frame"
      type="geojson"
      data={{
        type: 'Feature',
        properties: {},
        geometry: {
          type: 'LineString',
          coordinates: [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        },
      }}
    >
      <Layer
        id="bounds-frame-casing"
        type="line"
        paint={{ 'line-color': isDark ? '#14181b' : '#ffffff', 'line-width': 5, 'line-opacity': 0.8 }}
      />
      <Layer
        id="bounds-frame"
        type="line"
        paint={{
          'line-color': isDark ? '#6fbf95' : '#2f6b4f',
          'line-width': 2.5,
          'line-dasharray': [3, 2],
        }}
      />
    </Source>
  )
}
