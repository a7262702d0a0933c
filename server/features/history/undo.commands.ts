import { removedSince } from '#domain/features/history.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import type { FeatureHistoryTable } from '../../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError } from '../../domain-error.ts'
import { lockRanks } from '../../thinning/write-features.queries.ts'
import { readBulkRow } from '../bulk/bulk-changes.queries.ts'
import { type Change, idOf, type Operation } from '../changes/change-context.ts'
import {
  changeFeaturesIn,
  changePartIn,
  type Outcome,
  type PartOutcome,
} from '../changes/change-features.commands.ts'
import {
  type ChangedFields,
  changedEntries,
  compareFeatures,
  isAsLeftBy,
  undoFields,
} from '../changes/changed-fields.ts'
import { skipReasons } from '../changes/decide-changes.ts'
import { readEntries, toEntries } from '../maintenance/maintenance-entries.queries.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { readRowsOf } from '../rows/feature-rows.queries.ts'
import { deleteExpiredRemovals, readHistoryOfChange, readRemoved } from './feature-history.queries.ts'
import { readPreviousState } from './feature-history.ts'
import { markLandChange } from './land-changes.queries.ts'
import { moveFilesBack } from './moved-files.queries.ts'

// Undoing is a change: operations that restore what the history stores. A change, a bulk change, the removals of an
// import and one version of a feature differ only in the stored states.

/** `kept` are the ids of features that were changed since and stay unchanged. */
export type Undone = { items: Outcome; kept: string[] }

export function undoChange(database: Database, change: Change & { undoes: string }): Promise<Undone> {
  const { mapId, undoes } = change
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    await deleteExpiredRemovals(transaction, mapId, removedSince(Date.now()))
    if (await readBulkRow(transaction, mapId, undoes))
      throw new ConflictError(`Change ${undoes} is a bulk change. Undo it as a bulk change.`)
    const entries = await readHistoryOfChange(transaction, mapId, undoes)
    if (entries.length === 0) throw new NotFoundError(`Map ${mapId} has no change ${undoes}.`)
    const inverted = await invert(transaction, mapId, entries)
    // Half of a change of borders would leave gaps and overlaps.
    const isPossible = inverted.length === entries.length || !isOfBorders(entries)
    const operations = isPossible ? inverted : []
    const isRepeated = (await readHistoryOfChange(transaction, mapId, change.changeId)).length > 0
    const items =
      isRepeated || operations.length > 0
        ? await changeFeaturesIn(database, transaction, change, operations)
        : []
    const done = new Set(items.map(({ id }) => id))
    // If some records prevent the undo, only they were changed since.
    const unchanged = isPossible ? done : new Set(inverted.map(idOf))
    const skipped = entries.map(({ feature_id }) => feature_id).filter((id) => !unchanged.has(id))
    if (!isRepeated) {
      const original = await originalOf(transaction, mapId, undoes)
      await moveFilesBack(transaction, { mapId, ...original, origins: done })
      // A change that was undone in part remains in the lineage.
      if (skipped.length === 0) await markLandChange(transaction, mapId, original)
    }
    return { items, kept: skipped }
  })
}

const isOfBorders = (entries: readonly FeatureHistoryTable[]) =>
  entries.length > 1 &&
  entries.some(({ action, changed }) => action === 'changed' && 'geometry' in JSON.parse(changed))

/** An undo can be undone as well: follows the undos back to the first change. */
async function originalOf(
  transaction: WriteTransaction,
  mapId: string,
  undoes: string,
): Promise<{ changeId: string; isUndone: boolean }> {
  let changeId = undoes
  for (let isUndone = true; ; isUndone = !isUndone) {
    const [entry] = await readHistoryOfChange(transaction, mapId, changeId)
    if (!entry?.undoes) return { changeId, isUndone }
    changeId = entry.undoes
  }
}

export async function undoPartIn(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  entries: readonly FeatureHistoryTable[],
): Promise<PartOutcome> {
  const operations = await invert(transaction, change.mapId, entries)
  const outcome = await changePartIn(database, transaction, change, operations)
  const tried = new Set(operations.map(idOf))
  const changed = entries.map(({ feature_id: id }) => id).filter((id) => !tried.has(id))
  const skipped = changed.map((id) => ({ id, reason: skipReasons.changed }))
  return { ...outcome, skipped: [...skipped, ...outcome.skipped] }
}

export type HistoryPoint = { changeId: string; isBefore: boolean }

export function restoreVersion(
  database: Database,
  change: Change,
  { id, isExpected, point }: { id: string; isExpected: Expectation; point: HistoryPoint },
): Promise<Outcome> {
  const { mapId } = change
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    const feature = await readPreviousState(transaction, mapId, id, point)
    if (!feature) throw new NotFoundError(`Feature ${id} has no such version.`)
    return changeFeaturesIn(database, transaction, change, [{ action: 'replace', id, isExpected, feature }])
  })
}

async function invert(
  transaction: WriteTransaction,
  mapId: string,
  entries: readonly FeatureHistoryTable[],
): Promise<Operation[]> {
  const ids = entries.map((entry) => entry.feature_id)
  const rows = await readRowsOf(transaction, mapId, ids)
  const removed = await readRemoved(transaction, mapId, ids)
  const stored = await readEntries(transaction, mapId, ids)
  return entries.flatMap(({ feature_id: id, action, changed }): Operation[] => {
    const row = rows.get(id)
    const fields: ChangedFields = JSON.parse(changed)
    if (action === 'removed') {
      const last = removed.get(id)
      const isSame = last && isEqual(compareFeatures(JSON.parse(last.feature), undefined), fields)
      return !row && isSame ? [{ action: 'restore', id }] : []
    }
    if (!row) return []
    const maintenance = toEntries(stored.get(id) ?? [])
    const [entry] = changedEntries(fields)
    // The change of one maintenance entry can be undone even if other parts of the asset were changed since.
    if (action === 'changed' && entry && Object.keys(fields).length === 1) {
      const [entryId, before, after] = entry
      const isUnchanged = JSON.stringify(maintenance[entryId] ?? null) === JSON.stringify(after)
      return isUnchanged ? [{ action: 'maintain', id, entryId, decide: () => before }] : []
    }
    const isExpected = (current: number) => current === row.version
    const state = { ...toNewFeature(row), maintenance }
    // Later changes of these fields may have been undone: the values decide, not the version.
    if (action !== 'changed')
      return isEqual(compareFeatures(undefined, state), fields) ? [{ action: 'remove', id, isExpected }] : []
    if (!isAsLeftBy(state, fields)) return []
    return [{ action: 'replace', id, isExpected, feature: undoFields(state, fields) }]
  })
}
