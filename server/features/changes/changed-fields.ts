import { createHash } from 'node:crypto'
import type { Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FieldChange, GeometrySummary } from '#domain/features/history.schema.ts'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import type { Entries, EntryValues } from '#domain/maintenance/follow-entries.ts'
import { isEqual } from '#domain/values/is-equal.ts'

// The changes of a feature by field, exact enough to undo them to the last digit.

export type FeatureState = NewFeature & { maintenance?: Entries | undefined }

/**
 * By field key, 'geometry' or 'metadata'; 'kind' if the feature was added or removed; 'maintenance.ID' for maintenance
 * entries.
 */
export type ChangedFields = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

type Values = Readonly<Record<string, unknown>>

const entryPrefix = 'maintenance.'

export function compareFeatures(
  before: FeatureState | undefined,
  after: FeatureState | undefined,
): ChangedFields {
  const [valuesBefore, valuesAfter]: [Values, Values] = [valuesOf(before), valuesOf(after)]
  const keys = new Set([...keysOf(before), ...keysOf(after)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const [was, is] = [valuesBefore[key] ?? null, valuesAfter[key] ?? null]
      return isEqual(was, is) ? [] : [[key, [was, is]]]
    }),
  )
}

const valuesOf = (feature: FeatureState | undefined): Values =>
  feature ? { ...feature, ...prefixed(feature.maintenance) } : {}

const prefixed = (entries: Entries = {}) =>
  Object.fromEntries(Object.entries(entries).map(([id, entry]) => [entryPrefix + id, entry]))

function keysOf(feature: FeatureState | undefined): string[] {
  if (!feature) return []
  const { fields }: { fields: Fields } = definitions[feature.kind]
  const own = Object.entries(fields).flatMap(([key, { followsFrom }]) => (followsFrom ? [] : [key]))
  return ['kind', ...own, 'metadata', 'geometry', ...Object.keys(prefixed(feature.maintenance))]
}

export function changedEntries(
  changed: ChangedFields,
): [id: string, before: EntryValues | null, after: EntryValues | null][] {
  return Object.entries(changed).flatMap(([key, [before, after]]) =>
    key.startsWith(entryPrefix)
      ? [[key.slice(entryPrefix.length), before as EntryValues | null, after as EntryValues | null]]
      : [],
  )
}

/** Ignores `derived` fields and the ids of maintenance entries. */
export function isSameAddition(
  one: ChangedFields,
  other: ChangedFields,
  derived: readonly string[],
): boolean {
  const valuesIn = (added: ChangedFields) => {
    const entries = changedEntries(added).map(([_id, _before, entry]) => entry)
    const fields = Object.entries(added).filter(
      ([key]) => !key.startsWith(entryPrefix) && !derived.includes(key),
    )
    return JSON.stringify([fields, entries])
  }
  return valuesIn(one) === valuesIn(other)
}

/** Whether all these fields still have the values that the change gave them. */
export function isAsLeftBy(feature: FeatureState, changed: ChangedFields): boolean {
  const values = valuesOf(feature)
  return Object.entries(changed).every(([key, [, after]]) => isEqual(values[key] ?? null, after))
}

export function undoFields(after: FeatureState, changed: ChangedFields): FeatureState {
  const fields = Object.entries(changed).filter(([key]) => !key.startsWith(entryPrefix))
  const before = Object.fromEntries(fields.map(([key, [was]]) => [key, was]))
  const entries = { ...after.maintenance }
  for (const [id, was] of changedEntries(changed)) {
    if (was === null) delete entries[id]
    else entries[id] = was
  }
  return { ...after, ...before, ...(after.maintenance ? { maintenance: entries } : {}) } as FeatureState
}

export function undoRemoval(ids: { mapId: string; id: string }, changed: ChangedFields): FeatureState {
  return undoFields({ ...ids, metadata: [] } as unknown as NewFeature, changed)
}

export function describeChanges({ kind: _, ...changed }: ChangedFields): FieldChange[] {
  return Object.entries(changed).map(([field, [before, after]]) =>
    field === 'geometry'
      ? { field, before: summarize(before as Geometry | null), after: summarize(after as Geometry | null) }
      : { field, before, after },
  )
}

function summarize(geometry: Geometry | null): GeometrySummary | null {
  if (geometry === null) return null
  const { type } = geometry
  const [lng = 0, lat = 0] = type === 'Point' ? geometry.coordinates : []
  const place = type === 'Point' ? { lat, lng } : null
  const digest = createHash('sha256').update(JSON.stringify(geometry)).digest('base64url')
  return { type, digest, positions: countPositions(geometry), acres: measureAcres(geometry), place }
}
