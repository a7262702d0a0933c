import { Deck } from '@deck.gl/core'
import { BitmapLayer, GeoJsonLayer } from '@deck.gl/layers'
import { viewerColors } from '#domain/features/palette.ts'
import { latOfMercatorY, lngOfMercatorX, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { toEngineZoom } from '#web/map/zoom.ts'
import { baseMapUrl, center, complete, container, dataUrl, zoom } from './parameters.ts'

// deck.gl's layer for GeoJSON, as documented.

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

function baseLayers(template: string): BitmapLayer[] {
  const tiles = 2 ** zoom
  const reach = { x: container.clientWidth / 512, y: container.clientHeight / 512 }
  const [x, y] = [mercatorX(center.lng) * tiles, mercatorY(center.lat) * tiles]
  const layers: BitmapLayer[] = []
  for (let row = Math.floor(y - reach.y); row <= y + reach.y; row++)
    for (let column = Math.floor(x - reach.x); column <= x + reach.x; column++)
      layers.push(
        new BitmapLayer({
          id: `base-${column}-${row}`,
          image: template
            .replace('{z}', String(zoom))
            .replace('{x}', String(column))
            .replace('{y}', String(row)),
          bounds: [
            lngOfMercatorX(column / tiles),
            latOfMercatorY((row + 1) / tiles),
            lngOfMercatorX((column + 1) / tiles),
            latOfMercatorY(row / tiles),
          ],
        }),
      )
  return layers
}
const base = baseMapUrl === undefined ? [] : baseLayers(baseMapUrl)

new Deck({
  parent: container as HTMLDivElement,
  initialViewState: { longitude: center.lng, latitude: center.lat, zoom: toEngineZoom(zoom) },
  controller: true,
  layers: [...base, layer],
  onAfterRender: () => {
    if (isLoaded && [...base, layer].every(({ isLoaded }) => isLoaded)) complete()
  },
})
