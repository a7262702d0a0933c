import { useEffect, useRef, useState } from 'react'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { createStore, type Store } from '#web/ui/external-store.ts'

/** Problems that a drag would cause if it ended now. */
export type DragProblems = { words: readonly string[]; areas: readonly Geometry[] }

export const noDragProblems: DragProblems = { words: [], areas: [] }

const leastPauseMs = 100
/** The pause after a check, relative to its time: large shapes are checked less often. */
const pauseFactor = 10

type DragChecks = {
  found: Store<DragProblems>
  /** Call after each move. */
  plan(): void
  end(): void
}

/** Checks during a drag, in at most a tenth of its time. `check` looks at the place of the last move. */
export function useDragChecks(check: () => DragProblems): DragChecks {
  const [found] = useState(() => createStore(noDragProblems))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pauseMs = useRef(leastPauseMs)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    found,
    plan() {
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        const start = performance.now()
        found.set(check())
        pauseMs.current = Math.max(leastPauseMs, pauseFactor * (performance.now() - start))
      }, pauseMs.current)
    },
    end() {
      clearTimeout(timer.current)
      timer.current = undefined
      if (found.get() !== noDragProblems) found.set(noDragProblems)
    },
  }
}
