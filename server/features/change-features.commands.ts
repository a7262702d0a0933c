import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activities.ts'
import type { ExaminedShape } from '#domain/features/change-feature.ts'
import { type HistoryAction, removedSince } from '#domain/features/history.schema.ts'
import { severityKinds } from '#domain/features/kind-traits.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import type { Database, Extent, WriteTransaction } from '../database/database.ts'
import { Pauses } from '../database/pauses.ts'
import type { FeatureColumns, FeatureHistoryTable } from '../database/tables.ts'
import { ConflictError } from '../domain-error.ts'
import { examineShapes } from '../geometry/examine-shapes.ts'
import { joinExtents } from '../geometry/extents.ts'
import { requireOpenMapIn } from '../maps/maps.queries.ts'
import {
  insertFeatures,
  lockRanks,
  removeFeatures,
  updateFeatures,
} from '../thinning/write-features.queries.ts'
import { changedEntries } from './changed-fields.ts'
import { decideChanges, decideWhatCan, type Left, type Operation, type Step } from './decide-changes.ts'
import {
  deleteRemoved,
  forgetRemoved,
  insertHistory,
  insertRemoved,
  readHistoryOfChange,
  readLastChanges,
} from './feature-history.queries.ts'
import { toNewFeature } from './feature-row.ts'
import { holdFeatures, readRowsOf } from './features.queries.ts'
import { findFollowers } from './follow-land.ts'
import { readEntries, writeEntries } from './maintenance-entries.queries.ts'
import { readOwnFields } from './own-fields.queries.ts'
import { parcelFinder } from './parcel-at.queries.ts'

// Every change of features by people goes through here: one feature or many, all of it or nothing, with its history and
// one line of what happened on the map.

export type Change = {
  mapId: string
  person: Person
  /** Names the change: sent twice it happens once. */
  changeId: string
  /** The change that this one takes back. */
  undoes?: string | null
  /** Knows the large shapes among its operations: `examineShapes`, called before the transaction. */
  examine?: (geometry: Geometry) => ExaminedShape
}

/** The features as the change left them, in the order of its operations; null was removed. */
export type Outcome = { id: string; row: FeatureColumns | null }[]

/** Columns by which other features of the map are ranked follow from these. */
const movingFields = ['geometry', 'type', 'featureType', 'date']

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

function shapeOf(operation: Operation): unknown {
  if (operation.action === 'add') return operation.feature.geometry
  return operation.action === 'change' ? operation.change.geometry : undefined
}

/** The same inside a transaction. */
export async function changeFeaturesIn(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  operations: readonly Operation[],
): Promise<Outcome> {
  const { mapId } = change
  await requireOpenMapIn(transaction, mapId)
  if (operations.some(mayMove)) await lockRanks(transaction, database.engine, mapId)
  const known = await readHistoryOfChange(transaction, mapId, change.changeId)
  if (known.length > 0) return answerAgain(transaction, change, operations, known)
  const now = Date.now()
  if (operations.some(({ action }) => !['change', 'replace', 'maintain'].includes(action)))
    await forgetRemoved(transaction, mapId, removedSince(now))
  const scene = await setScene(database, transaction, change, operations, now)
  const steps = await decideChanges(scene, operations)
  const done = steps.filter(isChange)
  if (done.length > 0) {
    const followers = await findFollowers(scene, done)
    const extents = [await write(database, transaction, change, done, now)]
    if (followers.length > 0) {
      const following = await setScene(database, transaction, change, followers, now)
      const moved = (await decideChanges(following, followers)).filter(isChange)
      if (moved.length > 0) extents.push(await write(database, transaction, change, moved, now))
    }
    const extent = joinExtents(extents)
    const activity = { mapId, actor: change.person, ...tell(done, change), extent }
    await recordActivity(transaction, activity, now)
  }
  return steps.map(({ id, next }) => ({ id, row: next ?? null }))
}

/** What was changed, how many were that already, and what stays as it is. */
export type PartOutcome = { changed: Step[]; sameCount: number; left: Left[]; extent: Extent | null }

/**
 * A part of a change of very many: what cannot be done is left, and the rest happens. Call `lockRanks` before where
 * places or features come and go; whoever asks tells the activity, and makes sure that no part comes twice.
 */
export async function changePartIn(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  operations: readonly Operation[],
): Promise<PartOutcome> {
  if (operations.length === 0) return { changed: [], sameCount: 0, left: [], extent: null }
  const now = Date.now()
  const scene = await setScene(database, transaction, change, operations, now)
  const { steps, left } = await decideWhatCan(scene, operations)
  const changed = steps.filter(isChange)
  const extent = changed.length > 0 ? await write(database, transaction, change, changed, now) : null
  return { changed, sameCount: steps.length - changed.length, left, extent }
}

const isChange = ({ changed }: Step) => Object.keys(changed).length > 0

async function setScene(
  database: Database,
  transaction: WriteTransaction,
  { mapId, person, examine }: Change,
  operations: readonly Operation[],
  now: number,
) {
  const ids = operations.map(idOf)
  const held = await holdFeatures(database, transaction, mapId, ids)
  const entries = await readEntries(transaction, mapId, ids)
  // After the features are held, as `followWords` has it.
  const ownFields = await readOwnFields(transaction, mapId)
  const findParcel = parcelFinder(database, transaction, mapId)
  return { database, transaction, mapId, person, held, entries, ownFields, findParcel, examine, now }
}

const idOf = (operation: Operation) => (operation.action === 'add' ? operation.feature.id : operation.id)

export function mayMove(operation: Operation): boolean {
  if (operation.action === 'maintain') return false
  return operation.action !== 'change' || movingFields.some((field) => field in operation.change)
}

async function answerAgain(
  transaction: WriteTransaction,
  { mapId, person }: Change,
  operations: readonly Operation[],
  known: readonly FeatureHistoryTable[],
): Promise<Outcome> {
  if (known.some((entry) => entry.actor_id !== person.id))
    throw new ConflictError('Somebody else’s change has this id.')
  // What followed from it was not asked for. A change that is taken back once more asks for nothing any more.
  const asked = new Set(operations.map(idOf))
  const ids = known.map((entry) => entry.feature_id).filter((id) => asked.size === 0 || asked.has(id))
  const rows = await readRowsOf(transaction, mapId, ids)
  return ids.map((id) => ({ id, row: rows.get(id) ?? null }))
}

async function write(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  steps: readonly Step[],
  now: number,
): Promise<Extent | null> {
  const { mapId, person, changeId, undoes = null } = change
  const { engine } = database
  const pauses = new Pauses()
  const gone = steps.filter((step) => !step.next)
  const come = steps.flatMap(({ former, next }) => (!former && next ? [next] : []))
  await removeFeatures(
    transaction,
    engine,
    mapId,
    gone.map(({ id }) => id),
  )
  await deleteRemoved(
    transaction,
    mapId,
    come.map(({ id }) => id),
  )
  await insertFeatures(transaction, engine, come)
  await pauses.pause()
  const updates = steps.flatMap(({ former, next }) =>
    former && next ? [{ former, change: differing(former, next) }] : [],
  )
  await updateFeatures(transaction, mapId, updates)
  await pauses.pause()
  const entries = steps.flatMap(({ id: featureId, version, changed }) =>
    changedEntries(changed).map(([id, _, entry]) => ({ featureId, id, version, entry })),
  )
  await writeEntries(transaction, mapId, entries)
  const lastAt = await readLastChanges(
    transaction,
    mapId,
    steps.map(({ id }) => id),
  )
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
  await pauses.pause()
  await insertRemoved(
    transaction,
    gone.flatMap(({ id, former, lost: feature, version }) => {
      if (!former || !feature) return []
      return [
        {
          map_id: mapId,
          id,
          kind: feature.kind,
          name: former.name,
          version,
          change_id: changeId,
          created_at: former.created_at,
          removed_at: atOf(id),
          removed_by: person.name,
          feature: JSON.stringify(feature),
        },
      ]
    }),
  )
  return joinExtents(steps.flatMap(({ former, next }) => [former, next]))
}

function differing(former: FeatureColumns, next: FeatureColumns): Partial<FeatureColumns> {
  return Object.fromEntries(
    Object.entries(next).filter(([column, value]) => former[column as keyof FeatureColumns] !== value),
  )
}

const actionOf: Record<HistoryAction, ActivityAction> = {
  added: 'feature.added',
  changed: 'feature.changed',
  removed: 'feature.removed',
  'put-back': 'feature.put-back',
}

/** What happened, in words that hold nothing personal: which fields, never what was in them. */
function tell(steps: readonly Step[], { changeId, undoes = null }: Change) {
  const [only] = steps
  const said = undoes === null ? { changeId } : { changeId, undoes }
  if (only && steps.length === 1) return { subject: only.id, ...tellOne(only, said) }
  const count = (action: HistoryAction) => steps.filter((step) => step.action === action).length
  const counts = {
    added: count('added') + count('put-back'),
    changed: count('changed'),
    removed: count('removed'),
  }
  return { action: 'features.changed' as const, details: { ...said, count: steps.length, ...counts } }
}

function tellOne(
  { action, former, next, changed }: Step,
  change: { changeId: string; undoes?: string },
): { action: ActivityAction; details: Record<string, unknown> } {
  const row = next ?? former
  const [entry, ...others] = action === 'changed' ? changedEntries(changed) : []
  if (entry && others.length === 0 && Object.keys(changed).length === 1)
    return { action: maintenanceAction(entry), details: { name: next?.name ?? '', ...change } }
  const fields = Object.keys(changed).filter((field) => field !== 'resolvedDate')
  const isStatus =
    former && next && fields.length === 1 && ['resolved', 'status'].includes(fields[0] as string)
  if (isStatus)
    return {
      action: statusAction(next),
      details: { name: next.name, before: former.status, after: next.status, ...change },
    }
  const kind = row && toNewFeature(row).kind
  const said = { name: row?.name ?? '', kind, ...change }
  return { action: actionOf[action], details: action === 'changed' ? { ...said, fields } : said }
}

function maintenanceAction([, before, after]: ReturnType<typeof changedEntries>[number]): ActivityAction {
  if (!before) return 'maintenance.added'
  return after ? 'maintenance.changed' : 'maintenance.removed'
}

function statusAction({ kind, is_general, status }: FeatureColumns): ActivityAction {
  if (!severityKinds.includes(kind) || is_general === 1) return 'asset.status-changed'
  return status === 'resolved' ? 'incident.resolved' : 'incident.reopened'
}
