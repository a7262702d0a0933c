import { useSyncExternalStore } from 'react'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import type { TypedCells } from '#web/features/feature-table-row.tsx'
import { createStore } from '#web/ui/external-store.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { type Draft, isNew, recordName } from './record-draft.ts'
import { isReadable, toDraft } from './record-drafts.ts'

// Input of table cells that is not saved yet. As in a spreadsheet, the user may have moved to another cell.

export type UnsavedCell = {
  mapId: string
  feature: FeatureSummary
  path: string
  column: string
  label: string
  text: string
  draft: Draft<FeatureDetail> | null
  /** The row as it will be; null if that is unknown. */
  asSaved: FeatureSummary | null
  state: 'waiting' | 'saving' | 'refused'
  problem: string | null
}

export type CellPlace = { mapId: string; id: string; column: string }

/** A cell to go to: at once if the user asked for it, otherwise only if no other cell is being edited. */
export type WantedCell = CellPlace & { isAsked: boolean }

export type UnsavedCells = ReturnType<typeof unsavedCells>

export const unsavedCells = defineTabStore({
  name: 'unsaved-cells',
  empty: [] as readonly UnsavedCell[],
  read: (stored) => (stored as UnsavedCell[]).flatMap(readCell),
  open({ get, set, listen }) {
    const wanted = createStore<WantedCell | null>(null)
    const saved = new Map<string, FeatureDetail>()
    return {
      all: get,
      listen,
      /** The last input of a cell: an earlier one may still be saving. */
      find: (place: CellPlace) => get().findLast(isAt(place)),
      /** Replaces earlier input of the cell, except input that is saving. */
      add(cell: UnsavedCell) {
        const isReplaced = isAt(placeOf(cell))
        set([...get().filter((other) => other.state === 'saving' || !isReplaced(other)), cell])
      },
      change(cell: UnsavedCell, changes: Partial<UnsavedCell>) {
        set(get().map((other) => (other === cell ? { ...cell, ...changes } : other)))
      },
      drop: (some: readonly UnsavedCell[]) => set(get().filter((cell) => !some.includes(cell))),
      lastSaved: ({ mapId, id }: Omit<CellPlace, 'column'>) => saved.get(`${mapId} ${id}`),
      noteSaved: (detail: FeatureDetail) => void saved.set(`${detail.mapId} ${detail.id}`, detail),
      wanted,
    }
  },
})

function readCell(cell: UnsavedCell): UnsavedCell[] {
  const draft = cell.draft && toDraft(cell.draft)
  if (draft && (isNew(draft.base) || !isReadable(draft))) return []
  const problem = 'You left the page before this was saved.'
  return [cell.state === 'refused' ? cell : { ...cell, state: 'refused', problem }]
}

export const placeOf = ({ mapId, feature, column }: UnsavedCell): CellPlace => ({
  mapId,
  id: feature.id,
  column,
})

const isAt = (place: CellPlace) => (cell: UnsavedCell) =>
  cell.mapId === place.mapId && cell.feature.id === place.id && cell.column === place.column

export function useCells(
  mapId: string,
  userId: string | null,
): { unsaved: UnsavedCells; typed: TypedCells } | null {
  const unsaved = userId === null ? null : unsavedCells(userId)
  useSyncExternalStore(unsaved?.listen ?? noListener, () => unsaved?.all())
  const wanted = useSyncExternalStore(unsaved?.wanted.listen ?? noListener, () => unsaved?.wanted.get())
  if (!unsaved) return null
  return {
    unsaved,
    typed: {
      of: (id, column) => unsaved.find({ mapId, id, column }),
      wanted: wanted?.mapId === mapId ? wanted : null,
      onReturned: () => unsaved.wanted.set(null),
    },
  }
}

const noListener = () => () => {}

export function announceCells(cells: UnsavedCells): () => void {
  return addUnsavedWork({
    isStored: true,
    describe: () =>
      cells
        .all()
        .map((cell) => `${titleOfCell(cell)}: ${cell.label}`)
        .join('; ') || null,
    discard: () => cells.drop(cells.all()),
  })
}

export const titleOfCell = ({ feature, draft }: UnsavedCell) =>
  `‘${draft ? recordName(draft.base) : feature.name || 'Untitled'}’`
