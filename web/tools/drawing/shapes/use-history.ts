import { useState } from 'react'

export type Step = { undo(): void; redo(): void }

export type History = {
  canUndo: boolean
  canRedo: boolean
  undo(): void
  redo(): void
  add(step: Step): void
}

export const noHistory: History = { canUndo: false, canRedo: false, undo() {}, redo() {}, add() {} }

export function useHistory(): History {
  const [steps, setSteps] = useState<{ done: readonly Step[]; undone: readonly Step[] }>({
    done: [],
    undone: [],
  })
  return {
    canUndo: steps.done.length > 0,
    canRedo: steps.undone.length > 0,
    undo() {
      const last = steps.done.at(-1)
      if (!last) return
      last.undo()
      setSteps({ done: steps.done.slice(0, -1), undone: [...steps.undone, last] })
    },
    redo() {
      const last = steps.undone.at(-1)
      if (!last) return
      last.redo()
      setSteps({ done: [...steps.done, last], undone: steps.undone.slice(0, -1) })
    },
    // Two may come before the first is rendered.
    add: (step) => setSteps(({ done }) => ({ done: [...done, step], undone: [] })),
  }
}
