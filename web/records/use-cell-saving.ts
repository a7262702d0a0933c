import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import { knownOf } from '#domain/features/known-feature.ts'
import { type FeaturePage, featureDetailQuery, findSummary, getFeature } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { answerKey } from '#web/api/maps.api.ts'
import { ownFieldsQuery } from '#web/api/own-fields.api.ts'
import { asSaved, changesOf, type Draft, newDraft, problemsOf, rebase, valuesOf } from './record-draft.ts'
import { placeOf, type UnsavedCell, type UnsavedCells } from './unsaved-cells.ts'
import { useRecordChanges } from './use-record-changes.ts'

/** What somebody has typed into a cell, and to what. */
export type TypedCell = Pick<UnsavedCell, 'feature' | 'path' | 'column' | 'label' | 'text' | 'draft'>

/**
 * Saves cells as the form saves, while whoever typed them goes on. Those of one record wait for each other: each is
 * made to what the one before has led to.
 */
export function useCellSaving(mapId: string, cells: UnsavedCells) {
  const client = useQueryClient()
  const { saving } = useRecordChanges(mapId, { keep: keepOver, forget() {} }, { onSaved() {} })

  const ofRecord = (id: string) =>
    cells.all().filter((cell) => cell.mapId === mapId && cell.feature.id === id)

  const underWay = (id: string) => ofRecord(id).find(({ state }) => state === 'saving')

  /** Where somebody else was quicker: the same changes, made to theirs. */
  function keepOver(draft: Draft) {
    const cell = underWay(draft.base.id)
    if (cell) cells.change(cell, { draft })
  }

  async function saveInTurn(id: string): Promise<void> {
    const waiting = ofRecord(id).find(({ state }) => state === 'waiting')
    if (underWay(id) || !waiting) return
    cells.change(waiting, { state: 'saving' })
    try {
      const saved = await send(waiting)
      const cell = underWay(id)
      if (cell && saved === null) refuse(cell, 'Somebody else has changed this, too.')
      else if (cell) {
        cells.drop([cell])
        if (saved) follow(saved)
      }
    } catch (error) {
      const cell = underWay(id)
      if (cell) refuse(cell, problemIn(error as Error, cell.path))
    }
    await saveInTurn(id)
  }

  /** Null where both changed the same; undefined where it says what is known already. */
  async function send(cell: UnsavedCell): Promise<FeatureDetail | null | undefined> {
    const draft = overOwn(cell.draft ?? (await draftOfLate(cell)))
    const problem = problemsOf(draft).get(cell.path)
    if (problem !== undefined) throw new Error(problem)
    if (draft.asked.length > 0) {
      keepOver(draft)
      return null
    }
    if (changesOf(draft).length === 0) return undefined
    const saved = await saving.mutateAsync({ draft })
    return saved === null ? null : saved.detail
  }

  /** Somebody has gone on before the details of the record were there. */
  async function draftOfLate(cell: UnsavedCell): Promise<Draft> {
    const { id } = cell.feature
    const detail =
      client.getQueryData(featureDetailQuery(mapId, id).queryKey) ?? (await getFeature(mapId, id))
    const { fields } = await client.ensureQueryData(ownFieldsQuery(mapId))
    const draft = withText(newDraft(detail, fields), cell.path, cell.text)
    keepOver(draft)
    return draft
  }

  /** The same, made to what other cells of the record have led to meanwhile: that was nobody else. */
  function overOwn(draft: Draft): Draft {
    const saved = cells.lastSaved(draft.base)
    return saved && saved.version > draft.base.version ? { ...rebase(draft, saved), told: [] } : draft
  }

  function refuse(cell: UnsavedCell, problem: string) {
    // Something else has been typed there since: that is what counts.
    if (cells.of(placeOf(cell)) !== cell) return cells.drop([cell])
    cells.change(cell, { state: 'refused', problem })
    cells.want({ ...placeOf(cell), isAsked: false })
  }

  /** The table shows it before it has asked again. */
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
    /** It cannot be saved like this. */
    keepRefused: add,
  }
}

/** What is wrong with one field of a record, as the server says it. */
function problemIn(error: Error, path: string): string {
  const refused = error instanceof RequestError ? error.fields : []
  const message = (refused.find(({ name }) => name === path) ?? refused[0])?.message ?? error.message
  return message.charAt(0).toUpperCase() + message.slice(1)
}

export function withText(draft: Draft, path: string, text: string | null): Draft {
  const known = text ?? valuesOf(draft)[path] ?? ''
  return { ...draft, values: { ...draft.values, [path]: known } }
}

/** What was chosen by its name is called so. */
function withNames(client: QueryClient, detail: FeatureDetail): FeatureDetail {
  const id = 'parcelId' in detail ? detail.parcelId : null
  const name = id === null ? undefined : findSummary(client, detail.mapId, id)?.name
  return name === undefined
    ? detail
    : { ...detail, referenceNames: { ...detail.referenceNames, parcelId: name } }
}

/** A row of the table, as its details tell it. */
function rowOf(row: FeatureSummary, detail: FeatureDetail): FeatureSummary {
  const values = Object.entries(row.values ?? {}).map(([path, before]) => {
    const said = valueAt(detail, path)
    // What stands in no definition is not told there.
    return [path, said === undefined ? before : said]
  })
  const parcelId = 'parcelId' in detail ? detail.parcelId : null
  return {
    ...row,
    ...knownOf(detail),
    version: detail.version,
    date: 'date' in detail ? detail.date : row.date,
    parcel: parcelId === null ? null : { id: parcelId, name: detail.referenceNames.parcelId ?? '' },
    ...(row.values ? { values: Object.fromEntries(values) } : {}),
  }
}
