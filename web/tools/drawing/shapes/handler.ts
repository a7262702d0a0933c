import type { Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import type { DrawnGeometry } from './drawn-shape.ts'

/** The drawing engine while it draws or edits shapes. */
export type Handler = {
  /** Cancels the current shape; returns false if there is none. */
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
  /** Placed points. */
  placed: readonly Position[]
  /** With the pointer as the last point. */
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

/** Unsaved edits of shapes. */
export type Edits = {
  geometries: ReadonlyMap<string, DrawnGeometry>
  selectedId: string | null
  /** The point of the selected shape that was pressed last. */
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
