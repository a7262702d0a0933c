import { useSyncExternalStore } from 'react'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import type { TypedCells } from '#web/features/feature-table-row.tsx'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { isOfThisProgram } from './kept-drafts.ts'
import { type Draft, nameOf } from './record-draft.ts'

// What was typed into cells of tables and is not saved yet. As in a spreadsheet, whoever typed it is elsewhere by then.

export type UnsavedCell = {
  mapId: string
  /** As its row was when it was typed. */
  feature: FeatureSummary
  path: string
  /** Its id. */
  column: string
  label: string
  text: string
  /** Null until the details of the record are there. */
  draft: Draft | null
  /** As its row will be; null where nobody can tell. */
  asSaved: FeatureSummary | null
  state: 'waiting' | 'saving' | 'refused'
  /** Why it was refused. */
  problem: string | null
}

/** Which cell that is. */
export type CellPlace = { mapId: string; id: string; column: string }

/** Somebody should be led to a cell: if they asked for it, or else if they are in no other cell. */
export type WantedCell = CellPlace & { isAsked: boolean }

export type UnsavedCells = {
  /** The same while none has changed. */
  all(): readonly UnsavedCell[]
  /** The last one: an earlier text of the same cell may still be on its way. */
  of(place: CellPlace): UnsavedCell | undefined
  /** Takes the place of what was typed there before, but for what is on its way. */
  add(cell: UnsavedCell): void
  /** Returns what has become of it. Nothing where it is not there any more. */
  change(cell: UnsavedCell, changes: Partial<UnsavedCell>): UnsavedCell
  drop(some: readonly UnsavedCell[]): void
  /** The record as the last of its cells has left it. */
  lastSaved(place: Omit<CellPlace, 'column'>): FeatureDetail | undefined
  noteSaved(detail: FeatureDetail): void
  wanted(): WantedCell | null
  want(wanted: WantedCell | null): void
  /** Returns how to stop. */
  listen(listener: () => void): () => void
}

const opened = new Map<string, UnsavedCells>()

/** Those of one person, on all maps; the same as long as the page is there. */
export function unsavedCells(personId: string): UnsavedCells {
  const key = `poa.unsaved-cells.${personId}`
  const known = opened.get(key) ?? open(key)
  opened.set(key, known)
  return known
}

export const placeOf = ({ mapId, feature, column }: UnsavedCell): CellPlace => ({
  mapId,
  id: feature.id,
  column,
})

const isAt = (place: CellPlace) => (cell: UnsavedCell) =>
  cell.mapId === place.mapId && cell.feature.id === place.id && cell.column === place.column

function open(key: string): UnsavedCells {
  let cells = readCells(key)
  let wanted: WantedCell | null = null
  const saved = new Map<string, FeatureDetail>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  function set(changed: readonly UnsavedCell[]) {
    cells = changed
    writeCells(key, cells)
    tell()
  }
  return {
    all: () => cells,
    of: (place) => cells.findLast(isAt(place)),
    add(cell) {
      const isReplaced = isAt(placeOf(cell))
      set([...cells.filter((other) => other.state === 'saving' || !isReplaced(other)), cell])
    },
    change(cell, changes) {
      const changed = { ...cell, ...changes }
      set(cells.map((other) => (other === cell ? changed : other)))
      return changed
    },
    drop: (some) => set(cells.filter((cell) => !some.includes(cell))),
    lastSaved: ({ mapId, id }) => saved.get(`${mapId} ${id}`),
    noteSaved: (detail) => void saved.set(`${detail.mapId} ${detail.id}`, detail),
    wanted: () => wanted,
    want(place) {
      wanted = place
      tell()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** For the table of a map; null for whoever may not edit. */
export function useCells(
  mapId: string,
  personId: string | null,
): { unsaved: UnsavedCells; typed: TypedCells } | null {
  const unsaved = personId === null ? null : unsavedCells(personId)
  useSyncExternalStore(unsaved?.listen ?? listenToNothing, () => unsaved?.all())
  const wanted = useSyncExternalStore(unsaved?.listen ?? listenToNothing, () => unsaved?.wanted() ?? null)
  if (!unsaved) return null
  return {
    unsaved,
    typed: {
      of: (id, column) => unsaved.of({ mapId, id, column }),
      wanted: wanted?.mapId === mapId ? wanted : null,
      onLed: () => unsaved.want(null),
    },
  }
}

const listenToNothing = () => () => {}

/** Whoever is about to end the page is told of them. Returns how to take it back. */
export function announceCells(cells: UnsavedCells): () => void {
  return addUnsavedWork({
    isKept: true,
    describe: () =>
      cells
        .all()
        .map((cell) => `${titleOfCell(cell)}: ${cell.label}`)
        .join('; ') || null,
    discard: () => cells.drop(cells.all()),
  })
}

/** '‘Lot 7’' */
export const titleOfCell = ({ feature, draft }: UnsavedCell) =>
  `‘${draft ? nameOf(draft.base) : feature.name || 'Untitled'}’`

function readCells(key: string): readonly UnsavedCell[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]') as UnsavedCell[]
    return kept
      .filter(({ draft }) => draft === null || isOfThisProgram(draft))
      .map((cell) =>
        cell.state === 'refused'
          ? cell
          : { ...cell, state: 'refused', problem: 'The page was left before this was saved.' },
      )
  } catch {
    return []
  }
}

function writeCells(key: string, cells: readonly UnsavedCell[]) {
  try {
    if (cells.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(cells))
  } catch {
    // No more room: they stay on the page, which asks before it is left.
  }
}
