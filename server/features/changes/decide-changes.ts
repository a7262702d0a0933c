import { randomUUID } from 'node:crypto'
import { applyChange, completeFeature, type FieldFault } from '#domain/features/change-feature.ts'
import { definitions, hasField } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureToAdd } from '#domain/features/feature-changes.schema.ts'
import type { HistoryAction } from '#domain/features/history.schema.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { entryOf, listedEntries } from '#domain/maintenance/follow-entries.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import { counted } from '#domain/values/wording.ts'
import { Pauses } from '../../database/pauses.ts'
import { ConflictError, NotFoundError, RefusedError, VersionMismatchError } from '../../domain-error.ts'
import type { StoredFeature } from '../../thinning/write-features.queries.ts'
import { toFeatureDetail } from '../rows/feature-detail.ts'
import { normalizeFields } from '../rows/stored-fields.ts'
import { type ChangeContext, type Current, idOf, type Operation, parcelIdOf } from './change-context.ts'
import { type ChangedFields, compareFeatures, type FeatureState, isSameAddition } from './changed-fields.ts'

export type Step = {
  id: string
  action: HistoryAction
  before: FeatureState | undefined
  after: FeatureState | undefined
  changed: ChangedFields
  version: number
  createdAt: number
  row: StoredFeature | undefined
}

/** A version of null means that the feature does not exist. */
type Stale = { id: string; version: number | null; current: unknown }

type Verdict =
  | { step: Step }
  | { faults: readonly FieldFault[] }
  | { stale: Stale }
  | { conflict: ConflictError }

/** A feature that still needs its parcel. Without `current` it is added. */
type Draft = { feature: NewFeature; current?: Current; change?: FeatureChange }

/** Throws a domain error that names everything that is wrong with any operation. */
export async function decideChanges(
  context: ChangeContext,
  operations: readonly Operation[],
): Promise<Step[]> {
  const verdicts = await decideEach(context, operations)
  const isOne = operations.length === 1
  const steps: Step[] = []
  const faults: FieldFault[] = []
  const stale: Stale[] = []
  for (const [index, verdict] of verdicts.entries()) {
    if ('conflict' in verdict) throw verdict.conflict
    if ('step' in verdict) steps.push(verdict.step)
    else if ('stale' in verdict) stale.push(verdict.stale)
    else
      for (const fault of verdict.faults)
        faults.push({ ...fault, field: isOne ? fault.field : `items.${index}.${fault.field}` })
  }
  if (faults.length > 0)
    throw new RefusedError(faults.map(({ message, ...rest }) => ({ ...rest, reason: message })))
  const [first] = stale
  if (!first) return steps
  if (!isOne)
    throw new VersionMismatchError(
      `${stale.length} of ${counted(operations.length, 'feature')} changed in the meantime. Reload and try again.`,
      { stale },
    )
  if (first.version === null) throw new NotFoundError(`Map ${context.mapId} has no feature ${first.id}.`)
  throw new VersionMismatchError(
    `Feature ${first.id} has changed to version ${first.version} in the meantime. Reload and try again.`,
    first.current,
  )
}

export const skipReasons = {
  removed: 'was removed in the meantime',
  changed: 'was changed in the meantime',
} as const

/** `reason` continues a sentence about the feature. */
export type Skipped = { id: string; reason: string }

export async function decidePossible(
  context: ChangeContext,
  operations: readonly Operation[],
): Promise<{ steps: Step[]; skipped: Skipped[] }> {
  const verdicts = await decideEach(context, operations)
  const steps = verdicts.flatMap((verdict) => ('step' in verdict ? [verdict.step] : []))
  const skipped = operations.flatMap((operation, index) => {
    const verdict = verdicts[index]
    return !verdict || 'step' in verdict ? [] : [{ id: idOf(operation), reason: reasonOf(verdict) }]
  })
  return { steps, skipped }
}

function reasonOf(verdict: Exclude<Verdict, { step: Step }>): string {
  if ('conflict' in verdict) return verdict.conflict.message
  if ('stale' in verdict) return verdict.stale.version === null ? skipReasons.removed : skipReasons.changed
  const [fault] = verdict.faults
  return `${fault?.field} ${fault?.message}`
}

async function decideEach(context: ChangeContext, operations: readonly Operation[]): Promise<Verdict[]> {
  const pauses = new Pauses()
  const drafts: (Verdict | { draft: Draft })[] = []
  for (const operation of operations) {
    drafts.push(decide(context, operation))
    await pauses.pause()
  }
  await context.parcels.prepare(drafts.flatMap((one) => ('draft' in one ? placesToFind(one.draft) : [])))
  const verdicts: Verdict[] = []
  for (const one of drafts) {
    verdicts.push('draft' in one ? await finish(context, one.draft) : one)
    await pauses.pause()
  }
  return verdicts
}

function decide(context: ChangeContext, operation: Operation): Verdict | { draft: Draft } {
  try {
    if (operation.action === 'add') return add(context, operation.feature)
    if (operation.action === 'restore') return restore(context, operation.id)
    const isExpected = operation.action === 'maintain' ? () => true : operation.isExpected
    const current = context.current.get(operation.id)
    if (!current || !isExpected(current.row.version)) return stale(context, operation.id, current)
    if (operation.action === 'replace') return changeStep(current, operation.feature)
    if (operation.action === 'remove') return removeStep(current)
    if (operation.action === 'maintain') return maintain(current, operation)
    const { change } = operation
    const applied = applyChange(current.state, change, circumstancesOf(context))
    return 'faults' in applied ? applied : { draft: { feature: applied.feature, current, change } }
  } catch (error) {
    if (error instanceof ConflictError) return { conflict: error }
    throw error
  }
}

const circumstancesOf = ({ now, customFields, examine }: ChangeContext, at = now) => ({
  now: new Date(at),
  customFields,
  ...(examine && { examine }),
})

function stale({ customFields }: ChangeContext, id: string, current: Current | undefined): Verdict {
  const detail = current ? toFeatureDetail(current.row, 'everything', customFields) : null
  return { stale: { id, version: current?.row.version ?? null, current: detail } }
}

function add(context: ChangeContext, input: FeatureToAdd & { mapId: string }): Verdict | { draft: Draft } {
  const { id } = input
  const current = context.current.get(id)
  if (!current) {
    if (context.removed.has(id))
      throw new ConflictError(`The map has a removed feature ${id}, which you can restore.`)
    if (context.reports.has(id) && context.reportId !== id)
      throw new ConflictError(`${id} is the id of a report. Choose another id.`)
    const completed = completeFeature(input, circumstancesOf(context))
    return 'faults' in completed ? completed : { draft: { feature: completed.feature } }
  }
  const added = context.additions.get(id)
  if (added?.actor_id !== context.person.id) throw new ConflictError(`The map already has a feature ${id}.`)
  const completed = completeFeature(input, circumstancesOf(context, added.at))
  if ('faults' in completed) return completed
  const { changed } = addStep(completed.feature, { createdAt: added.at, createdBy: added.actor })
  const derived = input.parcelId == null ? ['parcelId'] : []
  if (!isSameAddition(JSON.parse(added.changed), changed, derived))
    throw new ConflictError(`You already added feature ${id} with other values. Change that feature instead.`)
  return { step: { ...sameStep(current), action: 'added' } }
}

function addStep(feature: FeatureState, source: { createdAt: number; createdBy: string | null }): Step {
  const after = normalize(withEntries(feature, source))
  const changed = compareFeatures(undefined, after)
  const { createdAt } = source
  return {
    id: feature.id,
    action: 'added',
    before: undefined,
    after,
    changed,
    version: 1,
    createdAt,
    row: undefined,
  }
}

/** Turns the maintenance fields of a new asset into entries, unless it has entries. */
function withEntries(
  feature: FeatureState,
  source: { createdAt: number; createdBy: string | null },
): FeatureState {
  if (!hasField(feature, 'maintenanceHistory') || feature.maintenance) return feature
  const entries = listedEntries(feature).map((entry) => [
    randomUUID(),
    entryOf(entry, { ...source, importId: null }),
  ])
  return { ...feature, maintenance: Object.fromEntries(entries) }
}

const normalize = (feature: FeatureState): FeatureState =>
  normalizeFields(definitions[feature.kind].fields, feature)

function restore({ current, removed }: ChangeContext, id: string): Verdict {
  if (current.has(id)) throw new ConflictError(`The map already has a feature ${id}.`)
  const row = removed.get(id)
  if (!row) return { stale: { id, version: null, current: null } }
  const feature: FeatureState = JSON.parse(row.feature)
  const step = addStep(feature, { createdAt: row.created_at, createdBy: null })
  return { step: { ...step, action: 'put-back', version: row.version + 1 } }
}

function sameStep({ row, state }: Current): Step {
  const { id, version, created_at: createdAt } = row
  return { id, action: 'changed', before: state, after: state, changed: {}, version, createdAt, row }
}

function changeStep(current: Current, feature: FeatureState): { step: Step } {
  const { state, row } = current
  const after = normalize({ ...feature, maintenance: feature.maintenance ?? state.maintenance })
  const changed = compareFeatures(state, after)
  return { step: { ...sameStep(current), after, changed, version: row.version + 1 } }
}

function removeStep(current: Current): { step: Step } {
  const { state, row } = current
  const changed = compareFeatures(state, undefined)
  const version = row.version + 1
  return { step: { ...sameStep(current), action: 'removed', after: undefined, changed, version } }
}

function maintain(
  current: Current,
  { entryId, decide }: Extract<Operation, { action: 'maintain' }>,
): { step: Step } {
  const { state, entries } = current
  if (state.kind !== 'asset') throw new ConflictError('Only assets have maintenance entries.')
  const { [entryId]: _, ...others } = state.maintenance ?? {}
  const entry = decide(
    entries.find(({ id }) => id === entryId),
    entries.length,
  )
  return changeStep(current, { ...state, maintenance: entry ? { ...others, [entryId]: entry } : others })
}

async function finish(context: ChangeContext, draft: Draft): Promise<Verdict> {
  const { current } = draft
  const feature = await withParcel(context, draft)
  const parcelId = parcelIdOf(feature)
  const isChosen = parcelId === parcelIdOf(draft.feature) && parcelId !== parcelIdOf(current?.state)
  if (parcelId !== null && isChosen && !context.parcelIds.has(parcelId))
    return { faults: [{ field: 'parcelId', message: `There is no parcel ${parcelId} on this map.` }] }
  if (current) return changeStep(current, feature)
  return { step: addStep(feature, { createdAt: context.now, createdBy: context.person.name }) }
}

/**
 * Gives an incident or asset the parcel at its location, unless a person chose another one. If there are too many
 * parcels to examine, it keeps its parcel.
 */
async function withParcel({ parcels, parcelIds }: ChangeContext, draft: Draft): Promise<NewFeature> {
  const { feature, current } = draft
  const [place, previousPlace] = placesToFind(draft)
  if (!place || !hasField(feature, 'parcelId')) return feature
  if (previousPlace) {
    const parcel = await parcels.find(previousPlace)
    if (parcel === 'not examined' || parcel?.id !== feature.parcelId) return feature
  }
  const parcel = await parcels.find(place)
  if (parcel !== 'not examined') return { ...feature, parcelId: parcel?.id ?? null }
  const parcelId = parcelIdOf(current?.state)
  return { ...feature, parcelId: parcelId !== null && parcelIds.has(parcelId) ? parcelId : null }
}

/**
 * The location to find the parcel by; none if the parcel was chosen. The second is the previous location: the feature
 * follows only if it was on its parcel there.
 */
function placesToFind({ feature, current, change = {} }: Draft): LatLng[] {
  if (!hasField(feature, 'parcelId')) return []
  const isUnset = feature.parcelId == null
  if (!current || 'parcelId' in change) return isUnset ? [placementOf(feature.geometry)] : []
  if (!('geometry' in change)) return []
  const { lng, lat } = current.row
  return [placementOf(feature.geometry), ...(isUnset ? [] : [{ lng, lat }])]
}
