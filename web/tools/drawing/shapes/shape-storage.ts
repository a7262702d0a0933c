import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import type { DrawnShape } from './drawn-shape.ts'

/** `before` is the same object that the storage returned. */
export type ShapeEdit = { before: DrawnShape; after: DrawnShape }

/** The tab or the map. Changes are visible at once. */
export type ShapeStorage = {
  read(): readonly DrawnShape[]
  problem(): string | null
  listen(onChange: () => void): () => void
  create(shapes: readonly DrawnShape[]): void
  edit(edits: readonly ShapeEdit[]): void
  remove(shapes: readonly DrawnShape[]): void
  clear(): readonly DrawnShape[]
}

/** For visitors, on one map: kept across reloads until the tab is closed. */
export const tabStorage = defineTabStore({
  name: 'shapes',
  empty: [] as readonly DrawnShape[],
  read: (stored) => (Array.isArray(stored) ? (stored as DrawnShape[]) : null),
  open: ({ get, set, listen, isStored }): ShapeStorage => ({
    read: get,
    problem: () => (isStored() ? null : 'This tab cannot store more shapes. Download them before you leave.'),
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
