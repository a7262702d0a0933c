import type { Position } from 'geojson'
import type { Sketch } from './handler.ts'

/** What a button of the bar does. */
export type Action = { label: string; isDisabled?: boolean; isPrimary?: boolean; run(): void }

/** What came of something, until it is closed or another tool is chosen. */
export type News = { text: string; isProblem: boolean; hasUndo?: boolean }

/** What the person is doing with shapes: drawing one, changing some, deleting some. */
export type Task = {
  /** What to do next. */
  status: string
  readout: string
  pointer: Position | null
  sketch: Sketch | null
  /** The point that would be removed. */
  chosen?: Position | null
  problem: string | null
  canUndo: boolean
  canRedo: boolean
  /** One press does it: there are no steps to take back. */
  isOneStep?: boolean
  /** Something would be lost if another task began, or the page were left. */
  hasChanges: boolean
  actions: readonly Action[]
  undo(): void
  redo(): void
  escape(): void
  /** A click on the map, where the drawing engine does not hear it itself. */
  click?(place: Position): void
  /** By keyboard, at a place of the map. */
  moveTo(place: Position): void
  press(place: Position): void
  removeVertex(place: Position): void
  /** Does nothing while the shape has too few points. */
  finish?(): void
}
