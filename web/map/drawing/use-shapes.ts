import { useEffect, useRef, useState } from 'react'
import type { DrawnShape } from './drawn-shape.ts'
import type { ShapeStorage } from './shape-storage.ts'

export type Shapes = {
  all: readonly DrawnShape[]
  /** Why the last change could not be kept. */
  problem: string | null
  create(shapes: DrawnShape[]): void
  edit(shapes: DrawnShape[]): void
  remove(ids: readonly string[]): void
}

/** The shapes on the map. What happens to one is logged on the console, and handed to the storage. */
export function useShapes(storage: ShapeStorage): Shapes {
  const [all, setAll] = useState<readonly DrawnShape[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  // Beside the state, because two changes may come before it is rendered.
  const present = useRef<readonly DrawnShape[]>([])

  function show(shapes: readonly DrawnShape[]) {
    present.current = shapes
    setAll(shapes)
  }

  useEffect(() => {
    let isCurrent = true
    storage.load().then(
      (loaded) => {
        if (!isCurrent) return
        present.current = [...loaded, ...present.current]
        setAll(present.current)
      },
      (error: Error) => isCurrent && setProblem(error.message),
    )
    return () => {
      isCurrent = false
      present.current = []
      setAll([])
    }
  }, [storage])

  function keep(saving: Promise<void>) {
    saving.then(
      () => setProblem(null),
      (error: Error) => setProblem(error.message),
    )
  }

  return {
    all,
    problem,
    create(shapes) {
      show([...present.current, ...shapes])
      for (const shape of shapes) log('created', shape)
      keep(storage.created(shapes))
    },
    edit(shapes) {
      if (shapes.length === 0) return
      show(present.current.map((known) => shapes.find(({ id }) => id === known.id) ?? known))
      for (const shape of shapes) log('edited', shape)
      keep(storage.edited(shapes))
    },
    remove(ids) {
      const removed = present.current.filter(({ id }) => ids.includes(id))
      if (removed.length === 0) return
      const rest = present.current.filter((shape) => !removed.includes(shape))
      show(rest)
      for (const shape of removed) log('deleted', shape)
      keep(rest.length === 0 ? storage.cleared() : storage.deleted(removed.map(({ id }) => id)))
    },
  }
}

/** Section 1 of the specification: drawn, edited and deleted shapes are logged, one line each. */
function log(what: 'created' | 'edited' | 'deleted', shape: DrawnShape) {
  console.info(`Shape ${what}: ${JSON.stringify(shape)}`)
}
