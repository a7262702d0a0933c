import { useState, useSyncExternalStore } from 'react'
import type { DrawnShape } from './drawn-shape.ts'
import type { ShapeStorage } from './shape-storage.ts'
import type { History } from './use-history.ts'

export type Shapes = {
  all: readonly DrawnShape[]
  problem: string | null
  create(shapes: readonly DrawnShape[]): void
  /** `piecesOf` cuts a shape across the date line into several. */
  edit(shapes: readonly DrawnShape[], piecesOf: (shape: DrawnShape) => readonly DrawnShape[]): void
  remove(ids: readonly string[]): void
  clear(): readonly DrawnShape[]
}

/**
 * Changes are logged, stored, and can be undone. While `isFrozen`, changes of other users are hidden: the edit is
 * based on the shapes at its start.
 */
export function useShapes(storage: ShapeStorage, isFrozen: boolean, history: History): Shapes {
  const stored = useSyncExternalStore(storage.listen, storage.read)
  const problem = useSyncExternalStore(storage.listen, storage.problem)
  const [frozen, setFrozen] = useState<readonly DrawnShape[] | null>(null)
  if (isFrozen && frozen === null) setFrozen(stored)
  if (!isFrozen && frozen !== null) setFrozen(null)
  const all = (isFrozen ? frozen : null) ?? stored
  // Two changes may come before the first is rendered.
  const currentShapes = () => (isFrozen ? all : storage.read())

  function create(shapes: readonly DrawnShape[]) {
    for (const shape of shapes) log('created', shape)
    storage.create(shapes)
  }
  function remove(ids: readonly string[], shapes = currentShapes()) {
    const removed = shapes.filter(({ id }) => ids.includes(id))
    if (removed.length === 0) return []
    for (const shape of removed) log('deleted', shape)
    storage.remove(removed)
    return removed
  }
  function edit(shapes: readonly DrawnShape[], from = currentShapes()) {
    const edits = shapes.flatMap((after) => {
      const before = from.find(({ id }) => id === after.id)
      return before ? [{ before, after }] : []
    })
    if (edits.length === 0) return []
    for (const { after } of edits) log('edited', after)
    storage.edit(edits)
    return edits
  }
  /** Restores only the geometry: another user may have renamed the shape since. */
  function reshape(shapes: readonly DrawnShape[]) {
    const stored = storage.read()
    const reshaped = shapes.flatMap(({ id, geometry }) => {
      const shape = stored.find((one) => one.id === id)
      return shape ? [{ ...shape, geometry }] : []
    })
    edit(reshaped, stored)
  }
  const idsOf = (shapes: readonly DrawnShape[]) => shapes.map(({ id }) => id)
  const removeLater = (shapes: readonly DrawnShape[]) => remove(idsOf(shapes), storage.read())

  function noteRemoved(removed: readonly DrawnShape[]) {
    if (removed.length > 0)
      history.add({ undo: () => create(removed), redo: () => void removeLater(removed) })
  }

  return {
    all,
    problem,
    create(shapes) {
      create(shapes)
      history.add({ undo: () => void removeLater(shapes), redo: () => create(shapes) })
    },
    edit(shapes, piecesOf) {
      const [changed, more] = [[] as DrawnShape[], [] as DrawnShape[]]
      for (const shape of shapes) {
        const [first, ...others] = piecesOf(shape)
        if (first) changed.push(first)
        more.push(...others)
      }
      const edits = edit(changed)
      if (edits.length === 0) return
      if (more.length > 0) create(more)
      history.add({
        undo() {
          removeLater(more)
          reshape(edits.map(({ before }) => before))
        },
        redo() {
          reshape(edits.map(({ after }) => after))
          if (more.length > 0) create(more)
        },
      })
    },
    remove: (ids) => noteRemoved(remove(ids)),
    clear() {
      const removed = storage.clear()
      for (const shape of removed) log('deleted', shape)
      noteRemoved(removed)
      return removed
    },
  }
}

/** Section 1 of the specification: one line for each change. */
function log(what: 'created' | 'edited' | 'deleted', shape: DrawnShape) {
  console.info(`Shape ${what}: ${JSON.stringify(shape)}`)
}
