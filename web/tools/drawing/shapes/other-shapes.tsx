import { Layer, Source } from '@vis.gl/react-maplibre'
import { drawingColors } from '#domain/features/palette.ts'
import type { DrawnShape } from './drawn-shape.ts'

const color = drawingColors.normal

/** How somebody else wants shapes to be: dashed, and not to be clicked. */
export function OtherShapes({ shapes }: { shapes: readonly DrawnShape[] }) {
  return (
    <Source
      id="other-shapes"
      type="geojson"
      data={{
        type: 'FeatureCollection',
        features: shapes.map(({ geometry }) => ({ type: 'Feature', geometry, properties: {} })),
      }}
    >
      <Layer
        id="other-shape-line"
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': color, 'line-width': 2, 'line-dasharray': [3, 2] }}
      />
      <Layer
        id="other-shape-point"
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
