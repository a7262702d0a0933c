import { useEffect, useRef, useState } from 'react'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { createStore, type Store } from '#web/ui/external-store.ts'

/** Problems that a drag would cause if it ended now. */
export type DragProblems = { words: readonly string[]; areas: readonly Geometry[] }

export const noDragProblems: DragProblems = { words: [], areas: [] }

/** A check takes longer than a frame. */
const restMs = 200

type DragChecks = {
  found: Store<DragProblems>
  /** Call after each move. */
  onMove(): void
  end(): void
}

/** Checks when the pointer rests during a drag. */
export function useDragChecks(check: () => DragProblems): DragChecks {
  const [found] = useState(() => createStore(noDragProblems))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function end() {
    clearTimeout(timer.current)
    if (found.get() !== noDragProblems) found.set(noDragProblems)
  }
  return {
    found,
    end,
    onMove() {
      end()
      timer.current = setTimeout(() => found.set(check()), restMs)
    },
  }
}
