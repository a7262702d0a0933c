import type { Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import type { DrawnGeometry } from './drawn-shape.ts'

/** The drawing engine while it draws shapes of one kind, or edits shapes. */
export type Handler = {
  /** Lets go of what is in progress; false if nothing is. */
  giveUp(): boolean
  undo(): void
  redo(): void
  /** By keyboard: as if a pointer stood, pressed and took back there. */
  moveTo(place: Position): void
  press(place: Position): void
  removeVertex(place: Position): void
  end(): void
}

/** The shape that is being drawn. */
export type Sketch = {
  kind: DrawingTool
  /** Points that stand. */
  placed: readonly Position[]
  /** How it would look if the pointer were the last point. */
  corners: readonly Position[]
}

export type Progress = {
  sketch: Sketch | null
  /** Where the pointer is. */
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

/** What editing has made of the shapes, not yet saved. */
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
