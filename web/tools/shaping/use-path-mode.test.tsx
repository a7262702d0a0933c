import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { editingOf, InQueryClient } from '#test/page/shape-editing.tsx'
import { stepsInTurn } from './editing.ts'
import { usePathMode } from './use-path-mode.tsx'

afterEach(cleanup)

const ring = (...corners: Position[]): Geometry => ({ type: 'Polygon', coordinates: [corners] })
const lot = { id: 'a', name: 'Lot A', geometry: ring([0, 0], [1, 0], [1, 1], [0, 0]) }
const [first, second, third, fourth]: [Position, Position, Position, Position] = [
  [5, 5],
  [6, 5],
  [6, 6],
  [5, 6],
]

/** Draws a part while `done` of three steps of the draft are not undone. */
function drawPart(done: number) {
  const state = { done, added: [] as unknown[] }
  const { result, rerender } = renderHook(
    () => {
      const editing = editingOf(lot, {
        done: state.done,
        add: (_words, edit) => state.added.push(edit.get('a')?.after?.geometry.coordinates[1]),
      })
      const mode = usePathMode(editing, 'part', () => {})
      const steps = stepsInTurn(mode.steps, {
        canUndo: state.done > 0,
        canRedo: state.done < 3,
        undo: () => state.done--,
        redo: () => state.done++,
      })
      return { mode, steps }
    },
    { wrapper: InQueryClient },
  )
  const run = (work: (current: typeof result.current) => unknown) => {
    act(() => void work(result.current))
    rerender()
  }
  return {
    state,
    place: (...positions: Position[]) => {
      for (const position of positions) run(({ mode }) => mode.onClick(position))
    },
    undo: () => run(({ steps }) => steps.undo()),
    redo: () => run(({ steps }) => steps.redo()),
    press: (key: string) => run(({ mode }) => mode.onKey(new KeyboardEvent('keydown', { key }))),
    can: () => [result.current.steps.canUndo, result.current.steps.canRedo],
  }
}

it('undoes points one by one, then the steps of the draft, and redoes them in reverse', () => {
  const { state, place, undo, redo, press, can } = drawPart(2)
  place(first, second, third)
  undo()
  undo()
  expect([state.done, can()]).toEqual([2, [true, true]])
  undo()
  undo()
  undo()
  expect([state.done, can()]).toEqual([0, [false, true]])
  redo()
  redo()
  expect(state.done).toBe(2)
  redo()
  redo()
  redo()
  expect(state.done).toBe(2)
  press('Enter')
  expect(state.added).toEqual([[[first, second, third, first]]])
})

it('discards undone points when another one follows', () => {
  const { state, place, undo, press, can } = drawPart(3)
  place(first, second, third)
  undo()
  press('Backspace')
  place(third, fourth)
  expect(can()).toEqual([true, false])
  press('Enter')
  expect(state.added).toEqual([[[first, third, fourth, first]]])
})
