import { Layer, Source } from '@vis.gl/react-maplibre'
import type { FeatureCollection } from 'geojson'
import type { ExpressionSpecification } from 'maplibre-gl'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'

type ColoredShapesProps = {
  id: string
  data: FeatureCollection
  property: string
  colors: Readonly<Record<string, string>>
  rest: string
  isDashed?: boolean
}

export function ColoredShapes({ id, data, property, colors, rest, isDashed = false }: ColoredShapesProps) {
  const expression = ['match', ['get', property], ...Object.entries(colors).flat(), rest] as unknown
  const color = expression as ExpressionSpecification
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-areas`}
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': color, 'fill-opacity': 0.25 }}
      />
      <Layer
        id={`${id}-lines`}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{
          'line-color': color,
          'line-width': isDashed ? 2.5 : 2,
          ...(isDashed && { 'line-dasharray': [2, 1.5] }),
        }}
      />
      <Layer
        id={`${id}-points`}
        type="circle"
        filter={['==', ['geometry-type'], 'Point']}
        paint={{
          'circle-color': color,
          'circle-radius': 6,
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 1.5,
        }}
      />
    </Source>
  )
}

/** A ring. */
export const MarkedPlace = ({ place, color }: { place: LatLng; color: string }) => (
  <Source id="marked-place" type="geojson" data={{ type: 'Point', coordinates: [place.lng, place.lat] }}>
    {[['#ffffff', 7] as const, [color, 3] as const].map(([stroke, width]) => (
      <Layer
        key={width}
        id={`marked-place-${width}`}
        type="circle"
        paint={{
          'circle-opacity': 0,
          'circle-radius': 14,
          'circle-stroke-color': stroke,
          'circle-stroke-width': width,
        }}
      />
    ))}
  </Source>
)
