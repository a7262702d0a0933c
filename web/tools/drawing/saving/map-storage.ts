import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import { onSessionClosed } from '#web/api/closed-session.ts'
import { onReturn } from '#web/api/connection.ts'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { drawingOf, toShape } from './drawing-shapes.ts'
import { type Outcome, sendNext } from './send-changes.ts'
import { type Change, keepUnsaved, readUnsaved } from './unsaved-changes.ts'

export type MapStorage = ShapeStorage & {
  /** What is not saved: on its way, failed, or overtaken. The same list until something changes. */
  unsaved(): readonly Change[]
  /** Sends once more what failed. */
  retry(): void
  /** Of what somebody else was quicker to change: saves it all the same, or lets go of it. */
  resolveConflict(id: string, whose: 'mine' | 'theirs'): void
}

const storages = new Map<string, MapStorage & { end(): void }>()
// What is not saved stays in the tab; what was is for staff alone.
onSessionClosed(() => {
  for (const storage of storages.values()) storage.end()
  storages.clear()
})

/** One for each person and map, so that what is on its way goes on when the page shows something else. */
export function mapStorage(queryClient: QueryClient, mapId: string, personId: string): MapStorage {
  const name = `${mapId}.${personId}`
  const known = storages.get(name) ?? createStorage(queryClient, mapId, name)
  storages.set(name, known)
  return known
}

function createStorage(queryClient: QueryClient, mapId: string, name: string) {
  const query = drawingsQuery(mapId)
  const observer = new QueryObserver(queryClient, query)
  const listeners = new Set<() => void>()
  const changes = new Map(readUnsaved(name).map((change) => [change.id, change]))
  let unsaved: readonly Change[] = [...changes.values()]
  let shapes: readonly DrawnShape[] = []
  let isSending = false
  let isAtRest = false
  let stopObserving = () => {}

  const saved = () => queryClient.getQueryData(query.queryKey) ?? []
  function show() {
    const drawings = saved()
    const known = new Set(drawings.map(({ id }) => id))
    // Not what is being noted about a request: that is seen together with its answer.
    const changed = new Map(unsaved.map((change) => [change.id, change]))
    const seen = [
      ...drawings.map((drawing) => shapeOf(changed.get(drawing.id), toShape(drawing))),
      ...unsaved.filter(({ id }) => !known.has(id)).map((change) => shapeOf(change, null)),
    ].filter((shape) => shape !== null)
    const isSame = seen.length === shapes.length && seen.every((shape, index) => shape === shapes[index])
    if (!isSame) shapes = seen
    for (const listener of listeners) listener()
  }
  function showChanges() {
    unsaved = [...changes.values()]
    keepUnsaved(name, unsaved)
    show()
  }
  /** Puts what the server answered into the list, of which an older one may be under way. */
  async function accept(outcome: Outcome) {
    const { queryKey } = query
    const wasAsked = queryClient.isFetching({ queryKey }) > 0
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (drawings) => drawings && merge(drawings, outcome))
    // What others have drawn is still to come.
    if (wasAsked) void queryClient.invalidateQueries({ queryKey })
  }
  async function send() {
    if (isSending || isAtRest) return
    isSending = true
    try {
      for (;;) {
        const outcome = await sendNext(mapId, changes)
        if (outcome === null) return
        if (outcome.saved.length > 0 || outcome.gone.size > 0) await accept(outcome)
        showChanges()
      }
    } finally {
      isSending = false
    }
  }
  function change(shape: DrawnShape, wanted: DrawnShape | null, more: Partial<Change> = {}) {
    const present = changes.get(shape.id)
    // What was never sent needs not be taken back; what is on its way does.
    const base = present
      ? present.base
      : (drawingOf(shape) ?? saved().find(({ id }) => id === shape.id) ?? null)
    const saveError = present?.saveError?.kind === 'overtaken' ? present.saveError : null
    if (wanted === null && base === null && present?.saveError) changes.delete(shape.id)
    else changes.set(shape.id, { id: shape.id, wanted, base, saveError, ...more })
  }
  function commit() {
    showChanges()
    void send()
  }

  // Nobody would hear the answer to what is sent from there: the tab keeps it.
  function rest() {
    isAtRest = true
  }
  function goOn() {
    isAtRest = false
    void send()
  }
  window.addEventListener('pagehide', rest)
  window.addEventListener('pageshow', goOn)
  const stopRetrying = onReturn(() => storage.retry())
  const forgetWork = addUnsavedWork({
    isKept: true,
    describe: () =>
      changes.size === 0
        ? null
        : `${changes.size.toLocaleString()} ${changes.size === 1 ? 'change' : 'changes'} of drawings`,
    discard() {
      changes.clear()
      showChanges()
    },
  })

  const storage: MapStorage & { end(): void } = {
    end() {
      rest()
      window.removeEventListener('pagehide', rest)
      window.removeEventListener('pageshow', goOn)
      stopRetrying()
      forgetWork()
      stopObserving()
      observer.destroy()
    },
    read: () => shapes,
    problem: () => null,
    unsaved: () => unsaved,
    listen(listener) {
      if (listeners.size === 0) {
        stopObserving = observer.subscribe(show)
        void send()
      }
      listeners.add(listener)
      show()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stopObserving()
      }
    },
    create(created) {
      // One that comes back after it was deleted is a new one, whatever it was.
      for (const shape of created) change(shape, shape, { base: changes.get(shape.id)?.base ?? null })
      commit()
    },
    edit(edits) {
      for (const { before, after } of edits) change(before, after)
      commit()
    },
    remove(removed) {
      for (const shape of removed) change(shape, null)
      commit()
    },
    clear() {
      const isOwn = new Map(saved().map((drawing) => [drawing.id, drawing.isOwn]))
      const own = shapes.filter(({ id }) => isOwn.get(id) ?? changes.get(id)?.base?.isOwn ?? true)
      for (const shape of own) change(shape, null, { isClearing: true, saveError: null })
      commit()
      return own
    },
    retry() {
      for (const one of changes.values())
        if (one.saveError?.kind === 'failed') changes.set(one.id, { ...one, saveError: null })
      commit()
    },
    resolveConflict(id, whose) {
      const one = changes.get(id)
      if (one?.saveError?.kind !== 'overtaken') return
      const { theirs } = one.saveError
      if (whose === 'theirs' || (one.wanted === null && theirs === null)) changes.delete(id)
      else changes.set(id, { ...one, base: theirs, saveError: null })
      commit()
    },
  }
  return storage
}

/** How a shape is to be seen; null where it is gone. What could not be deleted is still there. */
function shapeOf(change: Change | undefined, saved: DrawnShape | null): DrawnShape | null {
  if (!change) return saved
  return change.wanted ?? (change.saveError ? saved : null)
}

function merge(drawings: readonly Drawing[], { saved, gone }: Outcome): Drawing[] {
  const answers = new Map(saved.map((drawing) => [drawing.id, drawing]))
  const known = new Set(drawings.map(({ id }) => id))
  return [
    ...drawings.filter(({ id }) => !gone.has(id)).map((drawing) => answers.get(drawing.id) ?? drawing),
    ...saved.filter(({ id }) => !known.has(id)),
  ]
}
