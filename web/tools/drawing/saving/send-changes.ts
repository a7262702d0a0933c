import { type Drawing, isSameDrawing, vertexCount } from '#domain/drawings/drawing.schema.ts'
import { addDrawings, changeDrawing, clearDrawings, deleteDrawing } from '#web/api/drawings.api.ts'
import { RequestError } from '#web/api/http.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'
import { contentOf, noteDrawing } from './drawing-shapes.ts'

/** 'overtaken' by another user's change (null: deletion). */
export type SaveError = { kind: 'failed'; message: string } | { kind: 'overtaken'; theirs: Drawing | null }

export type Change = {
  id: string
  wanted: DrawnShape | null
  base: Drawing | null
  saveError: SaveError | null
  isClearing?: boolean
  /** Sent alone, because a request with several was refused. */
  isAlone?: boolean
}

export const unsavedChanges = defineTabStore({
  name: 'unsaved-shapes',
  empty: [] as readonly Change[],
  read: (stored) => (Array.isArray(stored) ? (stored as Change[]) : null),
  open: (store) => store,
})

export type Outcome = { saved: readonly Drawing[]; gone: ReadonlySet<string> }

type Changes = Map<string, Change>

const maxAdded = 200
const maxVertices = 15_000

/** Returns null if nothing waits. A shape that the user changes meanwhile waits again. */
export async function sendNext(mapId: string, changes: Changes): Promise<Outcome | null> {
  const waiting = [...changes.values()].filter(({ saveError }) => saveError === null)
  const clearing = waiting.filter(({ isClearing }) => isClearing)
  if (clearing.length > 0) return clear(mapId, changes, clearing)
  const added = nextAdded(waiting)
  if (added.length > 0) return add(mapId, changes, added)
  const [next] = waiting
  if (!next) return null
  if (next.base === null) {
    changes.delete(next.id)
    return nothing
  }
  return next.wanted ? put(mapId, changes, next, next.base) : remove(mapId, changes, next, next.base)
}

const nothing: Outcome = { saved: [], gone: new Set() }

function nextAdded(waiting: readonly Change[]): Change[] {
  const fresh = waiting.filter(({ base, wanted }) => base === null && wanted !== null)
  const [first] = fresh
  if (!first || first.isAlone) return first ? [first] : []
  const together: Change[] = []
  let vertices = 0
  for (const change of fresh) {
    vertices += change.wanted ? vertexCount(contentOf(change.wanted).geometry) : 0
    const isFull = together.length === maxAdded || (together.length > 0 && vertices > maxVertices)
    if (isFull || change.isAlone) break
    together.push(change)
  }
  return together
}

async function add(mapId: string, changes: Changes, added: readonly Change[]): Promise<Outcome> {
  const items = added.flatMap(({ id, wanted }) => (wanted ? [{ id, ...contentOf(wanted) }] : []))
  try {
    const saved = await addDrawings(mapId, items)
    for (const drawing of saved) {
      const sent = items.find(({ id }) => id === drawing.id)
      // An earlier request had reached the server, and another user has changed the drawing since.
      const isOvertaken = drawing.version > 1 && sent !== undefined && !isSameDrawing(sent, drawing)
      noteSaved(changes, drawing, isOvertaken ? { kind: 'overtaken', theirs: drawing } : null)
    }
    return { saved, gone: new Set() }
  } catch (error) {
    const isRefused = error instanceof RequestError && [400, 409, 413].includes(error.status)
    for (const { id } of added) {
      if (isRefused && added.length > 1) note(changes, id, { isAlone: true })
      else note(changes, id, { saveError: failed(error) })
    }
    return nothing
  }
}

async function put(mapId: string, changes: Changes, change: Change, base: Drawing): Promise<Outcome> {
  const content = change.wanted && contentOf(change.wanted)
  if (!content) return nothing
  try {
    const saved = await changeDrawing(mapId, base, content)
    noteSaved(changes, saved, null)
    return { saved: [saved], gone: new Set() }
  } catch (error) {
    const theirs = overtakenBy(error)
    if (theirs === undefined) note(changes, change.id, { saveError: failed(error) })
    else if (theirs === null) note(changes, change.id, { saveError: { kind: 'overtaken', theirs } })
    // The user's own change, whose answer was lost.
    else if (isSameDrawing(theirs, content)) noteSaved(changes, theirs, null)
    else note(changes, change.id, { saveError: { kind: 'overtaken', theirs } })
    return theirs ? { saved: [theirs], gone: new Set() } : nothing
  }
}

async function remove(mapId: string, changes: Changes, change: Change, base: Drawing): Promise<Outcome> {
  const { id } = change
  try {
    await deleteDrawing(mapId, base)
  } catch (error) {
    const theirs = overtakenBy(error)
    if (theirs !== null) {
      const saveError = theirs ? ({ kind: 'overtaken', theirs } as const) : failed(error)
      note(changes, id, { saveError })
      return theirs ? { saved: [theirs], gone: new Set() } : nothing
    }
  }
  noteGone(changes, id)
  return { saved: [], gone: new Set([id]) }
}

async function clear(mapId: string, changes: Changes, clearing: readonly Change[]): Promise<Outcome> {
  try {
    await clearDrawings(mapId)
  } catch (error) {
    for (const { id } of clearing) note(changes, id, { saveError: failed(error) })
    return nothing
  }
  for (const { id } of clearing) noteGone(changes, id)
  return { saved: [], gone: new Set(clearing.map(({ id }) => id)) }
}

function overtakenBy(error: unknown): Drawing | null | undefined {
  if (!(error instanceof RequestError)) return undefined
  if (error.status === 404) return null
  return error.status === 412 ? ((error.current ?? undefined) as Drawing | undefined) : undefined
}

const failed = (error: unknown): SaveError => ({
  kind: 'failed',
  message: error instanceof Error ? error.message : 'Could not save it.',
})

function note(changes: Changes, id: string, news: Partial<Change>) {
  const change = changes.get(id)
  if (change) changes.set(id, { ...change, ...news })
}

function noteSaved(changes: Changes, saved: Drawing, saveError: SaveError | null) {
  const { wanted } = changes.get(saved.id) ?? {}
  if (wanted && isSameDrawing(contentOf(wanted), saved)) {
    changes.delete(saved.id)
    // The user may be editing the shape from before it was saved.
    noteDrawing(wanted, saved)
  } else note(changes, saved.id, { base: saved, saveError })
}

/** The user may have drawn it again meanwhile. */
function noteGone(changes: Changes, id: string) {
  if (changes.get(id)?.wanted === null) changes.delete(id)
  else note(changes, id, { base: null })
}
