import type { Map as EngineMap, LngLat, Point } from 'maplibre-gl'
import {
  inertiaDeceleration,
  keyboardPanPixels,
  longPressMs,
  longPressTolerancePixels,
  wheelDebounceMs,
  wheelPixelsPerZoomLevel,
} from '#domain/map-configuration/map-constants.ts'

// Section 9 of the specification, 'Map interaction'. The engine has no options for most of it, so its wheel
// and keyboard handlers are off and these stand in. Each returns how to take it back.

type TakeBack = () => void

/** Leaflet's curve, from which the specification's number comes. */
export const inertia = {
  deceleration: inertiaDeceleration,
  linearity: 0.2,
  maxSpeed: Number.POSITIVE_INFINITY,
  easing: (progress: number) => progress * (2 - progress),
}

/** A wheel counts in pixels, lines or pages. */
const pixelsOfDeltaMode = [1, 20, 400]

/** A pinch on a trackpad comes as small wheel steps with the control key. */
const pinchFactor = 6

/** Gathers the wheel for 40 ms, then zooms by one level for each 60 px, around the pointer. */
export function zoomByWheel(map: EngineMap): TakeBack {
  const canvas = map.getCanvasContainer()
  let gathered = 0
  let timer: number | undefined
  let target: number | undefined
  let pointer: { x: number; y: number } = { x: 0, y: 0 }

  function zoom() {
    timer = undefined
    const levels = -gathered / wheelPixelsPerZoomLevel
    gathered = 0
    const from = target !== undefined && map.isZooming() ? target : map.getZoom()
    target = Math.max(map.getMinZoom(), Math.min(map.getMaxZoom(), from + levels))
    const around = map.unproject([pointer.x, pointer.y])
    map.easeTo({ zoom: target, around, duration: 150, easing: (progress) => progress * (2 - progress) })
  }

  function onWheel(event: WheelEvent) {
    event.preventDefault()
    gathered += event.deltaY * (pixelsOfDeltaMode[event.deltaMode] ?? 1) * (event.ctrlKey ? pinchFactor : 1)
    const box = canvas.getBoundingClientRect()
    pointer = { x: event.clientX - box.left, y: event.clientY - box.top }
    timer ??= window.setTimeout(zoom, wheelDebounceMs)
  }

  canvas.addEventListener('wheel', onWheel, { passive: false })
  return () => {
    window.clearTimeout(timer)
    canvas.removeEventListener('wheel', onWheel)
  }
}

const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Arrows pan by 80 px, plus and minus zoom by one level. Quick presses add up. */
export function moveByKeyboard(map: EngineMap): TakeBack {
  const canvas = map.getCanvas()
  let target: LngLat | undefined
  let targetZoom: number | undefined

  function pan([x, y]: [number, number]) {
    const from = map.project(target ?? map.getCenter())
    target = map.unproject([from.x + x * keyboardPanPixels, from.y + y * keyboardPanPixels])
    map.easeTo({ center: target, duration: 120 })
  }

  function zoom(levels: number) {
    const from = targetZoom ?? map.getZoom()
    targetZoom = Math.max(map.getMinZoom(), Math.min(map.getMaxZoom(), Math.round(from) + levels))
    map.easeTo({ zoom: targetZoom, duration: 150 })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const arrow = arrows[event.key]
    if (arrow) pan(arrow)
    else if (event.key === '+' || event.key === '=') zoom(1)
    else if (event.key === '-' || event.key === '_') zoom(-1)
    else return
    event.preventDefault()
  }
  const onMoveEnd = () => {
    target = undefined
    targetZoom = undefined
  }

  canvas.addEventListener('keydown', onKeyDown)
  map.on('moveend', onMoveEnd)
  return () => {
    canvas.removeEventListener('keydown', onKeyDown)
    map.off('moveend', onMoveEnd)
  }
}

/** A finger (or mouse button) held still for 600 ms, or a right click. */
export function askByLongPress(map: EngineMap, ask: (lngLat: LngLat, point: Point) => void): TakeBack {
  const canvas = map.getCanvasContainer()
  let timer: number | undefined
  let start: { id: number; x: number; y: number } | undefined
  let pointers = 0
  let lastPointerType = 'mouse'

  const cancel = () => {
    window.clearTimeout(timer)
    start = undefined
  }
  function askAt(clientX: number, clientY: number) {
    const box = canvas.getBoundingClientRect()
    const lngLat = map.unproject([clientX - box.left, clientY - box.top])
    ask(lngLat, map.project(lngLat))
  }
  function onPointerDown(event: PointerEvent) {
    pointers += 1
    lastPointerType = event.pointerType
    cancel()
    if (pointers > 1 || event.button !== 0) return
    const pressed = { id: event.pointerId, x: event.clientX, y: event.clientY }
    start = pressed
    timer = window.setTimeout(() => {
      cancel()
      askAt(pressed.x, pressed.y)
    }, longPressMs)
  }
  function onPointerMove(event: PointerEvent) {
    if (start?.id !== event.pointerId) return
    const moved = Math.hypot(event.clientX - start.x, event.clientY - start.y)
    if (moved > longPressTolerancePixels) cancel()
  }
  function onPointerEnd() {
    pointers = Math.max(0, pointers - 1)
    cancel()
  }
  function onContextMenu(event: MouseEvent) {
    event.preventDefault()
    // A touch device sends this on its own long press, earlier than ours.
    if (lastPointerType === 'mouse') askAt(event.clientX, event.clientY)
  }

  canvas.addEventListener('pointerdown', onPointerDown)
  window.addEventListener('pointermove', onPointerMove)
  window.addEventListener('pointerup', onPointerEnd)
  window.addEventListener('pointercancel', onPointerEnd)
  canvas.addEventListener('contextmenu', onContextMenu)
  return () => {
    cancel()
    canvas.removeEventListener('pointerdown', onPointerDown)
    window.removeEventListener('pointermove', onPointerMove)
    window.removeEventListener('pointerup', onPointerEnd)
    window.removeEventListener('pointercancel', onPointerEnd)
    canvas.removeEventListener('contextmenu', onContextMenu)
  }
}
