import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import { type FeatureStatus, operationalStatuses } from '#domain/definition/kinds.ts'
import { type DefinedKind, featureName, hasField } from '#domain/features/definitions.ts'
import { type HistoryAction, removedSince } from '#domain/features/history.schema.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import type { LandChange } from '#domain/features/land-change.schema.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import { recordActivity } from '../../activity/activity.queries.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import { Pauses } from '../../database/pauses.ts'
import type { FeatureColumns, FeatureHistoryTable } from '../../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError, RefusedError } from '../../domain-error.ts'
import { examineShapes } from '../../geometry/examine-shapes.ts'
import { joinExtents } from '../../geometry/extents.ts'
import { queueReportNews } from '../../mail/queue-news.queries.ts'
import { requireOpenMapIn } from '../../maps/maps.queries.ts'
import { readMerge } from '../../merges/merges.queries.ts'
import {
  insertFeatures,
  lockRanks,
  removeFeatures,
  updateFeatures,
} from '../../thinning/write-features.queries.ts'
import {
  deleteExpiredRemovals,
  deleteRemoved,
  insertHistory,
  insertRemoved,
  readHistoryOfChange,
  readLastChanges,
} from '../history/feature-history.queries.ts'
import { insertLandChange } from '../history/land-changes.queries.ts'
import { moveFiles, readFeatureOfFile } from '../history/moved-files.queries.ts'
import { writeEntries } from '../maintenance/maintenance-entries.queries.ts'
import { kindOfRow } from '../rows/derive-columns.ts'
import { toFeatureRow } from '../rows/feature-row.ts'
import { lockFeatures, readRowsOf } from '../rows/feature-rows.queries.ts'
import { type Change, type ChangeContext, idOf, loadContext, type Operation } from './change-context.ts'
import { changedEntries } from './changed-fields.ts'
import { decideChanges, decidePossible, type Skipped, type Step } from './decide-changes.ts'
import { findFollowers } from './follow-land.ts'

// All changes that people make to features: one or many, all or nothing, with history and one activity.

/** In the order of the operations; `row` is null for a removed feature. */
export type Outcome = { id: string; row: FeatureColumns | null }[]

const rankedFields = ['geometry', 'type', 'featureType', 'date']

export async function changeFeatures(
  database: Database,
  change: Change,
  operations: readonly Operation[],
): Promise<Outcome> {
  const examine = await examineShapes(change.mapId, operations.map(shapeOf))
  return database.write((transaction) =>
    changeFeaturesIn(database, transaction, { ...change, examine }, operations),
  )
}

export async function changeFeature(
  database: Database,
  change: Change,
  operation: Operation,
): Promise<FeatureColumns> {
  return rowOf(await changeFeatures(database, change, [operation]), change.mapId)
}

export function rowOf([outcome]: Outcome, mapId: string): FeatureColumns {
  if (!outcome?.row) throw new NotFoundError(`Map ${mapId} does not have this feature.`)
  return outcome.row
}

function shapeOf(operation: Operation): unknown {
  if (operation.action === 'add') return operation.feature.geometry
  return operation.action === 'change' ? operation.change.geometry : undefined
}

export async function changeFeaturesIn(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  operations: readonly Operation[],
): Promise<Outcome> {
  const { mapId, person, changeId, undoes = null } = change
  await requireOpenMapIn(transaction, mapId)
  if (operations.some(affectsRanks)) await lockRanks(transaction, database.engine, mapId)
  await refuseMerged(transaction, mapId, operations)
  const made = await readHistoryOfChange(transaction, mapId, changeId)
  if (made.length > 0) return repeatOutcome(transaction, change, operations, made)
  const now = Date.now()
  if (operations.some(({ action }) => !['change', 'replace', 'maintain'].includes(action)))
    await deleteExpiredRemovals(transaction, mapId, removedSince(now))
  const context = await loadContext(database, transaction, change, operations, now)
  const steps = await decideChanges(context, operations)
  const changing = steps.filter(isChange)
  if (changing.length === 0) {
    if (change.land) throw new RefusedError('land', 'needs features that change')
    return steps.map(({ id, row }) => ({ id, row: row ?? null }))
  }
  const followers = await findFollowers(context, changing)
  const written = await write(context, changing)
  if (change.land) await writeLandChange(transaction, { ...change, land: change.land, at: now }, changing)
  const extents = [written.extent]
  if (followers.length > 0) {
    const following = await loadContext(database, transaction, change, followers, now)
    const moved = (await decideChanges(following, followers)).filter(isChange)
    extents.push((await write(following, moved)).extent)
  }
  const details = undoes === null ? { changeId } : { changeId, undoes }
  const activity = describe(changing, written.rows, details, change)
  await recordActivity(transaction, { mapId, actor: person, ...activity, extent: joinExtents(extents) }, now)
  return steps.map((step) => ({
    id: step.id,
    row: (isChange(step) ? written.rows.get(step.id) : step.row) ?? null,
  }))
}

/** Restored alone, an incident would lack its photos and notes. */
async function refuseMerged(transaction: WriteTransaction, mapId: string, operations: readonly Operation[]) {
  for (const operation of operations) {
    if (operation.action !== 'restore') continue
    const merge = await readMerge(transaction, { mapId, id: operation.id })
    if (merge)
      throw new ConflictError(
        `‘${merge.title}’ was merged into incident ${merge.target_id}. Undo the merge there instead.`,
      )
  }
}

async function writeLandChange(
  transaction: WriteTransaction,
  { mapId, changeId, person, at, land }: Change & { land: LandChange; at: number },
  steps: readonly Step[],
) {
  const names = new Map(
    steps.flatMap(({ id, before, after }) => {
      const feature = after ?? before
      return feature ? [[id, featureName(feature)] as const] : []
    }),
  )
  const named = land.origins.flatMap(({ id, from }) => [id, ...from])
  const unchanged = [...new Set(named)].filter((id) => !names.has(id))
  for (const [id, { name }] of await readRowsOf(transaction, mapId, unchanged)) names.set(id, name)
  const missing = unchanged.find((id) => !names.has(id))
  if (missing !== undefined) throw new RefusedError('land.origins', `names ${missing}, which does not exist`)
  const fileId = land.record?.fileId ?? null
  if (fileId !== null && !names.has((await readFeatureOfFile(transaction, { mapId, fileId })) ?? ''))
    throw new RefusedError('land.record.fileId', 'names a file that no feature of this change has')
  await insertLandChange(transaction, { ...land, mapId, changeId, at, actor: person.name, names })
  const removed = new Set(steps.flatMap(({ id, after }) => (after ? [] : [id])))
  const moves = land.origins.flatMap(({ id: to, from }) =>
    from.filter((origin) => removed.delete(origin)).map((origin) => ({ from: origin, to })),
  )
  await moveFiles(transaction, { mapId, changeId }, moves)
}

export type PartOutcome = {
  changed: Step[]
  sameCount: number
  skipped: Skipped[]
  extent: Extent | null
}

/**
 * Makes one part of a large change and skips impossible operations. The caller calls `lockRanks` first if an operation
 * affects ranks, records the activity, and makes each part only once.
 */
export async function changePartIn(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  operations: readonly Operation[],
): Promise<PartOutcome> {
  if (operations.length === 0) return { changed: [], sameCount: 0, skipped: [], extent: null }
  const context = await loadContext(database, transaction, change, operations, Date.now())
  const { steps, skipped } = await decidePossible(context, operations)
  const changed = steps.filter(isChange)
  const { extent } = await write(context, changed)
  return { changed, sameCount: steps.length - changed.length, skipped, extent }
}

const idsOf = (steps: readonly Step[]) => steps.map(({ id }) => id)

const isChange = ({ changed }: Step) => Object.keys(changed).length > 0

export function affectsRanks(operation: Operation): boolean {
  if (operation.action === 'maintain') return false
  return operation.action !== 'change' || rankedFields.some((field) => field in operation.change)
}

async function repeatOutcome(
  transaction: WriteTransaction,
  { mapId, person }: Change,
  operations: readonly Operation[],
  made: readonly FeatureHistoryTable[],
): Promise<Outcome> {
  if (made.some((entry) => entry.actor_id !== person.id))
    throw new ConflictError('This id belongs to a change of another user.')
  // Undoing a change again requests nothing.
  const requested = new Set(operations.map(idOf))
  const ids = made.map((entry) => entry.feature_id).filter((id) => requested.size === 0 || requested.has(id))
  const rows = await readRowsOf(transaction, mapId, ids)
  return ids.map((id) => ({ id, row: rows.get(id) ?? null }))
}

type Written = { rows: ReadonlyMap<string, FeatureColumns>; extent: Extent | null }

async function write(context: ChangeContext, steps: readonly Step[]): Promise<Written> {
  if (steps.length === 0) return { rows: new Map(), extent: null }
  const { database, transaction, mapId, now, person, changeId, undoes = null } = context
  const { engine } = database
  const pauses = new Pauses()
  const rows = new Map<string, FeatureColumns>()
  for (const { id, after, row, version, createdAt } of steps) {
    if (after)
      rows.set(id, {
        ...toFeatureRow(after, context),
        import_id: row?.import_id ?? null,
        created_at: createdAt,
        version,
      })
    await pauses.pause()
  }
  const removed = steps.filter(({ after }) => !after)
  const added = steps.filter(({ row }) => !row)
  await removeFeatures(transaction, engine, mapId, idsOf(removed))
  await deleteRemoved(transaction, mapId, idsOf(added))
  const inserted = added.flatMap(({ id }) => rows.get(id) ?? [])
  await insertFeatures(transaction, engine, inserted)
  await pauses.pause()
  const updates = steps.flatMap(({ id, row }) => {
    const next = rows.get(id)
    return row && next ? [{ previous: row, change: differingColumns(row, next) }] : []
  })
  await updateFeatures(transaction, engine, mapId, updates)
  await pauses.pause()
  const entries = steps.flatMap(({ id: featureId, version, changed }) =>
    changedEntries(changed).map(([id, _, entry]) => ({ featureId, id, version, entry })),
  )
  await writeEntries(transaction, mapId, entries)
  const lastAt = await readLastChanges(transaction, mapId, idsOf(steps))
  const atOf = (id: string) => Math.max(now, (lastAt.get(id) ?? 0) + 1)
  const history: FeatureHistoryTable[] = []
  for (const { id, action, changed, version } of steps) {
    history.push({
      map_id: mapId,
      feature_id: id,
      change_id: changeId,
      at: atOf(id),
      version,
      actor: person.name,
      actor_id: person.id,
      token_id: person.tokenId ?? null,
      action,
      undoes,
      changed: JSON.stringify(changed),
    })
    await pauses.pause()
  }
  await insertHistory(transaction, history)
  const progressing = steps.filter(({ changed }) => 'resolved' in changed || 'workState' in changed)
  const before = progressing.flatMap(({ row }) => row ?? [])
  await queueReportNews(transaction, { mapId, incidentIds: idsOf(progressing), before }, now)
  await pauses.pause()
  await insertRemoved(
    transaction,
    removed.flatMap(({ id, before, row, version, createdAt }) =>
      before && row
        ? {
            map_id: mapId,
            id,
            kind: before.kind,
            name: row.name,
            version,
            change_id: changeId,
            created_at: createdAt,
            removed_at: atOf(id),
            removed_by: person.name,
            feature: JSON.stringify(before),
          }
        : [],
    ),
  )
  return { rows, extent: joinExtents(steps.flatMap(({ id, row }) => [row, rows.get(id)])) }
}

function differingColumns(row: FeatureColumns, next: FeatureColumns): Partial<FeatureColumns> {
  return Object.fromEntries(
    Object.entries(next).filter(([column, value]) => row[column as keyof FeatureColumns] !== value),
  )
}

const actionOf: Record<HistoryAction, ActivityAction> = {
  added: 'feature.added',
  changed: 'feature.changed',
  removed: 'feature.removed',
  'put-back': 'feature.put-back',
}

type Details = { changeId: string; undoes?: string }
type Described = { action: ActivityAction; subject?: string; details: Record<string, unknown> }

/** Names fields, never values, which may be personal. */
function describe(
  steps: readonly Step[],
  rows: Written['rows'],
  details: Details,
  change: Pick<Change, 'land'>,
): Described {
  const [only] = steps
  if (only && steps.length === 1) return describeOne(only, rows.get(only.id), details)
  const count = (action: HistoryAction) => steps.filter((step) => step.action === action).length
  const counts = {
    added: count('added') + count('put-back'),
    changed: count('changed'),
    removed: count('removed'),
  }
  const land = landWord(steps, change)
  const records = describeLand(steps, change)
  return {
    action: 'features.changed',
    details: { ...details, ...counts, ...named(steps), ...(land && { land }), ...(records && { records }) },
  }
}

/** Names of more records would not help. */
const maxNamed = 3

const namePart = (feature: Step['after']) => (feature ? featureName(feature) : '')

const named = (steps: readonly Step[]) => ({
  count: steps.length,
  names: steps.slice(0, maxNamed).map(({ before, after }) => namePart(after ?? before)),
})

/** Null if records changed that were not split, merged or added, and are no neighbors of those. */
function describeLand(steps: readonly Step[], { land }: Pick<Change, 'land'>) {
  const origins = land?.origins ?? []
  const sources = new Set(origins.flatMap(({ from }) => from))
  const isLand = ({ id }: Step) => sources.has(id) || origins.some((origin) => origin.id === id)
  const own = steps.filter(isLand)
  const [removed, into] = [own.filter(({ after }) => !after), own.filter(({ after }) => after)]
  const from = removed.length > 0 ? removed : own.filter(({ id }) => sources.has(id))
  const rest = steps.filter((step) => !isLand(step))
  const added = rest.filter(({ action }) => action === 'added')
  const neighbors = rest.filter(
    ({ action, changed, after }) =>
      action === 'changed' && 'geometry' in changed && after?.geometry.type !== 'Point',
  ).length
  const isWhole = rest.length === added.length + neighbors && (own.length === 0 || from.length > 0)
  if (!isWhole || own.length + added.length === 0) return null
  return { from: named(from), into: named(into), added: named(added), neighbors }
}

function landWord(steps: readonly Step[], { land }: Pick<Change, 'land'>): 'merged' | 'split' | null {
  if (!land || land.origins.length === 0) return null
  return steps.some(({ after }) => !after) ? 'merged' : 'split'
}

function describeOne(step: Step, next: FeatureColumns | undefined, details: Details): Described {
  const { id: subject, action, before, after, row, changed } = step
  const name = (next ?? row)?.name ?? ''
  const [entry, ...others] = action === 'changed' ? changedEntries(changed) : []
  if (entry && others.length === 0 && Object.keys(changed).length === 1)
    return { action: maintenanceAction(entry), subject, details: { name, ...details } }
  const fields = Object.keys(changed).filter(
    (field) => field !== 'resolvedDate' && !(field === 'workState' && 'resolved' in changed),
  )
  if (row && next && (fields.join() === 'resolved' || fields.join() === 'status'))
    return {
      action: statusAction(next),
      subject,
      details: { name, before: row.status, after: next.status, ...details },
    }
  const described = { name, kind: (after ?? before)?.kind, ...details }
  return {
    action: actionOf[action],
    subject,
    details: action === 'changed' ? { ...described, fields } : described,
  }
}

function maintenanceAction([, before, after]: ReturnType<typeof changedEntries>[number]): ActivityAction {
  if (!before) return 'maintenance.added'
  return after ? 'maintenance.changed' : 'maintenance.removed'
}

function statusAction({ kind, is_general, status }: FeatureColumns): ActivityAction {
  if (kind !== 'incident' || is_general === 1) return 'asset.status-changed'
  return status === 'resolved' ? 'incident.resolved' : 'incident.reopened'
}

/**
 * Section 4 of the specification: incidents are resolved or reopened, assets set to one of three states. No effect if
 * the status is already set; throws if the kind does not have the status.
 */
export function changeStatus(
  database: Database,
  change: Change,
  { id, status, isExpected }: { id: string; status: FeatureStatus; isExpected: Expectation },
): Promise<FeatureColumns> {
  const { mapId } = change
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const row = (await lockFeatures(database, transaction, mapId, [id])).get(id)
    if (!row) throw new NotFoundError(`Map ${mapId} has no feature ${id}.`)
    const operation = {
      action: 'change',
      id,
      isExpected,
      change: toStatusChange(kindOfRow(row), status),
    } as const
    const [outcome] = await changeFeaturesIn(database, transaction, change, [operation])
    return outcome?.row ?? row
  })
}

function toStatusChange(kind: DefinedKind, status: FeatureStatus): FeatureChange {
  const allowed: readonly FeatureStatus[] =
    kind === 'feature' ? operationalStatuses : kindTraits[kind].statuses
  if (allowed.length === 0) throw new RefusedError('status', 'is not available for parcels')
  if (!allowed.includes(status))
    throw new RefusedError('status', `of this feature must be one of ${allowed.join(', ')}`)
  return hasField({ kind }, 'resolved') ? { resolved: status === 'resolved' } : { status }
}
