import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import {
  applyChange,
  completeFeature,
  type ExaminedShape,
  type FeatureChange,
  type FieldFault,
} from '#domain/features/change-feature.ts'
import { hasField } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureToAdd } from '#domain/features/feature-changes.schema.ts'
import type { HistoryAction } from '#domain/features/history.schema.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { type Entries, type EntryValues, entryOf, listedEntries } from '#domain/maintenance/follow-entries.ts'
import { placementOf } from '#domain/tiles/placement.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { Pauses } from '../database/pauses.ts'
import type { FeatureColumns } from '../database/tables.ts'
import {
  type BadField,
  ConflictError,
  type Expectation,
  NotFoundError,
  RefusedError,
  VersionMismatchError,
} from '../domain-error.ts'
import type { StoredFeature } from '../thinning/write-features.queries.ts'
import { type ChangedFields, compareFeatures, type FeatureState, isSameAddition } from './changed-fields.ts'
import { toFeatureDetail } from './feature-detail.ts'
import { readHistory, readRemoved } from './feature-history.queries.ts'
import { toFeatureRow, toNewFeature } from './feature-row.ts'
import { readRowsOf } from './features.queries.ts'
import { type StoredEntry, toEntries } from './maintenance-entries.queries.ts'
import type { FindParcel } from './parcel-at.queries.ts'

// What becomes of each feature of a change: nothing is written before all of it is found good.

/** What becomes of one feature. `isExpected` says whether who asks has seen its present version. */
export type Operation =
  | { action: 'add'; feature: FeatureToAdd & { mapId: string } }
  | { action: 'change'; id: string; isExpected: Expectation; change: FeatureChange }
  /** As it is said, down to what would follow from it. */
  | { action: 'replace'; id: string; isExpected: Expectation; feature: FeatureState }
  /** An entry of its maintenance, by what it is now; null is there no more. */
  | {
      action: 'maintain'
      id: string
      entryId: string
      decide: (present: StoredEntry | undefined, count: number) => EntryValues | null
    }
  | { action: 'remove'; id: string; isExpected: Expectation }
  | { action: 'put-back'; id: string }

/** One feature before and after; undefined is not on the map. `former` and `next` are the same where nothing changes. */
export type Step = {
  id: string
  action: HistoryAction
  /** All that a feature said which is removed. */
  lost?: FeatureState
  former: StoredFeature | undefined
  next: FeatureColumns | undefined
  changed: ChangedFields
  version: number
}

/** What a feature that comes says of its maintenance becomes entries, unless it comes with them. */
function withEntries(
  feature: FeatureState,
  source: { createdAt: number; createdBy: string | null },
): FeatureState {
  if (!hasField(feature, 'maintenanceHistory') || feature.maintenance) return feature
  const entries = listedEntries(feature).map((said) => [
    randomUUID(),
    entryOf(said, { ...source, importId: null }),
  ])
  return { ...feature, maintenance: Object.fromEntries(entries) }
}

export type Scene = {
  database: Database
  transaction: WriteTransaction
  mapId: string
  person: Person
  /** The features that are there already, by their ids. */
  held: ReadonlyMap<string, StoredFeature>
  /** The entries of their maintenance, by the features' ids. */
  entries: ReadonlyMap<string, readonly StoredEntry[]>
  /** The fields that the client has added. */
  ownFields: OwnFields
  findParcel: FindParcel
  /** Knows the shapes that were examined before the transaction. */
  examine?: ((geometry: Geometry) => ExaminedShape) | undefined
  now: number
}

/** Throws where anything is wrong with any of them: a domain error that names all of it. */
export function decideChanges(scene: Scene, operations: readonly Operation[]): Promise<Step[]> {
  return new Decision(scene, operations).decideAll(operations)
}

export const leftReasons = {
  gone: 'has been removed meanwhile',
  changed: 'has been changed meanwhile',
} as const

/** A feature that stays as it is, and why: a sentence goes on with it. */
export type Left = { id: string; reason: string }

/** The same where what cannot be done is left as it is. */
export function decideWhatCan(
  scene: Scene,
  operations: readonly Operation[],
): Promise<{ steps: Step[]; left: Left[] }> {
  return new Decision(scene, operations).decideWhatCan(operations)
}

class Decision {
  private readonly scene: Scene
  /** Ids of parcels that come with the same change. */
  private readonly arriving: ReadonlySet<string>
  /** Whether an id is that of a parcel of the map, as far as that was asked. */
  private readonly parcels = new Map<string, boolean>()
  private readonly pauses = new Pauses()
  private readonly faults: BadField[] = []
  private readonly stale: { id: string; version: number | null; current: unknown }[] = []

  constructor(scene: Scene, operations: readonly Operation[]) {
    this.scene = scene
    this.arriving = new Set(
      operations.flatMap((operation) =>
        operation.action === 'add' && operation.feature.kind === 'parcel' ? [operation.feature.id] : [],
      ),
    )
  }

  private get circumstances() {
    const { now, ownFields, examine } = this.scene
    return { now: new Date(now), ownFields, ...(examine && { examine }) }
  }

  async decideAll(operations: readonly Operation[]): Promise<Step[]> {
    const steps: Step[] = []
    const isOne = operations.length === 1
    for (const [index, operation] of operations.entries()) {
      const step = await this.decide(operation, isOne ? '' : `items.${index}.`)
      if (step) steps.push(step)
      await this.pauses.pause()
    }
    if (this.faults.length > 0) throw new RefusedError(this.faults)
    const [first] = this.stale
    if (!first) return steps
    if (!isOne)
      throw new VersionMismatchError(
        `${this.stale.length} of ${operations.length} have changed meanwhile. Look at them again before you change them.`,
        { stale: this.stale },
      )
    if (first.version === null) throw new NotFoundError(`Map ${this.scene.mapId} has no feature ${first.id}.`)
    throw new VersionMismatchError(
      `Feature ${first.id} has changed meanwhile: it is at version ${first.version} now. Look at it again before you change it.`,
      first.current,
    )
  }

  async decideWhatCan(operations: readonly Operation[]): Promise<{ steps: Step[]; left: Left[] }> {
    const steps: Step[] = []
    const left: Left[] = []
    for (const operation of operations) {
      const id = operation.action === 'add' ? operation.feature.id : operation.id
      try {
        const step = await this.decide(operation, '')
        if (step) steps.push(step)
        else left.push({ id, reason: this.takeReason() })
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        left.push({ id, reason: error.message })
      }
      await this.pauses.pause()
    }
    return { steps, left }
  }

  private takeReason(): string {
    const [fault] = this.faults.splice(0)
    const [stale] = this.stale.splice(0)
    if (fault) return `${fault.field} ${fault.reason}`
    return stale?.version == null ? leftReasons.gone : leftReasons.changed
  }

  private decide(operation: Operation, path: string): Promise<Step | undefined> | Step | undefined {
    switch (operation.action) {
      case 'add':
        return this.add(operation.feature, path)
      case 'put-back':
        return this.putBack(operation.id)
      case 'change':
        return this.apply(operation.id, operation.isExpected, operation.change, path)
      case 'replace': {
        const former = this.expect(operation.id, operation.isExpected)
        return former && this.step(former, operation.feature)
      }
      case 'remove': {
        const former = this.expect(operation.id, operation.isExpected)
        if (!former) return undefined
        const lost = { ...toNewFeature(former), maintenance: this.entriesOf(former.id) }
        const changed = compareFeatures(lost, undefined)
        const version = former.version + 1
        return { id: former.id, action: 'removed', lost, former, next: undefined, changed, version }
      }
      case 'maintain':
        return this.maintain(operation)
    }
  }

  private async add(said: FeatureToAdd & { mapId: string }, path: string): Promise<Step | undefined> {
    const { mapId, person, transaction } = this.scene
    const { id } = said
    const present = this.scene.held.get(id)
    if (present) {
      const added = (await readHistory(transaction, mapId, id)).find((entry) => entry.action === 'added')
      if (added?.actor_id !== person.id) throw new ConflictError(`The map has a feature ${id} already.`)
      const completed = completeFeature(said, { ...this.circumstances, now: new Date(added.at) })
      if ('faults' in completed) return this.refuse(completed.faults, path)
      const { changed } = this.asAdded(completed.feature, added.at, added.actor)
      const derived = said.parcelId == null ? ['parcelId'] : []
      if (!isSameAddition(JSON.parse(added.changed), changed, derived))
        throw new ConflictError(
          `You added feature ${id} already, with other values. Change that one instead.`,
        )
      return { id, action: 'added', former: present, next: present, changed: {}, version: present.version }
    }
    if ((await readRemoved(transaction, mapId, [id])).has(id))
      throw new ConflictError(`The map had a feature ${id}, which was removed: it can be put back.`)
    const completed = completeFeature(said, this.circumstances)
    if ('faults' in completed) return this.refuse(completed.faults, path)
    const feature = await this.withParcel(completed.feature, null)
    if (!(await this.hasItsParcel(feature, path))) return undefined
    const { next, changed } = this.asAdded(feature, this.scene.now, person.name)
    return { id, action: 'added', former: undefined, next, changed, version: 1 }
  }

  private asAdded(feature: NewFeature, createdAt: number, createdBy: string) {
    const state = withEntries(feature, { createdAt, createdBy })
    const next = toFeatureRow(state, this.scene)
    const changed = compareFeatures(undefined, { ...toNewFeature(next), maintenance: state.maintenance })
    return { next, changed }
  }

  private async putBack(id: string): Promise<Step | undefined> {
    const { mapId, transaction } = this.scene
    if (this.scene.held.has(id)) throw new ConflictError(`The map has a feature ${id} again.`)
    const removed = (await readRemoved(transaction, mapId, [id])).get(id)
    if (!removed) {
      this.stale.push({ id, version: null, current: null })
      return undefined
    }
    const version = removed.version + 1
    const lost: FeatureState = JSON.parse(removed.feature)
    const state = withEntries(lost, { createdAt: removed.created_at, createdBy: null })
    const row = toFeatureRow(state, this.scene)
    const next = { ...row, version, created_at: removed.created_at }
    const changed = compareFeatures(undefined, { ...toNewFeature(next), maintenance: state.maintenance })
    return { id, action: 'put-back', former: undefined, next, changed, version }
  }

  private async apply(id: string, isExpected: Expectation, change: FeatureChange, path: string) {
    const former = this.expect(id, isExpected)
    if (!former) return undefined
    const present = toNewFeature(former)
    const applied = applyChange(present, change, this.circumstances)
    if ('faults' in applied) return this.refuse(applied.faults, path)
    const feature = await this.withParcel(applied.feature, { former, change })
    const isNamed = 'parcelId' in feature && feature.parcelId !== ('parcelId' in present && present.parcelId)
    if (isNamed && !(await this.hasItsParcel(feature, path))) return undefined
    return this.step(former, feature)
  }

  private step(former: StoredFeature, feature: FeatureState): Step {
    const version = former.version + 1
    const entries = this.entriesOf(former.id)
    const { maintenance = entries } = feature
    const row = toFeatureRow({ ...feature, maintenance }, this.scene)
    const { import_id, created_at } = former
    const next = { ...row, import_id, created_at, version }
    const changed = compareFeatures(
      { ...toNewFeature(former), maintenance: entries },
      { ...toNewFeature(next), maintenance },
    )
    const isSame = Object.keys(changed).length === 0
    return { id: former.id, action: 'changed', former, next: isSame ? former : next, changed, version }
  }

  private maintain({ id, entryId, decide }: Extract<Operation, { action: 'maintain' }>): Step | undefined {
    const former = this.expect(id, () => true)
    if (!former) return undefined
    const feature = toNewFeature(former)
    if (!hasField(feature, 'maintenanceHistory')) throw new ConflictError('Only assets are maintained.')
    const { [entryId]: _, ...others } = this.entriesOf(id)
    const kept = this.scene.entries.get(id) ?? []
    const entry = decide(
      kept.find((one) => one.id === entryId),
      kept.length,
    )
    const maintenance = entry ? { ...others, [entryId]: entry } : others
    return this.step(former, { ...feature, maintenance })
  }

  private entriesOf(id: string): Entries {
    return toEntries(this.scene.entries.get(id) ?? [])
  }

  /** Undefined where it is not there, or another version than who asks has seen; that is told at the end. */
  private expect(id: string, isExpected: Expectation): StoredFeature | undefined {
    const row = this.scene.held.get(id)
    if (row && isExpected(row.version)) return row
    const current = row ? toFeatureDetail(row, 'everything', this.scene.ownFields) : null
    this.stale.push({ id, version: row?.version ?? null, current })
    return undefined
  }

  private refuse(faults: readonly FieldFault[], path: string) {
    for (const { field, message, at } of faults)
      this.faults.push({ field: path + field, reason: message, ...(at ? { at } : {}) })
    return undefined
  }

  /**
   * A feature of a kind that belongs to parcels is on the parcel on which it lies, unless somebody says, or said, another one. On land that is
   * not examined it keeps its parcel; a new one has none.
   */
  private async withParcel(
    feature: NewFeature,
    changed: { former: StoredFeature; change: FeatureChange } | null,
  ): Promise<NewFeature> {
    if (!hasField(feature, 'parcelId')) return feature
    if (changed) {
      const { former, change } = changed
      if ((change.parcelId ?? null) !== null) return feature
      if (!('parcelId' in change)) {
        if (!('geometry' in change)) return feature
        if (feature.parcelId != null && !(await this.isOn(feature.parcelId, former))) return feature
      }
    } else if (feature.parcelId != null) return feature
    const parcel = await this.scene.findParcel(placementOf(feature.geometry))
    if (parcel !== 'not examined') return { ...feature, parcelId: parcel?.id ?? null }
    const { parcelId = null } = (changed ? toNewFeature(changed.former) : {}) as { parcelId?: string | null }
    return { ...feature, parcelId: parcelId !== null && (await this.isParcel(parcelId)) ? parcelId : null }
  }

  private async isOn(parcelId: string, place: { lng: number; lat: number }): Promise<boolean> {
    const parcel = await this.scene.findParcel(place)
    return parcel !== 'not examined' && parcel?.id === parcelId
  }

  private async isParcel(id: string): Promise<boolean> {
    const known = this.parcels.get(id)
    if (known !== undefined) return known
    const { transaction, mapId } = this.scene
    const isParcel = (await readRowsOf(transaction, mapId, [id])).get(id)?.kind === 'parcel'
    this.parcels.set(id, isParcel)
    return isParcel
  }

  private async hasItsParcel(feature: NewFeature, path: string): Promise<boolean> {
    if (!('parcelId' in feature) || feature.parcelId == null) return true
    if (this.arriving.has(feature.parcelId)) return true
    if (await this.isParcel(feature.parcelId)) return true
    this.refuse([{ field: 'parcelId', message: `There is no parcel ${feature.parcelId} on this map.` }], path)
    return false
  }
}
