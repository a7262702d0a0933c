import type { Position } from 'geojson'
import type { ToolAction } from '#web/workspace/tool-actions.tsx'
import type { Sketch } from './handler.ts'

export type News = { text: string; isProblem: boolean; hasUndo?: boolean }

export type Task = {
  status: string
  readout: string
  pointer: Position | null
  sketch: Sketch | null
  chosen?: Position | null
  problem: string | null
  canUndo: boolean
  canRedo: boolean
  isOneStep?: boolean
  hasChanges: boolean
  actions: readonly ToolAction[]
  undo(): void
  redo(): void
  escape(): void
  click?(place: Position): void
  moveTo(place: Position): void
  press(place: Position): void
  removeVertex(place: Position): void
  finish?(): void
}
