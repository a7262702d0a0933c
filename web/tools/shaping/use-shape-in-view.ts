import { useQueries } from '@tanstack/react-query'
import { useMap } from '@vis.gl/react-maplibre'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { pathsOf } from '#domain/geometry/borders/corners.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry, polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { useHasFinger } from '#web/ui/device.ts'

/** Pixels at the edges of the map, where buttons and the status bar are. */
const [wide, narrow, small] = [
  { left: 60, right: 70, top: 70, bottom: 160 },
  { left: 20, right: 65, top: 40, bottom: 190 },
  { left: 40, right: 40, top: 40, bottom: 40 },
]
const leastRoom = 180
/** The handles of smaller shapes are too close together for a mouse or a finger. */
const minPixels = { mouse: 40, finger: 130 }
/** Zooms of the map engine. A town has too many shapes in view farther out than `closeZoom`. */
const [minZoom, closeZoom, maxZoom] = [13, 16, 19]

/** Zooms farther out than the shape alone needs. */
const roomForNeighbors = 1.5
/** Milliseconds. Shapes are loaded afterwards. */
const duration = 200

/** With the shapes of the records to merge it with; undefined until all have loaded. */
export function useOpenedShape(
  mapId: string,
  shape: { geometry: Geometry } | undefined,
  others: readonly string[],
): { geometry: Geometry } | undefined {
  const geometries = useQueries({
    queries: others.map((id) => featureDetailQuery(mapId, id)),
    combine: (results) =>
      results.some(({ isPending }) => isPending) ? null : results.flatMap(({ data }) => data?.geometry ?? []),
  })
  if (others.length === 0 || !shape) return shape
  if (!geometries) return undefined
  const coordinates = [shape.geometry, ...geometries].flatMap(polygonsOfGeometry)
  return { geometry: { type: 'MultiPolygon', coordinates } }
}

/** Moves the map when the editor opens, so that the shape can be edited; of a long street, a part. */
export function useShapeInView(shape: { geometry: Geometry } | undefined, areTooMany: boolean) {
  const map = useMap().current?.getMap()
  const least = minPixels[useHasFinger() ? 'finger' : 'mouse']
  const done = useRef({ isOpened: false, isCloser: false })
  useEffect(() => {
    const { isOpened, isCloser } = done.current
    if (!map || !shape || (areTooMany ? isCloser : isOpened)) return
    done.current = { isOpened: true, isCloser: areTooMany }
    bringIntoView(map, shape.geometry, { areTooMany, minPixels: least })
  }, [map, shape, areTooMany, least])
}

type View = { areTooMany: boolean; minPixels: number }

export function bringIntoView(map: MapLibre, geometry: Geometry, { areTooMany, minPixels }: View) {
  const { west, south, east, north } = extentOfGeometry(geometry)
  const { clientWidth: width, clientHeight: height } = map.getCanvas()
  const controls = width > 3 * (wide.left + wide.right) ? wide : narrow
  // On a small map, the margins would leave no room.
  const padding = height - controls.top - controls.bottom > leastRoom ? controls : small
  const { left, right, top, bottom } = padding
  const camera = map.cameraForBounds([west, south, east, north], { padding, maxZoom })
  if (!camera) return
  const { zoom: fitting = 0 } = camera
  const least = areTooMany ? closeZoom : minZoom
  if (fitting < least) {
    const corner = cornerClosestTo(map, geometry)
    if (map.getZoom() < least || !map.getBounds().contains(corner))
      map.easeTo({ center: corner, zoom: Math.max(map.getZoom(), closeZoom), duration })
    return
  }
  const [topLeft, bottomRight] = [map.project([west, north]), map.project([east, south])]
  const isInView =
    topLeft.x >= left &&
    topLeft.y >= top &&
    bottomRight.x <= width - right &&
    bottomRight.y <= height - bottom
  const isSmall = Math.max(bottomRight.x - topLeft.x, bottomRight.y - topLeft.y) < minPixels
  if (isInView && !isSmall && !areTooMany) return
  const zoom = Math.max(Math.min(fitting, closeZoom), fitting - roomForNeighbors)
  map.easeTo({ ...camera, zoom, duration })
}

function cornerClosestTo(map: MapLibre, geometry: Geometry): [lng: number, lat: number] {
  const { lng, lat } = map.getCenter()
  const squeeze = Math.cos((lat * Math.PI) / 180)
  const distance = ([x, y]: Position) => Math.hypot((x - lng) * squeeze, y - lat)
  const corners = pathsOf(geometry).flatMap((path) => [...path.corners])
  const [x, y] = corners.reduce((one, other) => (distance(other) < distance(one) ? other : one))
  return [x, y]
}
