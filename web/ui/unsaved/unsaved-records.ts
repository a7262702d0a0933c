import { createStore } from '../external-store.ts'

// The records with unsaved changes. The forms publish them; lists, which do not know the forms, mark them.

type UnsavedRecord = { mapId: string; id: string }

const store = createStore<ReadonlySet<string>>(new Set())

const keyOf = ({ mapId, id }: UnsavedRecord) => `${mapId} ${id}`

export function publishUnsavedRecords(records: readonly UnsavedRecord[]) {
  const keys = new Set(records.map(keyOf))
  const current = store.get()
  // Drafts change with each letter, but rarely become unsaved.
  if (keys.size !== current.size || [...keys].some((key) => !current.has(key))) store.set(keys)
}

export function useUnsavedRecords(mapId: string): (id: string) => boolean {
  const keys = store.use()
  return (id) => keys.has(keyOf({ mapId, id }))
}
