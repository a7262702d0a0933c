import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { noDragProblems } from '#web/tools/shaping/drag-checks.ts'
import type { Editing } from '#web/tools/shaping/editing.ts'
import type { ShapeDraft } from '#web/workspace/shaping.ts'

/** A mode's view of the shape editor, with one shape at most. */
export const editingOf = (
  active?: Shape,
  { done = 0, ...more }: Partial<Editing> & { done?: number } = {},
): Editing => ({
  mapId: 'oak-hills',
  draft: { id: active?.id ?? 'a', done } as ShapeDraft,
  graph: new ShapeGraph(active ? [active] : []),
  active,
  view: null,
  changes: new Map(),
  attempt: (work) => work(),
  add() {},
  check: () => noDragProblems,
  activate() {},
  selected: null,
  select() {},
  ...more,
})

export const InQueryClient = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
)
