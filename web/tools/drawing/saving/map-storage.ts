import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { onSessionClosed } from '#web/api/closed-session.ts'
import { onReturn } from '#web/api/connection.ts'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { createStore } from '#web/ui/external-store.ts'
import type { Side } from '#web/ui/unsaved/compare-edits.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { drawingOf, toShape } from './drawing-shapes.ts'
import { type Change, type Outcome, sendNext, unsavedChanges } from './send-changes.ts'

export type MapStorage = ShapeStorage & {
  /** Waiting, failed, or in conflict. The same array until something changes. */
  unsaved(): readonly Change[]
  retry(): void
  resolveConflict(id: string, side: Side): void
}

const storages = new Map<string, MapStorage>()

/** Saving continues while the page shows something else, until the session is closed. */
export function mapStorage(queryClient: QueryClient, mapId: string, userId: string): MapStorage {
  const name = `${mapId}.${userId}`
  const opened = storages.get(name)
  if (opened) return opened
  const storage = createStorage(queryClient, mapId, userId)
  const stop = onSessionClosed(() => {
    stop()
    storages.delete(name)
    storage.end()
  })
  storages.set(name, storage)
  return storage
}

function createStorage(queryClient: QueryClient, mapId: string, userId: string) {
  const query = drawingsQuery(mapId)
  const observer = new QueryObserver(queryClient, query)
  const unsaved = unsavedChanges(mapId, userId)
  const changes = new Map(unsaved.get().map((change) => [change.id, change]))
  const shapes = createStore<readonly DrawnShape[]>([])
  let listenerCount = 0
  let isSending = false
  let isPaused = false
  let stopObserving = () => {}

  const saved = () => queryClient.getQueryData(query.queryKey) ?? []
  function show() {
    const drawings = saved()
    const ids = new Set(drawings.map(({ id }) => id))
    const changed = new Map(unsaved.get().map((change) => [change.id, change]))
    const seen = [
      ...drawings.map((drawing) => shapeOf(changed.get(drawing.id), toShape(drawing))),
      ...unsaved
        .get()
        .filter(({ id }) => !ids.has(id))
        .map((change) => shapeOf(change, null)),
    ].filter((shape) => shape !== null)
    const shown = shapes.get()
    const isSame = seen.length === shown.length && seen.every((shape, index) => shape === shown[index])
    shapes.set(isSame ? shown : seen)
  }
  function showChanges() {
    unsaved.set([...changes.values()])
    show()
  }
  /** Cancels an older request of the list. */
  async function accept(outcome: Outcome) {
    const { queryKey } = query
    const wasLoading = queryClient.isFetching({ queryKey }) > 0
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (drawings) => drawings && merge(drawings, outcome))
    // Changes of other users are still missing.
    if (wasLoading) void queryClient.invalidateQueries({ queryKey })
  }
  async function send() {
    if (isSending || isPaused) return
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
    const earlier = changes.get(shape.id)
    const base = earlier
      ? earlier.base
      : (drawingOf(shape) ?? saved().find(({ id }) => id === shape.id) ?? null)
    const saveError = earlier?.saveError?.kind === 'overtaken' ? earlier.saveError : null
    // A shape that was never sent needs no deletion.
    if (wanted === null && base === null && earlier?.saveError) changes.delete(shape.id)
    else changes.set(shape.id, { id: shape.id, wanted, base, saveError, ...more })
  }
  function commit() {
    showChanges()
    void send()
  }

  // A page in the browser's cache would not receive the answers: the tab keeps the changes.
  function pause() {
    isPaused = true
  }
  function resume() {
    isPaused = false
    void send()
  }
  window.addEventListener('pagehide', pause)
  window.addEventListener('pageshow', resume)
  const stopRetrying = onReturn(() => storage.retry())
  const forgetWork = addUnsavedWork({
    isStored: true,
    describe: () => (changes.size === 0 ? null : counted(changes.size, 'drawing change')),
    discard() {
      changes.clear()
      showChanges()
    },
  })

  const storage: MapStorage & { end(): void } = {
    end() {
      pause()
      window.removeEventListener('pagehide', pause)
      window.removeEventListener('pageshow', resume)
      stopRetrying()
      forgetWork()
      stopObserving()
      observer.destroy()
    },
    read: shapes.get,
    problem: () => null,
    unsaved: unsaved.get,
    listen(listener) {
      listenerCount += 1
      if (listenerCount === 1) {
        stopObserving = observer.subscribe(show)
        void send()
      }
      const stop = shapes.listen(listener)
      show()
      return () => {
        stop()
        listenerCount -= 1
        if (listenerCount === 0) stopObserving()
      }
    },
    create(created) {
      // A shape that is restored after its deletion is a new drawing.
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
      const own = shapes.get().filter(({ id }) => isOwn.get(id) ?? changes.get(id)?.base?.isOwn ?? true)
      for (const shape of own) change(shape, null, { isClearing: true, saveError: null })
      commit()
      return own
    },
    retry() {
      for (const one of changes.values())
        if (one.saveError?.kind === 'failed') changes.set(one.id, { ...one, saveError: null })
      commit()
    },
    resolveConflict(id, side) {
      const one = changes.get(id)
      if (one?.saveError?.kind !== 'overtaken') return
      const { theirs } = one.saveError
      if (side === 'theirs' || (one.wanted === null && theirs === null)) changes.delete(id)
      else changes.set(id, { ...one, base: theirs, saveError: null })
      commit()
    },
  }
  return storage
}

/** Null if it is deleted. A failed deletion shows the shape again. */
function shapeOf(change: Change | undefined, saved: DrawnShape | null): DrawnShape | null {
  if (!change) return saved
  return change.wanted ?? (change.saveError ? saved : null)
}

function merge(drawings: readonly Drawing[], { saved, gone }: Outcome): Drawing[] {
  const answers = new Map(saved.map((drawing) => [drawing.id, drawing]))
  const ids = new Set(drawings.map(({ id }) => id))
  return [
    ...drawings.filter(({ id }) => !gone.has(id)).map((drawing) => answers.get(drawing.id) ?? drawing),
    ...saved.filter(({ id }) => !ids.has(id)),
  ]
}
