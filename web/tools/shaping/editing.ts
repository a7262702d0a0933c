import type { ReactNode } from 'react'
import type { CornerKey } from '#domain/geometry/borders/corners.ts'
import type { Shape, ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { ShapeDraft, StoredStep } from '#web/workspace/shaping.ts'
import type { Steps, ToolAction } from '#web/workspace/tool-actions.tsx'
import type { DragProblems } from './drag-checks.ts'

/** Records that a step adds, where its shapes came from, and values of merged records. */
export type StepNews = Pick<StoredStep, 'origins' | 'values'> & { added?: ShapeDraft['added'] }

/** Shared by the modes of the shape editor. */
export type Editing = {
  mapId: string
  draft: ShapeDraft
  graph: ShapeGraph
  /** The shape with handles; undefined until it is loaded. */
  active: Shape | undefined
  view: { west: number; south: number; east: number; north: number } | null
  /** The net effect of all steps. */
  changes: ShapeEdit
  /** Shows refusals. */
  attempt(work: () => void): void
  /** Adds a step. Throws a ShapeRefusal if a shape would be invalid. */
  add(words: string, edit: ShapeEdit, news?: StepNews): void
  activate(id: string): void
  /** New problems that saving with the edit would cause. */
  check(edit: ShapeEdit): DragProblems
  selected: CornerKey | null
  select(corner: CornerKey | null): void
}

export type ModeView = {
  text: ReactNode
  readout?: ReactNode
  hint?: string | null
  /** Warnings while dragging. */
  passing?: ReactNode
  /** Fields of the bar. */
  fields?: ReactNode
  /** Undone before the steps of the draft. */
  steps?: Steps
  actions: readonly ToolAction[]
  layers: ReactNode
  /** Drawn as part of `layers` instead. */
  movingIds?: ReadonlySet<string>
  onClick(position: Position): void
  /** Returns whether it handled the key. */
  onKey(event: KeyboardEvent): boolean
}

/** Undo and redo of the first, and of the second where the first has none. */
export const stepsInTurn = (first: Steps | undefined, second: Steps): Steps => ({
  canUndo: first?.canUndo || second.canUndo,
  canRedo: first?.canRedo || second.canRedo,
  undo: () => (first?.canUndo ? first : second).undo(),
  redo: () => (first?.canRedo ? first : second).redo(),
})
