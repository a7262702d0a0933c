import { Layer, Source, useMap } from '@vis.gl/react-maplibre'
import type { Position } from 'geojson'
import type { Map as EngineMap, PointLike } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { drawingColors } from '#domain/features/palette.ts'
import { pinSizePixels } from '#domain/map-configuration/map-constants.ts'
import type { DrawnShape } from './drawn-shape.ts'

export const shapeLayers = ['shape-fill', 'shape-line', 'shape-circlemarker', 'shape-marker']

const color = drawingColors.normal

/** Does not load the drawing engine. */
export function ShapeLayers({ shapes }: { shapes: readonly DrawnShape[] }) {
  const hasImage = useMarkerImage()
  if (shapes.length === 0) return null
  return (
    <Source
      id="shapes"
      type="geojson"
      // The map engine ignores text ids.
      data={{
        type: 'FeatureCollection',
        features: shapes.map(({ id, geometry, properties: { kind } }) => ({
          type: 'Feature',
          geometry,
          properties: { id, kind },
        })),
      }}
    >
      <Layer
        id="shape-fill"
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': color, 'fill-opacity': 0.2 }}
      />
      <Layer
        id="shape-casing"
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': '#ffffff', 'line-width': 6, 'line-opacity': 0.8 }}
      />
      <Layer
        id="shape-line"
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': color, 'line-width': 3 }}
      />
      <Layer
        id="shape-circlemarker"
        type="circle"
        filter={['==', ['get', 'kind'], 'circlemarker']}
        paint={{
          'circle-radius': 9,
          'circle-color': color,
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 2,
        }}
      />
      {hasImage && (
        <Layer
          id="shape-marker"
          type="symbol"
          filter={['==', ['get', 'kind'], 'marker']}
          layout={{ 'icon-image': markerImageName, 'icon-anchor': 'bottom', 'icon-allow-overlap': true }}
        />
      )}
    </Source>
  )
}

function useMarkerImage(): boolean {
  const map = useMap().current?.getMap()
  const [hasImage, setHasImage] = useState(false)
  useEffect(() => {
    if (!map) return
    let isCurrent = true
    void markerImage().then((image) => {
      if (!isCurrent) return
      if (!map.hasImage(markerImageName)) map.addImage(markerImageName, image, { pixelRatio: 2 })
      setHasImage(true)
    })
    return () => {
      isCurrent = false
    }
  }, [map])
  return hasImage
}

const markerImageName = 'drawn-marker'

const size = pinSizePixels * 2

/** 30 px without a glyph, unlike pins of incidents and assets. */
const markerAddress = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 30 30">
    <path d="M15 29C11 24 5 18 5 11.5a10 10 0 0 1 20 0C25 18 19 24 15 29Z" fill="${drawingColors.normal}"
      stroke="#ffffff" stroke-width="2"/>
    <circle cx="15" cy="11.5" r="3.5" fill="#ffffff"/>
  </svg>`,
)}`

async function markerImage(): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = markerAddress
  await image.decode()
  return image
}

const slackPixels = 6

/** `isEdge` distinguishes an edge or mark from the inside of a shape. */
type SeenShape = { id: string; isEdge: boolean }

export function findShapeAt(map: EngineMap, [lng = 0, lat = 0]: Position): SeenShape | null {
  const { x, y } = map.project([lng, lat])
  const box: [PointLike, PointLike] = [
    [x - slackPixels, y - slackPixels],
    [x + slackPixels, y + slackPixels],
  ]
  const layers = shapeLayers.filter((id) => map.getLayer(id) !== undefined)
  if (layers.length === 0) return null
  const [first] = map.queryRenderedFeatures(box, { layers })
  return first ? { id: first.properties.id, isEdge: first.layer.id !== 'shape-fill' } : null
}

export function shapeSeenAt(map: EngineMap, place: Position): string | undefined {
  return findShapeAt(map, place)?.id
}
