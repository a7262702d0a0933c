import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import { previewOf } from '#domain/features/feature-preview.ts'
import { capitalized } from '#domain/values/wording.ts'
import { customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { type FeaturePage, featureDetailQuery, findSummary, getFeature } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { answerKey } from '#web/api/maps.api.ts'
import {
  asSaved,
  changesOf,
  type Draft,
  isNew,
  newDraft,
  problemsOf,
  type RecordBase,
  rebase,
  valuesOf,
} from './record-draft.ts'
import { placeOf, type UnsavedCell, type UnsavedCells } from './unsaved-cells.ts'
import { useRecordChanges } from './use-record-changes.ts'

export type TypedCell = Pick<UnsavedCell, 'feature' | 'path' | 'column' | 'label' | 'text' | 'draft'>

/** Saves cells in the background. Cells of one record are saved one after the other, each on the result of the last. */
export function useCellSaving(mapId: string, cells: UnsavedCells) {
  const client = useQueryClient()
  const { saving } = useRecordChanges(mapId, { save: saveDraft, discard() {} }, { onSaved() {} })

  const cellsOf = (id: string) => cells.all().filter((cell) => cell.mapId === mapId && cell.feature.id === id)

  const savingCell = (id: string) => cellsOf(id).find(({ state }) => state === 'saving')

  function saveDraft({ base, ...draft }: Draft) {
    const cell = savingCell(base.id)
    if (cell && !isNew(base)) cells.change(cell, { draft: { ...draft, base } })
  }

  async function saveInTurn(id: string): Promise<void> {
    const waiting = cellsOf(id).find(({ state }) => state === 'waiting')
    if (savingCell(id) || !waiting) return
    cells.change(waiting, { state: 'saving' })
    try {
      const saved = await send(waiting)
      const cell = savingCell(id)
      if (cell && saved === null) refuse(cell, 'Someone else changed this, too.')
      else if (cell) {
        cells.drop([cell])
        if (saved) follow(saved)
      }
    } catch (error) {
      const cell = savingCell(id)
      if (cell) refuse(cell, problemIn(error as Error, cell.path))
    }
    await saveInTurn(id)
  }

  /** Returns null for a conflict, undefined if nothing changes. */
  async function send(cell: UnsavedCell): Promise<FeatureDetail | null | undefined> {
    const draft = rebaseOnSaved(cell.draft ?? (await loadDraft(cell)))
    const problem = problemsOf(draft).get(cell.path)
    if (problem !== undefined) throw new Error(problem)
    if (draft.conflicts.length > 0) {
      saveDraft(draft)
      return null
    }
    if (changesOf(draft).length === 0) return undefined
    const saved = await saving.mutateAsync({ draft })
    return saved === null ? null : saved.detail
  }

  async function loadDraft(cell: UnsavedCell): Promise<Draft<FeatureDetail>> {
    const { id } = cell.feature
    const detail =
      client.getQueryData(featureDetailQuery(mapId, id).queryKey) ?? (await getFeature(mapId, id))
    const { fields } = await client.ensureQueryData(customFieldsQuery(mapId))
    const draft = withText(newDraft(detail, fields), cell.path, cell.text)
    saveDraft(draft)
    return draft
  }

  /** Changes of the user's other cells are not conflicts. */
  function rebaseOnSaved(draft: Draft<FeatureDetail>): Draft<FeatureDetail> {
    const saved = cells.lastSaved(draft.base)
    return saved && saved.version > draft.base.version ? { ...rebase(draft, saved), updated: [] } : draft
  }

  function refuse(cell: UnsavedCell, problem: string) {
    // Later input of the cell replaces this one.
    if (cells.find(placeOf(cell)) !== cell) return cells.drop([cell])
    cells.change(cell, { state: 'refused', problem })
    cells.wanted.set({ ...placeOf(cell), isAsked: false })
  }

  /** Shows the saved record in the table before the table is loaded again. */
  function follow(detail: FeatureDetail) {
    cells.noteSaved(detail)
    const isOlder = (row: FeatureSummary) => row.id === detail.id && row.version <= detail.version
    client.setQueriesData<FeaturePage>(
      { queryKey: answerKey(mapId, 'table'), type: 'active' },
      (page) =>
        page && { ...page, items: page.items.map((row) => (isOlder(row) ? rowOf(row, detail) : row)) },
    )
  }

  function add(typed: TypedCell, problem: string | null = null) {
    const { feature, draft } = typed
    const isReadable = draft !== null && problem === null && !problemsOf(draft).has(typed.path)
    cells.add({
      ...typed,
      mapId,
      asSaved: isReadable ? rowOf(feature, withNames(client, asSaved(draft))) : null,
      state: problem === null ? 'waiting' : 'refused',
      problem,
    })
  }
  return {
    save(typed: TypedCell) {
      add(typed)
      void saveInTurn(typed.feature.id)
    },
    addRefused: add,
  }
}

function problemIn(error: Error, path: string): string {
  const refused = error instanceof RequestError ? error.fields : []
  const message = (refused.find(({ name }) => name === path) ?? refused[0])?.message ?? error.message
  return capitalized(message)
}

export function withText<Base extends RecordBase>(
  draft: Draft<Base>,
  path: string,
  text: string | null,
): Draft<Base> {
  const value = text ?? valuesOf(draft)[path] ?? ''
  return { ...draft, values: { ...draft.values, [path]: value } }
}

function withNames(client: QueryClient, detail: FeatureDetail): FeatureDetail {
  const id = 'parcelId' in detail ? detail.parcelId : null
  const name = id === null ? undefined : findSummary(client, detail.mapId, id)?.name
  return name === undefined
    ? detail
    : { ...detail, referenceNames: { ...detail.referenceNames, parcelId: name } }
}

function rowOf(row: FeatureSummary, detail: FeatureDetail): FeatureSummary {
  const values = Object.entries(row.values ?? {}).map(([path, before]) => {
    const value = valueAt(detail, path)
    // Values without a definition are not among the details.
    return [path, value === undefined ? before : value]
  })
  const parcelId = 'parcelId' in detail ? detail.parcelId : null
  return {
    ...row,
    ...previewOf(detail),
    version: detail.version,
    date: 'date' in detail ? detail.date : row.date,
    parcel: parcelId === null ? null : { id: parcelId, name: detail.referenceNames.parcelId ?? '' },
    ...(row.values ? { values: Object.fromEntries(values) } : {}),
  }
}
