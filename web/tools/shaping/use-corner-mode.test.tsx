import { act, cleanup, render, renderHook } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { type CornerKey, cornerKey, pathsOf } from '#domain/geometry/borders/corners.ts'
import { type Shape, type ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { squareAt } from '#test/databases/test-map.ts'
import { editingOf, InQueryClient } from '#test/page/shape-editing.tsx'
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
  const { result } = renderHook(() => useCornerMode(editingOf(), true), { wrapper: InQueryClient })
  expect(result.current.hint).toBe(hint)
})

it('moves a detached corner in the edited shape only', () => {
  const lot: Shape = { id: 'a', name: 'Lot A', geometry: squareAt(0, 0, 40) }
  const neighbor = { id: 'b', name: 'Lot B', geometry: squareAt(40, 0, 40) }
  const add = vi.fn<(words: string, edit: ReadonlyMap<string, unknown>) => void>()
  const graph = new ShapeGraph([lot, neighbor])
  const selected = pathsOf(lot.geometry)
    .flatMap(({ corners }) => corners.map(cornerKey))
    .find((corner) => graph.idsWith(corner).size === 2)
  const editing = editingOf(lot, { graph, selected: selected ?? null, add })
  const { result } = renderHook(() => useCornerMode(editing, true), { wrapper: InQueryClient })
  const nudge = () => result.current.onKey(new KeyboardEvent('keydown', { key: 'ArrowUp' }))
  const idsOfLast = () => [...(add.mock.lastCall?.[1].keys() ?? [])]
  act(() => void nudge())
  expect(idsOfLast()).toEqual(['a', 'b'])
  act(() => result.current.actions.find(({ label }) => label === 'Detach')?.run())
  act(() => void nudge())
  expect(idsOfLast()).toEqual(['a'])
})

it('tells how far the arrow keys moved a corner in all', () => {
  const lot: Shape = { id: 'a', name: 'Lot A', geometry: squareAt(0, 0, 40) }
  const graph = new ShapeGraph([lot])
  const [corner] = pathsOf(lot.geometry).flatMap(({ corners }) => corners.map(cornerKey))
  const { result } = renderHook(
    () => {
      const [selected, select] = useState<CornerKey | null>(corner ?? null)
      const add = (_: string, edit: ShapeEdit) => graph.apply(edit)
      return useCornerMode(editingOf(lot, { graph, selected, select, add }), true)
    },
    { wrapper: InQueryClient },
  )
  for (let press = 0; press < 3; press++)
    act(() => void result.current.onKey(new KeyboardEvent('keydown', { key: 'ArrowUp', shiftKey: true })))
  render(result.current.readout)
  // Three meters.
  expect(document.body.textContent).toContain('Moved 9.8 ft')
})
