import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useRef } from 'react'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'

/** Pixels at the edges of the map, where buttons and the status bar are. */
const controls = { left: 60, right: 70, top: 70, bottom: 110 }

/** Moves the map when the editor opens and the shape is not wholly in view. */
export function useShapeInView(shape: Shape | undefined) {
  const map = useMap().current?.getMap()
  const isDone = useRef(false)
  useEffect(() => {
    if (!map || !shape || isDone.current) return
    isDone.current = true
    const { west, south, east, north } = extentOfGeometry(shape.geometry)
    const { clientWidth: width, clientHeight: height } = map.getCanvas()
    const { left, right, top, bottom } = controls
    // On a small map, the margins would leave no room.
    const padding = width > 3 * (left + right) && height > 2 * (top + bottom) ? controls : 40
    const [topLeft, bottomRight] = [map.project([west, north]), map.project([east, south])]
    const isInView =
      topLeft.x >= left &&
      topLeft.y >= top &&
      bottomRight.x <= width - right &&
      bottomRight.y <= height - bottom
    if (!isInView) map.fitBounds([west, south, east, north], { padding, maxZoom: 19 })
  }, [map, shape])
}
