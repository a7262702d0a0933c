import type { Map as EngineMap, IControl } from 'maplibre-gl'
import type { TerraDraw } from 'terra-draw'

/** Runs the engine until the returned is called, or until the map itself goes, which happens first on leaving. */
export function runOnMap(map: EngineMap, draw: TerraDraw): () => void {
  // The canvas itself is replaced when its context is lost.
  const container = map.getCanvasContainer()
  // A drag that is let go over a button has ended too.
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
