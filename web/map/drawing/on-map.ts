import type { Map as EngineMap, IControl } from 'maplibre-gl'
import type { TerraDraw } from 'terra-draw'

/** Runs the engine until the returned is called, or until the map itself goes, which happens first on leaving. */
export function runOnMap(map: EngineMap, draw: TerraDraw): () => void {
  const control: IControl = {
    onAdd() {
      draw.start()
      return document.createElement('div')
    },
    onRemove() {
      draw.stop()
    },
  }
  map.addControl(control)
  return () => {
    if (map.hasControl(control)) map.removeControl(control)
  }
}
