import type { Position } from 'geojson'
import type { Sketch } from './handler.ts'

/** A button of the bar. */
export type Action = { label: string; isDisabled?: boolean; isPrimary?: boolean; run(): void }

/** A result, shown until it is closed or another tool is chosen. */
export type News = { text: string; isProblem: boolean; hasUndo?: boolean }

/** The current task: drawing, editing or deleting shapes. */
export type Task = {
  /** The next step. */
  status: string
  readout: string
  pointer: Position | null
  sketch: Sketch | null
  /** The point that would be removed. */
  chosen?: Position | null
  problem: string | null
  canUndo: boolean
  canRedo: boolean
  /** Finished by one press, without steps to undo. */
  isOneStep?: boolean
  /** Leaving would lose something. */
  hasChanges: boolean
  actions: readonly Action[]
  undo(): void
  redo(): void
  escape(): void
  /** A click on the map that the drawing engine does not receive. */
  click?(place: Position): void
  /** For the keyboard. */
  moveTo(place: Position): void
  press(place: Position): void
  removeVertex(place: Position): void
  /** Does nothing while the shape has too few points. */
  finish?(): void
}
