import 'leaflet/dist/leaflet.css'
import type { FeatureCollection, Geometry } from 'geojson'
import * as leaflet from 'leaflet'
import { viewerColors } from '#domain/features/palette.ts'
import { baseMapUrl, center, complete, container, dataUrl, zoom } from './parameters.ts'

const map = leaflet.map(container, { preferCanvas: true, attributionControl: false }).setView(center, zoom)
const baseMap = baseMapUrl === undefined ? null : leaflet.tileLayer(baseMapUrl).addTo(map)
const isBaseThere = new Promise<void>((resolve) =>
  baseMap ? baseMap.once('load', () => resolve()) : resolve(),
)
const answer = await fetch(dataUrl)
const features = (await answer.json()) as FeatureCollection
const colors: Partial<Record<Geometry['type'], string>> = {
  Point: viewerColors.point,
  LineString: viewerColors.line,
  Polygon: viewerColors.polygon,
}
leaflet
  .geoJSON(features, {
    pointToLayer: (_feature, place) => leaflet.circleMarker(place, { radius: 3 }),
    style: (feature) => ({ color: feature && colors[feature.geometry.type], weight: 1.5 }),
  })
  .addTo(map)
await isBaseThere
// The renderer draws in the next frame.
requestAnimationFrame(() => requestAnimationFrame(complete))
