import { z } from 'zod'
import { noRole } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import type { BulkOperation } from '#domain/features/bulk-change.schema.ts'
import { type BulkState, bulkBatchSize, maxBulk } from '#domain/features/bulk-change.ts'
import { removedSince } from '#domain/features/history.schema.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { recordActivity } from '../../activity/activity.queries.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { BulkChangesTable } from '../../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../../domain-error.ts'
import { defineJob, type StepTask } from '../../jobs/job-kind.ts'
import { insertJob } from '../../jobs/jobs.queries.ts'
import { requireOpenMapIn } from '../../maps/maps.queries.ts'
import { lockRanks } from '../../thinning/write-features.queries.ts'
import type { Operation } from '../changes/change-context.ts'
import { affectsRanks, changePartIn, type PartOutcome } from '../changes/change-features.commands.ts'
import { skipReasons } from '../changes/decide-changes.ts'
import { deleteExpiredRemovals, readHistoryOfPart } from '../history/feature-history.queries.ts'
import { undoPartIn } from '../history/undo.commands.ts'
import { readRowsOf } from '../rows/feature-rows.queries.ts'
import {
  deleteItemsToDo,
  finishItems,
  insertBulkRow,
  lockBulkRow,
  readBulkRow,
  readItemsToDo,
  readSelectedByChange,
  type Selected,
  updateBulkRow,
} from './bulk-changes.queries.ts'

// Bulk changes select their features at the start. The first batch is changed immediately, the rest by a job with one
// transaction per batch.

const bulkJob = 'bulk-change'

export const bulkChangeJob = defineJob({
  name: bulkJob,
  payload: z.object({ id: z.string() }),
  step: stepBulkChange,
  giveUp: (transaction, { database, mapId, payload }) =>
    failBulkChange(database, transaction, mapId, payload.id),
})

export type BulkRequest = { mapId: string; person: Person; id: string }

/** Idempotent. `count` is the number of features that the sender saw. */
export async function startBulkChange(
  database: Database,
  request: BulkRequest,
  operation: BulkOperation,
  { selected, count }: { selected: Selected; count: number | undefined },
): Promise<void> {
  const total = selected.items.length
  refuseSingleFields(operation)
  await database.write(async (transaction) => {
    if (await hasStarted(transaction, request)) return
    if (total === 0) throw new RefusedError('filter', 'matches no features')
    if (total > maxBulk)
      throw new RefusedError('filter', `matches more than ${formatNumber(maxBulk)} features. Narrow it`)
    if (count !== undefined && count !== total)
      throw new ConflictError(
        `The filter now matches ${counted(total, 'feature')} instead of ${formatNumber(count)}. Review them and try again.`,
      )
    const patch = operation.patch ?? {}
    await begin(database, transaction, request, { action: operation.kind, patch, undoes: null }, selected)
  })
}

function refuseSingleFields(operation: BulkOperation) {
  if (operation.kind !== 'change') return
  const keys = Object.keys(operation.patch ?? {})
  if (keys.length === 0) throw new RefusedError('patch', 'must change at least one field')
  const fixed = keys.filter((key) => ['geometry', 'metadata', 'id', 'mapId', 'kind'].includes(key))
  if (fixed.length > 0)
    throw new RefusedError(
      fixed.map((key) => ({ field: `patch.${key}`, reason: 'cannot be changed in bulk' })),
    )
}

/** Skips features that were changed since. */
export async function undoBulkChange(
  database: Database,
  request: BulkRequest & { undoes: string },
): Promise<void> {
  const { mapId, undoes } = request
  await database.write(async (transaction) => {
    if (await hasStarted(transaction, request)) return
    const undone = await readBulkRow(transaction, mapId, undoes)
    if (!undone) throw new NotFoundError(`Map ${mapId} has no bulk change ${undoes}.`)
    if (undone.state === 'running') throw new ConflictError('The change is still running. Cancel it first.')
    await lockRanks(transaction, database.engine, mapId)
    await deleteExpiredRemovals(transaction, mapId, removedSince(Date.now()))
    const items = await readSelectedByChange(transaction, mapId, undoes)
    const undoneKinds = JSON.parse(undone.kinds)
    const [kind, ...others] = Object.keys(undoneKinds)
    const kinds = kind && others.length === 0 ? { [kind]: items.length } : undoneKinds
    const bulk = { action: 'undo', patch: JSON.parse(undone.patch), undoes } as const
    await begin(database, transaction, request, bulk, { items, kinds })
  })
}

async function hasStarted(
  transaction: WriteTransaction,
  { mapId, person, id }: BulkRequest,
): Promise<boolean> {
  await requireOpenMapIn(transaction, mapId)
  const row = await readBulkRow(transaction, mapId, id)
  const [other] = row ? [] : await readSelectedByChange(transaction, mapId, id)
  if (other || (row && row.actor_id !== person.id))
    throw new ConflictError('This id belongs to another change.')
  return row !== undefined
}

async function begin(
  database: Database,
  transaction: WriteTransaction,
  { mapId, person, id }: BulkRequest,
  { action, patch, undoes }: Pick<BulkChangesTable, 'action' | 'undoes'> & { patch: FeatureChange },
  { items, kinds }: Selected,
) {
  const now = Date.now()
  const row: BulkChangesTable = {
    map_id: mapId,
    id,
    action,
    patch: JSON.stringify(patch),
    undoes,
    state: 'running',
    kinds: JSON.stringify(kinds),
    total: items.length,
    changed: 0,
    same: 0,
    left_count: 0,
    actor: person.name,
    actor_id: person.id,
    token_id: person.tokenId ?? null,
    started_at: now,
    finished_at: null,
  }
  if (action === 'remove') {
    await lockRanks(transaction, database.engine, mapId)
    await deleteExpiredRemovals(transaction, mapId, removedSince(now))
  }
  await insertBulkRow(database, transaction, row, items)
  if (items.length > bulkBatchSize)
    await insertJob(transaction, { mapId, kind: bulkJob, key: id, payload: { id } }, now)
  else await changeNext(database, transaction, row)
}

function stepBulkChange(task: StepTask<{ id: string }>): Promise<'more' | 'done'> {
  const { database, mapId, payload, noteProgress } = task
  const { id } = payload
  return database.write(async (transaction) => {
    await noteProgress(transaction)
    const row = await lockBulkRow(database, transaction, mapId, id)
    if (row?.state !== 'running') return 'done'
    try {
      await requireOpenMapIn(transaction, mapId)
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      await endBulkChange(transaction, row, 'cancelled', null)
      return 'done'
    }
    return changeNext(database, transaction, row)
  })
}

export async function cancelBulkChange(database: Database, mapId: string, id: string): Promise<void> {
  await database.write(async (transaction) => {
    const row = await lockBulkRow(database, transaction, mapId, id)
    if (!row) throw new NotFoundError(`Map ${mapId} has no bulk change ${id}.`)
    if (row.state === 'running') await endBulkChange(transaction, row, 'cancelled', null)
  })
}

async function failBulkChange(
  database: Database,
  transaction: WriteTransaction,
  mapId: string,
  id: string,
): Promise<void> {
  const row = await lockBulkRow(database, transaction, mapId, id)
  if (row?.state === 'running') await endBulkChange(transaction, row, 'failed', null)
}

async function changeNext(
  database: Database,
  transaction: WriteTransaction,
  row: BulkChangesTable,
): Promise<'more' | 'done'> {
  const { map_id: mapId, id } = row
  const items = await readItemsToDo(transaction, mapId, id)
  const outcome = await changeItems(database, transaction, row, items)
  const featureIds = items.map(({ feature_id }) => feature_id)
  if (items.length > 0) await finishItems(transaction, row, featureIds, outcome.skipped)
  const counted = {
    changed: row.changed + outcome.changed.length,
    same: row.same + outcome.sameCount,
    left_count: row.left_count + outcome.skipped.length,
  }
  await updateBulkRow(transaction, row, counted)
  const { extent } = outcome
  if (items.length < bulkBatchSize || counted.changed + counted.same + counted.left_count >= row.total) {
    await endBulkChange(transaction, { ...row, ...counted }, 'done', extent)
    return 'done'
  }
  if (outcome.changed.length > 0) {
    const details = { changeId: id }
    const activity = {
      mapId,
      actor: actorOf(row),
      action: 'features.bulk-changing',
      details,
      extent,
    } as const
    await recordActivity(transaction, activity, Date.now())
  }
  return 'more'
}

type Item = { feature_id: string; version: number }

async function changeItems(
  database: Database,
  transaction: WriteTransaction,
  row: BulkChangesTable,
  items: readonly Item[],
): Promise<PartOutcome> {
  const { map_id: mapId, id: changeId, action, undoes } = row
  const patch: FeatureChange = JSON.parse(row.patch)
  const untouched = action === 'change' ? await readUntouched(transaction, row, patch, items) : new Map()
  const operations = items.map(({ feature_id: id, version }): Operation => {
    const isExpected = (current: number) => current === version || current === untouched.get(id)
    return action === 'remove'
      ? { action: 'remove', id, isExpected }
      : { action: 'change', id, isExpected, change: patch }
  })
  if (undoes !== null || operations.some(affectsRanks)) await lockRanks(transaction, database.engine, mapId)
  const change = { mapId, person: { ...actorOf(row), roles: noRole }, changeId, undoes }
  if (undoes === null) return changePartIn(database, transaction, change, operations)
  const featureIds = items.map(({ feature_id }) => feature_id)
  const entries = await readHistoryOfPart(transaction, mapId, featureIds, { changeId: undoes })
  const outcome = await undoPartIn(database, transaction, change, entries)
  const found = new Set(entries.map(({ feature_id }) => feature_id))
  const forgotten = featureIds
    .filter((id) => !found.has(id))
    .map((id) => ({ id, reason: skipReasons.changed }))
  return { ...outcome, skipped: [...forgotten, ...outcome.skipped] }
}

/**
 * The current versions of features that were changed since the start, but in other fields. Requires a complete history:
 * features that an import replaced have none.
 */
async function readUntouched(
  transaction: WriteTransaction,
  { map_id: mapId, started_at: startedAt }: BulkChangesTable,
  change: FeatureChange,
  items: readonly Item[],
): Promise<Map<string, number>> {
  const rows = await readRowsOf(
    transaction,
    mapId,
    items.map(({ feature_id }) => feature_id),
  )
  const stale = items.filter(({ feature_id, version }) => (rows.get(feature_id)?.version ?? 0) > version)
  const since = startedAt - clockToleranceMs
  const featureIds = stale.map(({ feature_id }) => feature_id)
  const entries = Map.groupBy(
    await readHistoryOfPart(transaction, mapId, featureIds, { since }),
    ({ feature_id }) => feature_id,
  )
  const untouched = new Map<string, number>()
  for (const { feature_id: id, version } of stale) {
    const currentVersion = rows.get(id)?.version ?? 0
    const later = (entries.get(id) ?? []).filter((entry) => entry.version > version)
    const isWhole =
      later.length === currentVersion - version && later.every(({ action }) => action === 'changed')
    const fields = new Set(later.flatMap(({ changed }) => Object.keys(JSON.parse(changed))))
    if (isWhole && !Object.keys(change).some((field) => fields.has(field))) untouched.set(id, currentVersion)
  }
  return untouched
}

const clockToleranceMs = 60_000

async function endBulkChange(
  transaction: WriteTransaction,
  row: BulkChangesTable,
  state: BulkState,
  extent: Extent | null,
) {
  const now = Date.now()
  const { map_id: mapId, id, action, undoes, changed: count, total, left_count: left } = row
  await deleteItemsToDo(transaction, row)
  await updateBulkRow(transaction, row, { state, finished_at: now })
  if (count === 0) return
  const patch = JSON.parse(row.patch)
  const details = {
    changeId: id,
    action,
    kinds: JSON.parse(row.kinds),
    // Values other than the status may be personal.
    fields: Object.keys(patch),
    ...('status' in patch ? { status: patch.status } : {}),
    ...('resolved' in patch ? { status: patch.resolved === true ? 'resolved' : 'unresolved' } : {}),
    count,
    total,
    left,
    state,
    ...(undoes === null ? {} : { undoes }),
  }
  const actor = actorOf(row)
  await recordActivity(transaction, { mapId, actor, action: 'features.bulk-changed', details, extent }, now)
}

function actorOf({ actor: name, actor_id: id, token_id: tokenId }: BulkChangesTable) {
  return tokenId === null ? { id, name } : { id, name, tokenId }
}
