import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'

/** Why a change is not saved: it could not be, or somebody else was quicker (null: by deleting it). */
export type SaveError = { kind: 'failed'; message: string } | { kind: 'overtaken'; theirs: Drawing | null }

/** What the person made of one shape, as long as the server does not have it. */
export type Change = {
  id: string
  /** Null where it is to be gone. */
  wanted: DrawnShape | null
  /** What the person saw when they began; null for a new one. */
  base: Drawing | null
  saveError: SaveError | null
  /** By 'Clear all'. */
  isClearing?: boolean
  /** It is not sent together with others: one of them was refused. */
  isAlone?: boolean
}

const keyOf = (name: string) => `poa.unsaved-shapes.${name}`

/** What an earlier page in this tab could not save any more. */
export function readUnsaved(name: string): Change[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '[]') as Change[]
  } catch {
    return []
  }
}

/** A reload must not lose them. */
export function keepUnsaved(name: string, changes: readonly Change[]) {
  try {
    if (changes.length === 0) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), JSON.stringify(changes))
  } catch {
    // No more room: they stay on the page, which asks before it is left.
  }
}
