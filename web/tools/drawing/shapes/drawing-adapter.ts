import type { Position } from 'geojson'
import type { Map as EngineMap, IControl } from 'maplibre-gl'
import type { DrawCallbacks, DrawPointer, TerraDraw } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { clickTolerancePixels } from '#domain/map-configuration/map-constants.ts'
import { inertia } from '#web/map/map-interaction.ts'

/** `isPress`: the pointer was released there. */
type OnPointer = (place: Position, isPress: boolean) => void

/** Connects the drawing engine with the map, and keeps the map's own gestures. */
export class DrawingAdapter extends TerraDrawMapLibreGLAdapter<EngineMap> {
  readonly #map: EngineMap
  readonly #onPointer: OnPointer
  /** Point of a shape that is drawn elsewhere, such as the tip of a pin at its head. */
  #grabPointAt: (place: Position) => Position | null = () => null
  /** From the pointer to the grabbed point, in pixels. */
  #grabOffset = { x: 0, y: 0 }
  #isCarrying = false

  constructor(map: EngineMap, onPointer: OnPointer, grabPointAt?: (place: Position) => Position | null) {
    super({
      map,
      prefixId: 'drawing',
      coordinatePrecision: 9,
      minPixelDragDistance: clickTolerancePixels,
      minPixelDragDistanceDrawing: clickTolerancePixels,
      minPixelDragDistanceSelecting: clickTolerancePixels,
    })
    this.#map = map
    this.#onPointer = onPointer
    if (grabPointAt) this.#grabPointAt = grabPointAt
  }

  /** Without options the map would lose its inertia. */
  override setDraggability(isDraggable: boolean) {
    if (isDraggable) this.#map.dragPan.enable(inertia)
    else this.#map.dragPan.disable()
  }

  override unregister() {
    this.#map.off('webglcontextrestored', this.#listenAgain)
    super.unregister()
  }

  /** The map may have replaced its canvas. */
  readonly #listenAgain = () => {
    for (const listener of this._listeners) {
      listener.unregister()
      listener.register()
    }
  }

  override register(callbacks: DrawCallbacks) {
    this.#map.on('webglcontextrestored', this.#listenAgain)
    const report = (event: DrawPointer, isPress = false) => this.#onPointer([event.lng, event.lat], isPress)
    super.register({
      ...callbacks,
      onMouseMove: (event) => {
        callbacks.onMouseMove(event)
        report(event)
      },
      onClick: (event) => {
        callbacks.onClick(event)
        report(event, true)
      },
      // A drag starts at the press, not where it was recognized.
      onDragStart: (event, setDraggability) => {
        const start = this._lastDrawEvent ?? event
        this.#grab(start)
        callbacks.onDragStart(this.#shifted(start), setDraggability)
        callbacks.onDrag(this.#shifted(event), setDraggability)
        report(event)
      },
      onDrag: (event, setDraggability) => {
        callbacks.onDrag(this.#shifted(event), setDraggability)
        report(event)
      },
      onDragEnd: (event, setDraggability) => {
        callbacks.onDragEnd(this.#shifted(event), setDraggability)
        this.#grabOffset = { x: 0, y: 0 }
        report(event, true)
      },
    })
  }

  moveTo(place: Position) {
    const event = this.#pointerAt(place)
    if (this.#isCarrying) this._currentModeCallbacks?.onDrag(event, () => {})
    else this._currentModeCallbacks?.onMouseMove(event)
  }

  click(place: Position, button: 'left' | 'right' = 'left') {
    this._currentModeCallbacks?.onClick({ ...this.#pointerAt(place), button })
  }

  /** Picks up a shape to carry it with `moveTo`; returns false if there is none. */
  takeUp(place: Position): boolean {
    this._lastDrawEvent = undefined
    this._currentModeCallbacks?.onDragStart(this.#pointerAt(place), (isDraggable) => {
      if (!isDraggable) this.#isCarrying = true
    })
    return this.#isCarrying
  }

  putDown(place: Position): boolean {
    if (!this.#isCarrying) return false
    this.#isCarrying = false
    this._currentModeCallbacks?.onDragEnd(this.#pointerAt(place), () => {})
    return true
  }

  #grab(start: DrawPointer) {
    const [lng, lat] = this.#grabPointAt([start.lng, start.lat]) ?? []
    if (lng === undefined || lat === undefined) return
    const { x, y } = this.#map.project([lng, lat])
    this.#grabOffset = { x: x - start.containerX, y: y - start.containerY }
  }

  #shifted(event: DrawPointer): DrawPointer {
    const { x, y } = this.#grabOffset
    if (x === 0 && y === 0) return event
    const { lng, lat } = this.#map.unproject([event.containerX + x, event.containerY + y])
    return { ...event, ...this.#pointerAt([lng, lat]) }
  }

  #pointerAt([lng = 0, lat = 0]: Position): DrawPointer {
    const { x, y } = this.#map.project([lng, lat])
    const precise = (degrees: number) => Math.round(degrees * 1e9) / 1e9
    return {
      lng: precise(lng),
      lat: precise(lat),
      containerX: x,
      containerY: y,
      button: 'left',
      heldKeys: [],
      isContextMenu: false,
    }
  }
}

export function runOnMap(map: EngineMap, draw: TerraDraw): () => void {
  const container = map.getCanvasContainer()
  // A drag also ends over a button.
  const capture = ({ target, pointerId }: PointerEvent) => {
    const canvas = map.getCanvas()
    if (target === canvas) canvas.setPointerCapture(pointerId)
  }
  const control: IControl = {
    onAdd() {
      draw.start()
      container.addEventListener('pointerdown', capture)
      return document.createElement('div')
    },
    onRemove() {
      container.removeEventListener('pointerdown', capture)
      draw.stop()
    },
  }
  map.addControl(control)
  return () => {
    if (map.hasControl(control)) map.removeControl(control)
  }
}
