import { Deck } from '@deck.gl/core'
import { GeoJsonLayer } from '@deck.gl/layers'
import { viewerColors } from '#domain/features/palette.ts'
import { toEngineZoom } from '#web/map/zoom.ts'
import { center, complete, container, dataUrl, zoom } from './question.ts'

// deck.gl's layer for GeoJSON, as its documentation shows it.

const channels = (color: string, opacity: number): [number, number, number, number] => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return [red, green, blue, opacity]
}
const colors = {
  Point: channels(viewerColors.point, 255),
  LineString: channels(viewerColors.line, 255),
  Polygon: channels(viewerColors.polygon, 255),
}
type Shape = keyof typeof colors
const areaColor = channels(viewerColors.polygon, 30)

let isLoaded = false
const layer = new GeoJsonLayer({
  id: 'features',
  data: dataUrl,
  pointType: 'circle',
  getPointRadius: 3,
  pointRadiusUnits: 'pixels',
  getFillColor: ({ geometry }) => (geometry.type === 'Point' ? colors.Point : areaColor),
  getLineColor: ({ geometry }) => colors[geometry.type as Shape],
  getLineWidth: 1.5,
  lineWidthUnits: 'pixels',
  onDataLoad: () => {
    isLoaded = true
  },
})
new Deck({
  parent: container as HTMLDivElement,
  initialViewState: { longitude: center.lng, latitude: center.lat, zoom: toEngineZoom(zoom) },
  controller: true,
  layers: [layer],
  onAfterRender: () => {
    if (isLoaded && layer.isLoaded) complete()
  },
})
