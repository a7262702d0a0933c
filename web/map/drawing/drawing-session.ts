import type { Position } from 'geojson'
import type { Map as EngineMap } from 'maplibre-gl'
import { TerraDraw } from 'terra-draw'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { DrawingAdapter } from './drawing-adapter.ts'
import { drawingModes } from './drawing-modes.ts'
import type { DrawnGeometry, DrawnShape } from './drawn-shape.ts'
import { runOnMap } from './on-map.ts'

/** The shape that is being drawn. */
export type Progress = {
  geometry: DrawnGeometry | null
  /** Where the pointer is. */
  pointer: Position | null
}

export type DrawingSession = {
  /** Forgets the shape in progress; false if there is none. */
  cancel(): boolean
  end(): void
}

type Listener = { onProgress(progress: Progress): void; onDrawn(shape: DrawnShape): void }

/** Draws shapes of one kind, one after the other. */
export function startDrawing(map: EngineMap, tool: DrawingTool, listener: Listener): DrawingSession {
  let pointer: Position | null = null
  const adapter = new DrawingAdapter(map, (lngLat) => {
    pointer = lngLat
    tell()
  })
  const draw = new TerraDraw({ adapter, modes: drawingModes() })
  const current = () => draw.getSnapshot().find((feature) => feature.properties.currentlyDrawing === true)
  const tell = () => {
    if (draw.enabled) listener.onProgress({ geometry: current()?.geometry ?? null, pointer })
  }

  draw.on('change', tell)
  draw.on('finish', (id) => {
    const finished = draw.getSnapshotFeature(id)
    if (!finished) return
    draw.removeFeatures([id])
    listener.onDrawn({
      type: 'Feature',
      id: String(id),
      properties: { kind: tool },
      geometry: finished.geometry,
    })
  })
  const end = runOnMap(map, draw)
  draw.setMode(tool)

  return {
    cancel() {
      if (!current()) return false
      draw.setMode(tool)
      return true
    },
    end,
  }
}
