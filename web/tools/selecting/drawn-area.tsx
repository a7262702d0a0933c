import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { inertia } from '#web/map/map-interaction.ts'
import { useProjection } from '#web/map/use-projection.ts'
import { boxBetween, type LngLat } from './area-ring.ts'
import classes from './selecting-part.module.css'

export type AreaKind = 'box' | 'lasso'

/** Shorter movements are clicks. */
const leastPixels = 5
const stepPixels = 3

/** With a mouse, a pen or one finger, while `kind` is set. Two fingers and the wheel still zoom. */
export function useDrawnArea(
  kind: AreaKind | null,
  onDrawn: (corners: readonly LngLat[], event: PointerEvent) => void,
) {
  const map = useMap().current?.getMap()
  const [corners, setCorners] = useState<readonly LngLat[] | null>(null)
  const letGo = useRef<() => boolean>(() => false)
  const finish = useEffectEvent(onDrawn)
  useEffect(() => {
    if (!map || !kind) return
    const container = map.getCanvasContainer()
    const down = new Set<number>()
    let drawn: { id: number; corners: LngLat[]; x: number; y: number; isLarge: boolean } | null = null

    function placeOf({ clientX, clientY }: PointerEvent): LngLat {
      const { left, top } = container.getBoundingClientRect()
      const { lng, lat } = (map as NonNullable<typeof map>).unproject([clientX - left, clientY - top])
      return { lng, lat }
    }
    function giveUp() {
      drawn = null
      setCorners(null)
    }
    letGo.current = () => {
      const wasDrawn = drawn !== null
      giveUp()
      return wasDrawn
    }
    function onDown(event: PointerEvent) {
      down.add(event.pointerId)
      // A second finger starts another gesture.
      if (down.size > 1) giveUp()
      else if (event.button === 0) {
        container.setPointerCapture(event.pointerId)
        const { clientX: x, clientY: y } = event
        drawn = { id: event.pointerId, corners: [placeOf(event)], x, y, isLarge: false }
      }
    }
    function onMove(event: PointerEvent) {
      if (drawn?.id !== event.pointerId) return
      const { clientX, clientY } = event
      const moved = Math.hypot(clientX - drawn.x, clientY - drawn.y)
      if (moved < (drawn.isLarge ? stepPixels : leastPixels)) return
      const place = placeOf(event)
      drawn.isLarge = true
      if (kind === 'box') drawn.corners = boxBetween(drawn.corners[0] as LngLat, place)
      else {
        drawn.corners = [...drawn.corners, place]
        Object.assign(drawn, { x: clientX, y: clientY })
      }
      setCorners(drawn.corners)
    }
    function onUp(event: PointerEvent) {
      down.delete(event.pointerId)
      if (drawn?.id !== event.pointerId) return
      const { corners, isLarge } = drawn
      giveUp()
      if (isLarge && corners.length > 2) finish(corners, event)
    }
    function onCancel(event: PointerEvent) {
      down.delete(event.pointerId)
      if (drawn?.id === event.pointerId) giveUp()
    }

    // Otherwise the browser starts scrolling with momentum, and the next tap only stops it.
    function keepTouch(event: TouchEvent) {
      if (drawn) event.preventDefault()
    }

    map.dragPan.disable()
    map.boxZoom.disable()
    Object.assign(map.getCanvas().style, { cursor: 'crosshair', touchAction: 'none' })
    container.addEventListener('pointerdown', onDown)
    container.addEventListener('pointermove', onMove)
    container.addEventListener('pointerup', onUp)
    container.addEventListener('pointercancel', onCancel)
    container.addEventListener('touchmove', keepTouch, { passive: false })
    return () => {
      // Without options the map would lose its inertia.
      map.dragPan.enable(inertia)
      map.boxZoom.enable()
      Object.assign(map.getCanvas().style, { cursor: '', touchAction: '' })
      container.removeEventListener('pointerdown', onDown)
      container.removeEventListener('pointermove', onMove)
      container.removeEventListener('pointerup', onUp)
      container.removeEventListener('pointercancel', onCancel)
      container.removeEventListener('touchmove', keepTouch)
      giveUp()
    }
  }, [map, kind])
  return {
    corners,
    giveUp: () => letGo.current(),
  }
}

export function AreaSketch({ corners }: { corners: readonly LngLat[] | null }) {
  const project = useProjection()
  if (!project || !corners) return null
  const points = corners.map(({ lng, lat }) => project([lng, lat]))
  return (
    <svg className={classes.sketch} aria-hidden="true" data-area={corners.length}>
      <polygon points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
    </svg>
  )
}
