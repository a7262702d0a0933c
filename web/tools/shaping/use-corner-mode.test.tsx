import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { ShapeDraft } from '#web/workspace/shaping.ts'
import type { Editing } from './editing.ts'
import { useCornerMode } from './use-corner-mode.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it.each([
  ['a mouse', false, 'Hold Alt to move only this shape, or Ctrl to turn off snapping.'],
  ['a finger', true, null],
])('mentions the keys of a drag to users with %s', (_pointer, hasFinger, hint) => {
  vi.spyOn(window, 'matchMedia').mockReturnValue(
    Object.assign(new EventTarget(), { matches: hasFinger }) as MediaQueryList,
  )
  const editing: Editing = {
    mapId: 'oak-hills',
    draft: { id: 'a' } as ShapeDraft,
    graph: new ShapeGraph([]),
    active: undefined,
    view: null,
    changes: new Map(),
    attempt: (work) => work(),
    add() {},
    activate() {},
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useCornerMode(editing, true), { wrapper })
  expect(result.current.hint).toBe(hint)
})
