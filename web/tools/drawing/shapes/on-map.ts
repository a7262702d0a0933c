import type { Map as EngineMap, IControl } from 'maplibre-gl'
import type { TerraDraw } from 'terra-draw'

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
