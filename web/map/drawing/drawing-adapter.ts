import type { Map as EngineMap } from 'maplibre-gl'
import type { DrawCallbacks, DrawPointer } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { clickTolerancePixels } from '#domain/map-configuration/map-constants.ts'
import { inertia } from '../map-interaction.ts'

/** Between the drawing engine and the map, so that the map's own ways stay as they are. */
export class DrawingAdapter extends TerraDrawMapLibreGLAdapter<EngineMap> {
  readonly #map: EngineMap
  readonly #onPointer: (lngLat: [number, number]) => void

  constructor(map: EngineMap, onPointer: (lngLat: [number, number]) => void) {
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
  }

  /** Without options the map would lose its inertia. */
  override setDraggability(isDraggable: boolean) {
    if (isDraggable) this.#map.dragPan.enable(inertia)
    else this.#map.dragPan.disable()
  }

  override register(callbacks: DrawCallbacks) {
    const told = (event: DrawPointer) => this.#onPointer([event.lng, event.lat])
    super.register({
      ...callbacks,
      onMouseMove: (event) => {
        told(event)
        callbacks.onMouseMove(event)
      },
      onClick: (event) => {
        told(event)
        callbacks.onClick(event)
      },
      // A drag starts where the pointer went down, not where it was recognised as one.
      onDragStart: (event, setDraggability) => {
        callbacks.onDragStart(this._lastDrawEvent ?? event, setDraggability)
        callbacks.onDrag(event, setDraggability)
      },
      onDrag: (event, setDraggability) => {
        told(event)
        callbacks.onDrag(event, setDraggability)
      },
    })
  }
}
