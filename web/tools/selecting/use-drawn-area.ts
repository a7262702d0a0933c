import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { inertia } from '#web/map/map-interaction.ts'
import { boxBetween, type LngLat } from './area-ring.ts'

export type AreaKind = 'box' | 'lasso'

/** What moves less is no drag. */
const leastPixels = 5
/** Corners of a lasso lie so far from each other. */
const stepPixels = 3

/**
 * A box or a lasso that the mouse, a pen or one finger draws on the map while there is a kind of it: then it does not
 * move the map. Two fingers and the wheel zoom it as ever.
 */
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
      // With a second finger it is another gesture.
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

    // Otherwise the browser takes it for a swing, and the tap that follows for what stops it.
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
    /** Of what is being drawn. */
    corners,
    /** Nothing comes of it; false where nothing is being drawn. */
    giveUp: () => letGo.current(),
  }
}
