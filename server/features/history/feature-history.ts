import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureHistory, HistoryEntry } from '#domain/features/history.schema.ts'
import type { ReadDatabase } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import {
  type ChangedFields,
  compareFeatures,
  describeChanges,
  undoFields,
  undoRemoval,
} from '../changes/changed-fields.ts'
import { readNames } from '../lists/feature-summaries.queries.ts'
import { readEntries, toEntries } from '../maintenance/maintenance-entries.queries.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { readRowsOf } from '../rows/feature-rows.queries.ts'
import { countFeaturesOf, readHistory, readImportsOf } from './feature-history.queries.ts'

/** `before` and `after` are undefined if the feature was not on the map. */
type Past = {
  entry: Omit<HistoryEntry, 'changes' | 'others' | 'isUndoable'>
  changed: ChangedFields
  before: NewFeature | undefined
  after: NewFeature | undefined
}

export async function readFeatureHistory(
  read: ReadDatabase,
  mapId: string,
  id: string,
): Promise<FeatureHistory | undefined> {
  const past = await readPast(read, mapId, id)
  if (!past) return undefined
  const counts = await countFeaturesOf(
    read,
    mapId,
    past.map(({ entry }) => entry.changeId),
  )
  const items = past.map(({ entry, changed }) => ({
    ...entry,
    others: Math.max(0, (counts.get(entry.changeId) ?? 0) - 1),
    isUndoable: counts.has(entry.changeId),
    changes: describeChanges(changed),
  }))
  const parcels = items.flatMap(({ changes }) =>
    changes.flatMap(({ field, before, after }) => (field === 'parcelId' ? [before, after] : [])),
  )
  const ids = [...new Set(parcels)].filter((parcelId) => typeof parcelId === 'string')
  return { items, names: Object.fromEntries(await readNames(read, mapId, 'parcel', ids)) }
}

export async function readPreviousState(
  read: ReadDatabase,
  mapId: string,
  id: string,
  { changeId, isBefore }: { changeId: string; isBefore: boolean },
): Promise<NewFeature | undefined> {
  const past = (await readPast(read, mapId, id))?.find(({ entry }) => entry.changeId === changeId)
  return isBefore ? past?.before : past?.after
}

/** Undefined if the feature was not on the map then. */
export async function readStateAt(
  read: ReadDatabase,
  mapId: string,
  { id, createdAt }: { id: string; createdAt: number },
  at: number,
): Promise<NewFeature | undefined> {
  const past = await readPast(read, mapId, id)
  const last = past?.find(({ entry }) => Date.parse(entry.at) <= at)
  if (last) return last.after
  return createdAt <= at ? past?.at(-1)?.before : undefined
}

/** Walks back from the current feature: every entry stores the values that it replaced. */
async function readPast(read: ReadDatabase, mapId: string, id: string): Promise<Past[] | undefined> {
  const row = (await readRowsOf(read, mapId, [id])).get(id)
  const [own, imports] = [await readHistory(read, mapId, id), await readImportsOf(read, mapId, id)]
  if (!row && own.length === 0) return undefined
  const newestFirst = [
    ...own.map((change) => ({ at: change.at, change })),
    ...imports.map((imported) => ({ at: imported.finished_at ?? imported.started_at, imported })),
  ].toSorted((a, b) => b.at - a.at)
  const imported = (await readEntries(read, mapId, [id])).get(id) ?? []
  let state: NewFeature | undefined = row && toNewFeature(row)
  return newestFirst.map((one) => {
    const after = state
    const at = new Date(one.at).toISOString()
    if ('change' in one) {
      const { change_id: changeId, version, actor, token_id: tokenId, action, undoes } = one.change
      const changed: ChangedFields = JSON.parse(one.change.changed)
      if (action === 'changed') state = state && undoFields(state, changed)
      else state = action === 'removed' ? undoRemoval({ mapId, id }, changed) : undefined
      const entry = { changeId, at, actor, tokenId, action, source: null, version, undoes }
      return { entry, changed, before: state, after }
    }
    const { import_id: changeId, previous, source } = one.imported
    const replaced: FeatureColumns | null = previous === null ? null : JSON.parse(previous)
    state = replaced
      ? toNewFeature({ ...replaced, is_general: replaced.is_general ?? 0, map_id: mapId })
      : undefined
    const version = (replaced?.version ?? 0) + 1
    const nobody = { actor: null, tokenId: null, undoes: null }
    const entry = { changeId, at, ...nobody, action: 'imported' as const, source, version }
    const maintenance = toEntries(imported.filter(({ importId }) => importId === changeId))
    const changed = compareFeatures(state, after && { ...after, maintenance })
    return { entry, changed, before: state, after }
  })
}
