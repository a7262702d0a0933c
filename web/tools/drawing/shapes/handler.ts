import type { Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import type { DrawnGeometry } from './drawn-shape.ts'

export type Handler = {
  giveUp(): boolean
  undo(): void
  redo(): void
  /** For the keyboard: as if a pointer moved and pressed there. */
  moveTo(place: Position): void
  press(place: Position): void
  removeVertex(place: Position): void
  end(): void
}

export type Sketch = {
  kind: DrawingTool
  placed: readonly Position[]
  corners: readonly Position[]
}

export type Progress = {
  sketch: Sketch | null
  pointer: Position | null
  readout: string
  canUndo: boolean
  canRedo: boolean
}

export const noProgress: Progress = {
  sketch: null,
  pointer: null,
  readout: '',
  canUndo: false,
  canRedo: false,
}

export type Edits = {
  geometries: ReadonlyMap<string, DrawnGeometry>
  selectedId: string | null
  chosen: Position | null
  readout: string
  pointer: Position | null
  canUndo: boolean
  canRedo: boolean
}

export const noEdits: Edits = {
  geometries: new Map(),
  selectedId: null,
  chosen: null,
  readout: '',
  pointer: null,
  canUndo: false,
  canRedo: false,
}
