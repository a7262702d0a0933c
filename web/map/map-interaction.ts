import type { Map as EngineMap, LngLat, MapMouseEvent, Point } from 'maplibre-gl'
import {
  inertiaDeceleration,
  keyboardPanPixels,
  longPressMs,
  longPressTolerancePixels,
  wheelDebounceMs,
  wheelPixelsPerZoomLevel,
} from '#domain/map-configuration/map-constants.ts'
import { cameraTarget } from './camera-target.ts'

// Section 9 of the specification, 'Map interaction'. The engine lacks options for most of it: these replace its
// wheel and keyboard handlers. Each function returns its cleanup.

type Dispose = () => void

/** Leaflet's curve, on which the specification's number is based. */
export const inertia = {
  deceleration: inertiaDeceleration,
  linearity: 0.2,
  maxSpeed: Number.POSITIVE_INFINITY,
  easing: (progress: number) => progress * (2 - progress),
}

/** For deltas in pixels, lines and pages. */
const pixelsOfDeltaMode = [1, 20, 400]

/** Trackpad pinches are small wheel steps with the Control key. */
const pinchFactor = 6

/** Collects wheel events for 40 ms, then zooms by one level for each 60 px, around the pointer. */
export function zoomByWheel(map: EngineMap): Dispose {
  const canvas = map.getCanvasContainer()
  let gathered = 0
  let timer: number | undefined
  let pointer = { x: 0, y: 0 }

  function zoom() {
    timer = undefined
    const levels = -gathered / wheelPixelsPerZoomLevel
    gathered = 0
    cameraTarget(map).zoomBy(levels, pointer, {
      durationMs: 150,
      easing: (progress) => progress * (2 - progress),
    })
  }

  function onWheel(event: WheelEvent) {
    event.preventDefault()
    gathered += event.deltaY * (pixelsOfDeltaMode[event.deltaMode] ?? 1) * (event.ctrlKey ? pinchFactor : 1)
    const { left, top, width, height } = map.getCanvas().getBoundingClientRect()
    pointer = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 }
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

export function moveByKeyboard(map: EngineMap): Dispose {
  // The canvas itself is replaced when its context is lost.
  const container = map.getCanvasContainer()

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== map.getCanvas()) return
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const [x, y] = arrows[event.key] ?? []
    if (x !== undefined && y !== undefined)
      cameraTarget(map).panBy({ x: x * keyboardPanPixels, y: y * keyboardPanPixels }, { durationMs: 120 })
    else if (event.key === '+' || event.key === '=') cameraTarget(map).stepZoom(1)
    else if (event.key === '-' || event.key === '_') cameraTarget(map).stepZoom(-1)
    else return
    event.preventDefault()
  }

  container.addEventListener('keydown', onKeyDown)
  return () => container.removeEventListener('keydown', onKeyDown)
}

/** The engine listens on the map alone, and would continue a drag that ends over a control beside it. */
export function endDragAnywhere(map: EngineMap): Dispose {
  const canvas = map.getCanvasContainer()
  function onMouseUp({ target, button, buttons, clientX, clientY }: MouseEvent) {
    if (canvas.contains(target as Node)) return
    canvas.dispatchEvent(new MouseEvent('mouseup', { button, buttons, clientX, clientY }))
  }
  document.addEventListener('mouseup', onMouseUp)
  return () => document.removeEventListener('mouseup', onMouseUp)
}

/** Zooms by one level around the pointer; out with Shift. */
export function zoomByDoubleClick(map: EngineMap): Dispose {
  const onDoubleClick = (event: MapMouseEvent) => {
    if (!map.doubleClickZoom.isEnabled()) return
    event.preventDefault()
    const { clientWidth, clientHeight } = map.getContainer()
    const around = { x: event.point.x - clientWidth / 2, y: event.point.y - clientHeight / 2 }
    cameraTarget(map).zoomBy(event.originalEvent.shiftKey ? -1 : 1, around, { durationMs: 300 })
  }
  map.on('dblclick', onDoubleClick)
  return () => {
    map.off('dblclick', onDoubleClick)
  }
}

/** 600 ms, or a right click. If `onLongPress` returns true, the release is not a click. */
export function handleLongPress(
  map: EngineMap,
  onLongPress: (lngLat: LngLat, point: Point) => boolean,
): Dispose {
  const canvas = map.getCanvasContainer()
  let timer: number | undefined
  let start: { id: number; x: number; y: number } | undefined
  let pointers = 0
  let latestPress = { pointerType: 'mouse', button: 0 }
  let isAnswered = false

  const cancel = () => {
    window.clearTimeout(timer)
    start = undefined
  }
  function pressAt(clientX: number, clientY: number): boolean {
    const box = canvas.getBoundingClientRect()
    const lngLat = map.unproject([clientX - box.left, clientY - box.top])
    return onLongPress(lngLat, map.project(lngLat))
  }
  function onPointerDown(event: PointerEvent) {
    pointers += 1
    latestPress = event
    cancel()
    if (pointers > 1 || event.button !== 0) return
    const pressed = { id: event.pointerId, x: event.clientX, y: event.clientY }
    start = pressed
    timer = window.setTimeout(() => {
      cancel()
      isAnswered = pressAt(pressed.x, pressed.y)
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
  function onAnyPress() {
    isAnswered = false
  }
  function onClick(event: MouseEvent) {
    if (!isAnswered) return
    isAnswered = false
    // Clicks by keyboard have no pointer.
    if (event.detail === 0) return
    event.preventDefault()
    event.stopPropagation()
  }
  function onContextMenu(event: MouseEvent) {
    event.preventDefault()
    // Touch devices fire this on their own long press, earlier than ours.
    if (latestPress.pointerType === 'mouse' || latestPress.button === 2) pressAt(event.clientX, event.clientY)
  }

  const anywhere = { capture: true }
  canvas.addEventListener('pointerdown', onPointerDown)
  canvas.addEventListener('contextmenu', onContextMenu)
  window.addEventListener('pointermove', onPointerMove)
  window.addEventListener('pointerup', onPointerEnd)
  window.addEventListener('pointercancel', onPointerEnd)
  // An opened element may be under the pointer at its release.
  window.addEventListener('pointerdown', onAnyPress, anywhere)
  window.addEventListener('click', onClick, anywhere)
  return () => {
    cancel()
    canvas.removeEventListener('pointerdown', onPointerDown)
    canvas.removeEventListener('contextmenu', onContextMenu)
    window.removeEventListener('pointermove', onPointerMove)
    window.removeEventListener('pointerup', onPointerEnd)
    window.removeEventListener('pointercancel', onPointerEnd)
    window.removeEventListener('pointerdown', onAnyPress, anywhere)
    window.removeEventListener('click', onClick, anywhere)
  }
}
