import type { DrawnShape } from './drawn-shape.ts'

/** `before` is the very shape that the storage gave out and the person saw. */
export type ShapeEdit = { before: DrawnShape; after: DrawnShape }

/** Where shapes are kept: in the tab, or wherever the page wants them. What is changed is to be seen at once. */
export type ShapeStorage = {
  /** The same list until something changes. */
  read(): readonly DrawnShape[]
  /** Why the last change could not be kept; null where the page tells that by other means. */
  problem(): string | null
  /** Returns how to stop. */
  listen(onChange: () => void): () => void
  create(shapes: readonly DrawnShape[]): void
  edit(edits: readonly ShapeEdit[]): void
  remove(shapes: readonly DrawnShape[]): void
  /** Removes all that are the person's own, and returns them. */
  clear(): readonly DrawnShape[]
}

/** In the tab alone: a reload keeps them, closing the tab forgets them. */
export function tabStorage(name: string): ShapeStorage {
  const key = `poa.shapes.${name}`
  const listeners = new Set<() => void>()
  let shapes = stored(key)
  let problem: string | null = null

  function keep(changed: readonly DrawnShape[]) {
    shapes = changed
    problem = null
    try {
      if (shapes.length === 0) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(shapes))
    } catch {
      problem = 'This tab has no more room for shapes: download them before you leave.'
    }
    for (const listener of listeners) listener()
  }

  return {
    read: () => shapes,
    problem: () => problem,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    create: (created) => keep([...shapes, ...created]),
    edit: (edits) =>
      keep(shapes.map((shape) => edits.find(({ before }) => before.id === shape.id)?.after ?? shape)),
    remove(removed) {
      const ids = new Set(removed.map(({ id }) => id))
      keep(shapes.filter(({ id }) => !ids.has(id)))
    },
    clear() {
      const removed = shapes
      keep([])
      return removed
    },
  }
}

function stored(key: string): readonly DrawnShape[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as DrawnShape[]
  } catch {
    return []
  }
}
