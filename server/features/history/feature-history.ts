import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureHistory, HistoryEntry } from '#domain/features/history.schema.ts'
import type { ReadDatabase } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import {
  type ChangedFields,
  compareFeatures,
  takeBack,
  takeBackRemoval,
  tellChanges,
} from '../changes/changed-fields.ts'
import { readNames } from '../lists/feature-summaries.queries.ts'
import { readEntries, toEntries } from '../maintenance/maintenance-entries.queries.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { readRowsOf } from '../rows/feature-rows.queries.ts'
import { readHistory, readImportsOf } from './feature-history.queries.ts'

/** One entry, and the feature before and after it; undefined is not on the map. */
type Past = {
  entry: Omit<HistoryEntry, 'changes'>
  changed: ChangedFields
  before: NewFeature | undefined
  after: NewFeature | undefined
}

/** What was done to a feature, newest first, by people and by imports; undefined where nobody ever had one with this id. */
export async function readFeatureHistory(
  read: ReadDatabase,
  mapId: string,
  id: string,
): Promise<FeatureHistory | undefined> {
  const past = await readPast(read, mapId, id)
  if (!past) return undefined
  const items = past.map(({ entry, changed }) => ({ ...entry, changes: tellChanges(changed) }))
  const parcels = items.flatMap(({ changes }) =>
    changes.flatMap(({ field, before, after }) => (field === 'parcelId' ? [before, after] : [])),
  )
  const ids = [...new Set(parcels)].filter((parcelId) => typeof parcelId === 'string')
  return { items, names: Object.fromEntries(await readNames(read, mapId, 'parcel', ids)) }
}

/** The feature as it was after a change, or before it; undefined where there is none such. */
export async function readFormerState(
  read: ReadDatabase,
  mapId: string,
  id: string,
  { changeId, isBefore }: { changeId: string; isBefore: boolean },
): Promise<NewFeature | undefined> {
  const past = (await readPast(read, mapId, id))?.find(({ entry }) => entry.changeId === changeId)
  return isBefore ? past?.before : past?.after
}

/** Goes back from the feature as it is: every entry knows what it replaced. */
async function readPast(read: ReadDatabase, mapId: string, id: string): Promise<Past[] | undefined> {
  const row = (await readRowsOf(read, mapId, [id])).get(id)
  const [own, imports] = [await readHistory(read, mapId, id), await readImportsOf(read, mapId, id)]
  if (!row && own.length === 0) return undefined
  const done = [
    ...own.map((one) => ({ at: one.at, one })),
    ...imports.map((imported) => ({ at: imported.finished_at ?? imported.started_at, imported })),
  ].toSorted((a, b) => b.at - a.at)
  const brought = (await readEntries(read, mapId, [id])).get(id)?.filter(({ importId }) => importId) ?? []
  let state: NewFeature | undefined = row && toNewFeature(row)
  const past: Past[] = []
  for (const entry of done) {
    const after = state
    if ('one' in entry) {
      const { change_id: changeId, version, actor, token_id: tokenId, action, undoes, at } = entry.one
      const changed: ChangedFields = JSON.parse(entry.one.changed)
      if (action === 'added' || action === 'put-back') state = undefined
      else if (action === 'changed') state = state && takeBack(state, changed)
      else state = takeBackRemoval({ mapId, id }, changed)
      const source = null
      const said = {
        changeId,
        at: new Date(at).toISOString(),
        actor,
        tokenId,
        action,
        source,
        version,
        undoes,
      }
      past.push({ entry: said, changed, before: state, after })
    } else {
      const { import_id: changeId, previous, source } = entry.imported
      const former = previous === null ? undefined : (JSON.parse(previous) as FeatureColumns)
      state = former && toNewFeature({ ...former, is_general: former.is_general ?? 0, map_id: mapId })
      const version = (former?.version ?? 0) + 1
      const said = {
        changeId,
        at: new Date(entry.at).toISOString(),
        actor: null,
        tokenId: null,
        action: 'imported' as const,
        source,
        version,
        undoes: null,
      }
      const maintenance = toEntries(brought.filter(({ importId }) => importId === changeId))
      const changed = compareFeatures(state, after && { ...after, maintenance })
      past.push({ entry: said, changed, before: state, after })
    }
  }
  return past
}
