import type { ReactNode } from 'react'
import type { CornerKey } from '#domain/geometry/borders/corners.ts'
import type { Shape, ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { ShapeDraft, StoredStep } from '#web/workspace/shaping.ts'
import type { ToolAction } from '#web/workspace/tool-actions.tsx'

/** Records that a step adds, and where its shapes came from. */
export type StepNews = { added?: ShapeDraft['added']; origins: StoredStep['origins'] }

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
  selected: CornerKey | null
  select(corner: CornerKey | null): void
}

export type ModeView = {
  text: ReactNode
  readout?: ReactNode
  actions: readonly ToolAction[]
  layers: ReactNode
  /** Drawn as part of `layers` instead. */
  movingIds?: ReadonlySet<string>
  onClick(position: Position): void
  /** Returns whether it handled the key. */
  onKey(event: KeyboardEvent): boolean
}
