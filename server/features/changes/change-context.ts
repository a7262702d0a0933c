import type { Person } from '#domain/access/session.schema.ts'
import type { ExaminedShape } from '#domain/features/change-feature.ts'
import type { CustomFields } from '#domain/features/custom-fields.ts'
import type { FeatureToAdd } from '#domain/features/feature-changes.schema.ts'
import type { LandChange } from '#domain/features/land-change.schema.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { EntryValues } from '#domain/maintenance/follow-entries.ts'
import { isStorableText } from '#domain/values/text.ts'
import type { Database, WriteTransaction } from '../../database/database.ts'
import type { FeatureHistoryTable, RemovedFeaturesTable } from '../../database/tables.ts'
import type { Expectation } from '../../domain-error.ts'
import type { StoredFeature } from '../../thinning/write-features.queries.ts'
import { readCustomFields } from '../custom-fields/custom-fields.queries.ts'
import { readAdditions, readRemoved } from '../history/feature-history.queries.ts'
import { readEntries, type StoredEntry, toEntries } from '../maintenance/maintenance-entries.queries.ts'
import { toNewFeature } from '../rows/feature-row.ts'
import { lockFeatures } from '../rows/feature-rows.queries.ts'
import { readIdsOfReports } from '../rows/ids-in-use.queries.ts'
import type { FeatureState } from './changed-fields.ts'
import { type ParcelFinder, parcelFinder, readParcelIds } from './parcel-at.queries.ts'

/** `isExpected` returns whether the sender has seen the current version of the feature. */
export type Operation =
  | { action: 'add'; feature: FeatureToAdd & { mapId: string } }
  | { action: 'change'; id: string; isExpected: Expectation; change: FeatureChange }
  /** Sets the whole state, including the fields that normally follow from others. */
  | { action: 'replace'; id: string; isExpected: Expectation; feature: FeatureState }
  /** `decide` returns null to remove the entry. `count` is the number of entries of the asset. */
  | {
      action: 'maintain'
      id: string
      entryId: string
      decide: (current: StoredEntry | undefined, count: number) => EntryValues | null
    }
  | { action: 'remove'; id: string; isExpected: Expectation }
  | { action: 'restore'; id: string }

export const idOf = (operation: Operation) =>
  operation.action === 'add' ? operation.feature.id : operation.id

export type Change = {
  mapId: string
  person: Person
  /** Makes the change idempotent. */
  changeId: string
  undoes?: string | null
  /** The report whose incident this change adds. */
  reportId?: string
  land?: LandChange | undefined
  examine?: (geometry: Geometry) => ExaminedShape
}

export type Current = { row: StoredFeature; state: FeatureState; entries: readonly StoredEntry[] }

/** Everything that a change reads before it decides. Features are locked. */
export type ChangeContext = Change & {
  database: Database
  transaction: WriteTransaction
  now: number
  current: ReadonlyMap<string, Current>
  removed: ReadonlyMap<string, RemovedFeaturesTable>
  additions: ReadonlyMap<string, FeatureHistoryTable>
  /** Ids of added features that belong to reports. */
  reports: ReadonlySet<string>
  customFields: CustomFields
  parcelIds: ReadonlySet<string>
  parcels: ParcelFinder
}

export async function loadContext(
  database: Database,
  transaction: WriteTransaction,
  change: Change,
  operations: readonly Operation[],
  now: number,
): Promise<ChangeContext> {
  const { mapId } = change
  const ids = operations.map(idOf)
  const rows = await lockFeatures(database, transaction, mapId, ids)
  const entries = await readEntries(transaction, mapId, ids)
  const current = new Map<string, Current>()
  for (const [id, row] of rows) {
    const stored = entries.get(id) ?? []
    const state = { ...toNewFeature(row), maintenance: toEntries(stored) }
    current.set(id, { row, state, entries: stored })
  }
  const added = operations.flatMap((operation) => (operation.action === 'add' ? [operation.feature] : []))
  const referred = operations.flatMap((operation): unknown[] => {
    if (operation.action === 'add') return [operation.feature.parcelId]
    return operation.action === 'change'
      ? [operation.change.parcelId, parcelIdOf(current.get(operation.id)?.state)]
      : []
  })
  const arriving = added.flatMap(({ kind, id }) => (kind === 'parcel' ? [id] : []))
  const restored = operations.flatMap(({ action, ...operation }) =>
    action === 'restore' && 'id' in operation ? [operation.id] : [],
  )
  // The changes are not checked yet.
  const isText = (id: unknown): id is string => typeof id === 'string' && isStorableText(id)
  return {
    ...change,
    database,
    transaction,
    now,
    current,
    removed: await readRemoved(transaction, mapId, [...added.map(({ id }) => id), ...restored]),
    additions: await readAdditions(
      transaction,
      mapId,
      added.flatMap(({ id }) => (current.has(id) ? [id] : [])),
    ),
    reports: await readIdsOfReports(
      transaction,
      mapId,
      added.map(({ id }) => id),
    ),
    // After the features are locked: `updateSearchWords` relies on this order.
    customFields: await readCustomFields(transaction, mapId),
    parcelIds: new Set([...arriving, ...(await readParcelIds(transaction, mapId, referred.filter(isText)))]),
    parcels: parcelFinder(database, transaction, mapId),
  }
}

export const parcelIdOf = (feature: FeatureState | undefined): string | null =>
  (feature && 'parcelId' in feature ? feature.parcelId : null) ?? null
