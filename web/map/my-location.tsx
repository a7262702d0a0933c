import { Layer, Source } from '@vis.gl/react-maplibre'
import type { DeviceLocation } from '#web/ui/device-location.ts'
import { metersPerPixel } from './zoom.ts'

const closestZoom = 24
const blue = '#1a73e8'

/** A dot, and a circle with the radius of its accuracy. */
export function MyLocation({ location }: { location: DeviceLocation }) {
  const { lat, lng, accuracyMeters } = location
  const radius = accuracyMeters / metersPerPixel(lat, 0)
  return (
    <Source id="my-location" type="geojson" data={{ type: 'Point', coordinates: [lng, lat] }}>
      <Layer
        id="my-location-accuracy"
        type="circle"
        paint={{
          'circle-color': blue,
          'circle-opacity': 0.15,
          'circle-radius': [
            'interpolate',
            ['exponential', 2],
            ['zoom'],
            0,
            radius,
            closestZoom,
            radius * 2 ** closestZoom,
          ],
        }}
      />
      <Layer
        id="my-location-dot"
        type="circle"
        paint={{
          'circle-color': blue,
          'circle-radius': 7,
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 2.5,
        }}
      />
    </Source>
  )
}
