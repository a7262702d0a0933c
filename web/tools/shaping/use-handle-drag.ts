import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { inertia } from '#web/map/map-interaction.ts'
import type { Handle } from './shape-handles.ts'

/** Pixels. */
const [mouseReach, fingerReach] = [10, 22]
const clickPixels = 4

export type DragEvent = {
  position: Position
  /** Moves the corner in one shape only. */
  isDetached: boolean
  /** Does not snap. */
  isFree: boolean
}

type HandleDrag = {
  isOn: boolean
  handles: readonly Handle[]
  /** Decides what moves; the pointer cannot switch to another corner later. */
  onStart(handle: Handle): void
  onDrag(event: DragEvent): void
  /** Null if the drag was canceled. */
  onEnd(event: DragEvent | null): void
  onPress(handle: Handle): void
  onRemove(handle: Handle): void
}

/** With a mouse, a pen or one finger. Returns a function that tells whether the last press was on a handle. */
export function useHandleDrag(drag: HandleDrag): () => boolean {
  const isOnHandle = useRef(false)
  const map = useMap().current?.getMap()
  const { isOn } = drag
  const latest = useEffectEvent(() => drag)
  useEffect(() => {
    if (!map || !isOn) return
    const container = map.getCanvasContainer()
    let held: {
      pointerId: number
      handle: Handle
      grip: [number, number]
      start: [number, number]
      hasMoved: boolean
    } | null = null
    let frame = 0

    const pointOf = ({ clientX, clientY }: PointerEvent | MouseEvent): [number, number] => {
      const { left, top } = container.getBoundingClientRect()
      return [clientX - left, clientY - top]
    }
    function handleAt([x, y]: [number, number], reach: number): Handle | null {
      let best: Handle | null = null
      let closest = reach
      for (const handle of latest().handles) {
        const [lng, lat] = handle.position
        const point = map?.project([lng, lat])
        if (!point) continue
        // A midpoint gives way to the corner beside it.
        const distance = Math.hypot(point.x - x, point.y - y) + (handle.role === 'midpoint' ? 2 : 0)
        if (distance < closest) [best, closest] = [handle, distance]
      }
      return best
    }
    function eventOf(event: PointerEvent): DragEvent | null {
      if (!held || !map) return null
      const [x, y] = pointOf(event)
      const { lng, lat } = map.unproject([x + held.grip[0], y + held.grip[1]])
      const isDetached = event.altKey
      return { position: [lng, lat], isDetached, isFree: event.ctrlKey || event.metaKey }
    }
    function release() {
      cancelAnimationFrame(frame)
      frame = 0
      held = null
      map?.dragPan.enable(inertia)
    }
    function onDown(event: PointerEvent) {
      if (held) {
        // A second finger starts another gesture.
        latest().onEnd(null)
        release()
        return
      }
      isOnHandle.current = false
      if (event.button !== 0) return
      const point = pointOf(event)
      const handle = handleAt(point, event.pointerType === 'mouse' ? mouseReach : fingerReach)
      if (!handle || !map) return
      isOnHandle.current = true
      const [lng, lat] = handle.position
      const { x, y } = map.project([lng, lat])
      map.dragPan.disable()
      container.setPointerCapture(event.pointerId)
      held = {
        pointerId: event.pointerId,
        handle,
        grip: [x - point[0], y - point[1]],
        start: point,
        hasMoved: false,
      }
    }
    function onMove(event: PointerEvent) {
      if (!held) {
        if (map && event.pointerType === 'mouse')
          map.getCanvas().style.cursor = handleAt(pointOf(event), mouseReach) ? 'move' : ''
        return
      }
      if (held.pointerId !== event.pointerId) return
      const [x, y] = pointOf(event)
      if (!held.hasMoved) {
        if (Math.hypot(x - held.start[0], y - held.start[1]) < clickPixels) return
        held.hasMoved = true
        latest().onStart(held.handle)
      }
      // One update per frame, of the last position.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        const current = eventOf(event)
        if (current) latest().onDrag(current)
      })
    }
    function onUp(event: PointerEvent) {
      if (held?.pointerId !== event.pointerId) return
      const { hasMoved, handle } = held
      const last = eventOf(event)
      release()
      if (hasMoved) latest().onEnd(last)
      else latest().onPress(handle)
    }
    function onCancel(event: PointerEvent) {
      if (held?.pointerId !== event.pointerId) return
      const { hasMoved } = held
      release()
      if (hasMoved) latest().onEnd(null)
    }
    function onMenu(event: MouseEvent) {
      const handle = handleAt(pointOf(event), mouseReach)
      if (!handle || handle.role === 'midpoint') return
      event.preventDefault()
      event.stopPropagation()
      latest().onRemove(handle)
    }
    function keepTouch(event: TouchEvent) {
      if (held) event.preventDefault()
    }
    container.addEventListener('pointerdown', onDown)
    container.addEventListener('pointermove', onMove)
    container.addEventListener('pointerup', onUp)
    container.addEventListener('pointercancel', onCancel)
    container.addEventListener('contextmenu', onMenu, { capture: true })
    container.addEventListener('touchmove', keepTouch, { passive: false })
    return () => {
      container.removeEventListener('pointerdown', onDown)
      container.removeEventListener('pointermove', onMove)
      container.removeEventListener('pointerup', onUp)
      container.removeEventListener('pointercancel', onCancel)
      container.removeEventListener('contextmenu', onMenu, { capture: true })
      container.removeEventListener('touchmove', keepTouch)
      map.getCanvas().style.cursor = ''
      if (held) release()
    }
  }, [map, isOn])
  return () => isOnHandle.current
}
