import { removedSince } from '#domain/features/history.schema.ts'
import type { Entries } from '#domain/maintenance/follow-entries.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureHistoryTable } from '../database/tables.ts'
import { ConflictError, NotFoundError } from '../domain-error.ts'
import { lockRanks } from '../thinning/write-features.queries.ts'
import { readBulkRow } from './bulk-changes.queries.ts'
import { type Change, changeFeaturesIn, type Outcome } from './change-features.commands.ts'
import { type ChangedFields, changedEntries, type FeatureState, takeBack } from './changed-fields.ts'
import type { Operation } from './decide-changes.ts'
import { forgetRemoved, readHistoryOfChange, readRemoved } from './feature-history.queries.ts'
import { toNewFeature } from './feature-row.ts'
import { readRowsOf } from './features.queries.ts'
import { readEntries, toEntries } from './maintenance-entries.queries.ts'

/** `kept` are the ids of features that somebody changed since: they stay as they are. */
export type Undone = { items: Outcome; kept: string[] }

/** Takes a change back: what it added goes, what it removed returns, what it changed is as it was. */
export function undoChange(database: Database, change: Change & { undoes: string }): Promise<Undone> {
  const { mapId, undoes } = change
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    await forgetRemoved(transaction, mapId, removedSince(Date.now()))
    if (await readBulkRow(transaction, mapId, undoes))
      throw new ConflictError(`Change ${undoes} is one of many features: it is taken back as such.`)
    const entries = await readHistoryOfChange(transaction, mapId, undoes)
    if (entries.length === 0) throw new NotFoundError(`Map ${mapId} has no change ${undoes}.`)
    const ids = entries.map((entry) => entry.feature_id)
    const operations = await reverseAll(transaction, mapId, entries)
    const isAgain = (await readHistoryOfChange(transaction, mapId, change.changeId)).length > 0
    const items =
      isAgain || operations.length > 0
        ? await changeFeaturesIn(database, transaction, change, operations)
        : []
    const done = new Set(items.map(({ id }) => id))
    return { items, kept: ids.filter((id) => !done.has(id)) }
  })
}

/** What takes these back; an entry whose feature was changed since has none. */
export async function reverseAll(
  transaction: WriteTransaction,
  mapId: string,
  entries: readonly FeatureHistoryTable[],
): Promise<Operation[]> {
  const ids = entries.map((entry) => entry.feature_id)
  const present = await readRowsOf(transaction, mapId, ids)
  const removed = await readRemoved(transaction, mapId, ids)
  const maintained = await readEntries(transaction, mapId, ids)
  return entries.flatMap((entry) => {
    const { feature_id: id, version } = entry
    const row = present.get(id)
    const maintenance = toEntries(maintained.get(id) ?? [])
    const ofEntry = reverseEntry(entry, maintenance)
    if (ofEntry) return row ? ofEntry : []
    if (entry.action === 'removed')
      return !row && removed.get(id)?.version === version ? [{ action: 'put-back', id } as const] : []
    return row?.version === version ? [reverse(entry, () => ({ ...toNewFeature(row), maintenance }))] : []
  })
}

/**
 * A change of one entry of the maintenance is taken back whatever else of the asset was changed since, as long as the
 * entry is as the change left it. Undefined is another change.
 */
function reverseEntry(
  { feature_id: id, action, changed }: FeatureHistoryTable,
  present: Entries,
): Operation[] | undefined {
  const fields: ChangedFields = JSON.parse(changed)
  const [entry] = changedEntries(fields)
  if (action !== 'changed' || !entry || Object.keys(fields).length > 1) return undefined
  const [entryId, before, after] = entry
  const isAsLeft = isEqual(present[entryId] ?? null, after)
  return isAsLeft ? [{ action: 'maintain', id, entryId, decide: () => before }] : []
}

function reverse(
  { feature_id: id, version, action, changed }: FeatureHistoryTable,
  read: () => FeatureState,
): Operation {
  const isExpected = (present: number) => present === version
  if (action !== 'changed') return { action: 'remove', id, isExpected }
  return { action: 'replace', id, isExpected, feature: takeBack(read(), JSON.parse(changed)) }
}
