import type { Map as EngineMap, IControl } from 'maplibre-gl'
import type { TerraDraw } from 'terra-draw'

/** Runs the engine until the returned is called, or until the map itself goes, which happens first on leaving. */
export function runOnMap(map: EngineMap, draw: TerraDraw): () => void {
  const canvas = map.getCanvas()
  // A drag that is let go over a button has ended too.
  const capture = (event: PointerEvent) => canvas.setPointerCapture(event.pointerId)
  const control: IControl = {
    onAdd() {
      draw.start()
      canvas.addEventListener('pointerdown', capture)
      return document.createElement('div')
    },
    onRemove() {
      canvas.removeEventListener('pointerdown', capture)
      draw.stop()
    },
  }
  map.addControl(control)
  return () => {
    if (map.hasControl(control)) map.removeControl(control)
  }
}
