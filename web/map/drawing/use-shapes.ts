import { useState, useSyncExternalStore } from 'react'
import type { DrawnShape } from './drawn-shape.ts'
import type { ShapeStorage } from './shape-storage.ts'

export type Shapes = {
  all: readonly DrawnShape[]
  /** Why the last change could not be kept. */
  problem: string | null
  create(shapes: readonly DrawnShape[]): void
  edit(shapes: readonly DrawnShape[]): void
  remove(ids: readonly string[]): void
  /** Removes all that are the person's own, and returns them. */
  clear(): readonly DrawnShape[]
}

/**
 * The shapes on the map. What happens to one is logged on the console, and handed to the storage. While they are
 * held, nobody else's changes are seen: what is saved then was made of what stood there when it began.
 */
export function useShapes(storage: ShapeStorage, isHeld: boolean): Shapes {
  const present = useSyncExternalStore(storage.listen, storage.read)
  const problem = useSyncExternalStore(storage.listen, storage.problem)
  const [held, setHeld] = useState<readonly DrawnShape[] | null>(null)
  if (isHeld && held === null) setHeld(present)
  if (!isHeld && held !== null) setHeld(null)
  const all = (isHeld ? held : null) ?? present
  // Two changes may come before the first is rendered.
  const known = () => (isHeld ? all : storage.read())

  return {
    all,
    problem,
    create(shapes) {
      for (const shape of shapes) log('created', shape)
      storage.create(shapes)
    },
    edit(shapes) {
      const edits = shapes.flatMap((after) => {
        const before = known().find(({ id }) => id === after.id)
        return before ? [{ before, after }] : []
      })
      if (edits.length === 0) return
      for (const { after } of edits) log('edited', after)
      storage.edit(edits)
    },
    remove(ids) {
      const removed = known().filter(({ id }) => ids.includes(id))
      if (removed.length === 0) return
      for (const shape of removed) log('deleted', shape)
      storage.remove(removed)
    },
    clear() {
      const removed = storage.clear()
      for (const shape of removed) log('deleted', shape)
      return removed
    },
  }
}

/** Section 1 of the specification: drawn, edited and deleted shapes are logged, one line each. */
function log(what: 'created' | 'edited' | 'deleted', shape: DrawnShape) {
  console.info(`Shape ${what}: ${JSON.stringify(shape)}`)
}
