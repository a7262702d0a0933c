import { Layer, Source } from '@vis.gl/react-maplibre'
import type { FeatureCollection } from 'geojson'
import type { SymbolLayerSpecification } from 'maplibre-gl'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'

export type NamedPlace = { id: string; name: string; location: LatLng }

/** Names come from the list, not from tiles, so only places large enough to read are loaded. */
type NamedPlacesProps = {
  id: string
  places: NamedPlace[]
  isDark: boolean
  minzoom?: number
  beforeId?: string
  isTown?: boolean
}

const townLayout = {
  'text-transform': 'uppercase',
  'text-letter-spacing': 0.12,
  'text-size': 13,
  'text-anchor': 'bottom',
  'text-offset': [0, -1],
} satisfies SymbolLayerSpecification['layout']

export function NamedPlaces(props: NamedPlacesProps) {
  const { id, places, isDark, minzoom = 0, beforeId, isTown = false } = props
  const data: FeatureCollection = {
    type: 'FeatureCollection',
    features: places.map(({ name, location }) => ({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Point', coordinates: [location.lng, location.lat] },
    })),
  }
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={id}
        type="symbol"
        {...(beforeId ? { beforeId } : {})}
        minzoom={minzoom}
        layout={{
          'text-field': ['get', 'name'],
          'text-size': 12,
          'text-max-width': isTown ? 20 : 8,
          'text-padding': 4,
          ...(isTown ? townLayout : {}),
        }}
        paint={{
          'text-color': isDark ? '#e8ecee' : '#2b3338',
          'text-halo-color': isDark ? '#14181b' : '#ffffff',
          'text-halo-width': 1.5,
        }}
      />
    </Source>
  )
}
