import { counted } from '#domain/values/wording.ts'
import { createStore } from '#web/ui/external-store.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

// Files of records that are not added yet. They wait in memory, because browsers store no files for a tab, and are
// uploaded once the record is saved.

type RecordId = { mapId: string; id: string }

const store = createStore<ReadonlyMap<string, readonly File[]>>(new Map())
const keyOf = ({ mapId, id }: RecordId) => `${mapId} ${id}`
const none: readonly File[] = []

export const waitingFiles = {
  of: (record: RecordId) => store.get().get(keyOf(record)) ?? none,
  useOf: (record: RecordId) => store.use().get(keyOf(record)) ?? none,
  set(record: RecordId, files: readonly File[]) {
    const others = [...store.get()].filter(([key]) => key !== keyOf(record))
    store.set(new Map(files.length === 0 ? others : [...others, [keyOf(record), files]]))
  },
}

export function announceWaitingFiles(): () => void {
  return addUnsavedWork({
    isStored: false,
    describe() {
      const count = [...store.get().values()].flat().length
      return count === 0 ? null : `${counted(count, 'file')} of new records`
    },
    discard: () => store.set(new Map()),
  })
}
