import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import type { DrawnShape } from './drawn-shape.ts'

/** `before` is the same object that the storage returned. */
export type ShapeEdit = { before: DrawnShape; after: DrawnShape }

/** A place for shapes: the tab, or the map. Changes are visible at once. */
export type ShapeStorage = {
  /** The same array until something changes. */
  read(): readonly DrawnShape[]
  /** Why the last change was not stored; null if the page shows that elsewhere. */
  problem(): string | null
  /** Returns a function that stops listening. */
  listen(onChange: () => void): () => void
  create(shapes: readonly DrawnShape[]): void
  edit(edits: readonly ShapeEdit[]): void
  remove(shapes: readonly DrawnShape[]): void
  /** Removes all shapes of the user, and returns them. */
  clear(): readonly DrawnShape[]
}

/** Shapes of visitors, on one map: a reload keeps them, closing the tab discards them. */
export const tabStorage = defineTabStore({
  name: 'shapes',
  empty: [] as readonly DrawnShape[],
  read: (stored) => (Array.isArray(stored) ? (stored as DrawnShape[]) : null),
  open: ({ get, set, listen, isStored }): ShapeStorage => ({
    read: get,
    problem: () =>
      isStored() ? null : 'This tab has no more room for shapes: download them before you leave.',
    listen,
    create: (created) => set([...get(), ...created]),
    edit: (edits) =>
      set(get().map((shape) => edits.find(({ before }) => before.id === shape.id)?.after ?? shape)),
    remove(removed) {
      const ids = new Set(removed.map(({ id }) => id))
      set(get().filter(({ id }) => !ids.has(id)))
    },
    clear() {
      const removed = get()
      set([])
      return removed
    },
  }),
})
