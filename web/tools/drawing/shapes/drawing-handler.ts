import type { Position } from 'geojson'
import type { Map as EngineMap } from 'maplibre-gl'
import { type DrawFeature, TerraDraw, TerraDrawModeUndoRedo } from 'terra-draw'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { cutAtDateLine } from './cut-shape.ts'
import { DrawingAdapter, runOnMap } from './drawing-adapter.ts'
import { drawingModes } from './drawing-modes.ts'
import { cornersOf, type DrawnShape, isDrawnByPoints, leastPoints } from './drawn-shape.ts'
import type { Handler, Progress, Sketch } from './handler.ts'
import { readoutOf } from './readout.ts'

type Listener = {
  onProgress(progress: Progress): void
  onDrawn(shapes: DrawnShape[]): void
  onCrossing(): void
}
type DrawingHandler = Handler & { finish(): void }

export function startDrawing(
  map: EngineMap,
  kind: DrawingTool,
  mayCross: boolean,
  listener: Listener,
): DrawingHandler {
  let pointer: Position | null = null
  const adapter = new DrawingAdapter(map, (place) => {
    pointer = place
    tell()
  })
  const draw = new TerraDraw({
    adapter,
    modes: drawingModes({ mayCross, onCrossing: listener.onCrossing }),
    undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
  })
  const current = () => draw.getSnapshot().find((feature) => feature.properties.currentlyDrawing === true)
  const sketch = () => {
    const feature = current()
    return feature ? sketchOf(kind, feature, pointer) : null
  }
  function tell() {
    if (!draw.enabled) return
    const shown = sketch()
    listener.onProgress({
      sketch: shown,
      pointer,
      readout: shown ? readoutOf(kind, shown.corners) : '',
      canUndo: shown !== null,
      canRedo: draw.canRedo(),
    })
  }
  function giveUp() {
    if (!current()) return false
    draw.setMode(kind)
    return true
  }
  function removeVertex() {
    if (isDrawnByPoints(kind)) draw.undo()
    else giveUp()
    tell()
  }

  draw.on('change', tell)
  draw.on('finish', (id) => {
    const finished = draw.getSnapshotFeature(id)
    if (!finished) return
    draw.removeFeatures([id])
    const drawn: DrawnShape = {
      type: 'Feature',
      id: String(id),
      properties: { kind },
      geometry: finished.geometry,
    }
    listener.onDrawn(cutAtDateLine(drawn))
  })
  const end = runOnMap(map, draw)
  draw.setMode(kind)

  return {
    giveUp,
    undo: removeVertex,
    redo() {
      draw.redo()
      tell()
    },
    moveTo(place) {
      if (current()) adapter.moveTo(place)
      else {
        pointer = place
        tell()
      }
    },
    press(place) {
      adapter.moveTo(place)
      adapter.click(place)
    },
    removeVertex,
    finish() {
      const placed = sketch()?.placed ?? []
      const last = placed.at(-1)
      if (!last) return
      if (!isDrawnByPoints(kind)) {
        // The pointer is the second corner.
        if (pointer) adapter.click(pointer)
      } else if (placed.length >= leastPoints[kind]) {
        adapter.moveTo(last)
        adapter.click(last)
      }
    },
    end,
  }
}

function sketchOf(
  kind: DrawingTool,
  { geometry, properties }: DrawFeature,
  pointer: Position | null,
): Sketch {
  const corners = cornersOf(geometry)
  if (!isDrawnByPoints(kind)) return { kind, placed: corners.slice(0, 1), corners }
  // The engine adds points that follow the pointer.
  const count =
    geometry.type === 'LineString' ? corners.length - 1 : Number(properties.committedCoordinateCount ?? 1)
  const placed = corners.slice(0, count)
  return { kind, placed, corners: pointer ? [...placed, pointer] : placed }
}
