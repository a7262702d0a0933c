import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Geometry } from 'geojson'
import { drawingColors } from '#domain/features/palette.ts'

type DashedShapesProps = { id: string; shapes: readonly { geometry: Geometry }[]; isLeaving?: boolean }

export function DashedShapes({ id, shapes, isLeaving = false }: DashedShapesProps) {
  if (shapes.length === 0) return null
  const color = isLeaving ? drawingColors.error : drawingColors.normal
  return (
    <Source
      id={id}
      type="geojson"
      data={{
        type: 'FeatureCollection',
        features: shapes.map(({ geometry }) => ({ type: 'Feature', geometry, properties: {} })),
      }}
    >
      <Layer
        id={`${id}-line`}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': color, 'line-width': 3, 'line-dasharray': [3, 2] }}
      />
      <Layer
        id={`${id}-point`}
        type="circle"
        filter={['==', ['geometry-type'], 'Point']}
        paint={{
          'circle-radius': 8,
          'circle-opacity': 0,
          'circle-stroke-color': color,
          'circle-stroke-width': 2,
        }}
      />
    </Source>
  )
}
