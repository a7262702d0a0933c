import type { Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FieldChange, GeometrySummary } from '#domain/features/history.schema.ts'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import type { Entries, EntryValues } from '#domain/maintenance/follow-entries.ts'
import { isEqual } from '#domain/values/is-equal.ts'

// What a change made of a feature, field by field: enough to take it back to the last digit.

/** A feature with what is kept beside it; left out is as it is kept. */
export type FeatureState = NewFeature & { maintenance?: Entries | undefined }

/**
 * By the field's key, 'geometry' or 'metadata'; 'kind' of a feature that came or went; 'maintenance.ID' of an entry of its
 * maintenance.
 */
export type ChangedFields = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

type Values = Readonly<Record<string, unknown>>

const entryPrefix = 'maintenance.'

/** Undefined is a feature that was not there. */
export function compareFeatures(
  before: FeatureState | undefined,
  after: FeatureState | undefined,
): ChangedFields {
  const [former, present]: [Values, Values] = [valuesOf(before), valuesOf(after)]
  const keys = new Set([...keysOf(before), ...keysOf(after)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const [was, is] = [former[key] ?? null, present[key] ?? null]
      return isEqual(was, is) ? [] : [[key, [was, is]]]
    }),
  )
}

const valuesOf = (feature: FeatureState | undefined): Values =>
  feature ? { ...feature, ...prefixed(feature.maintenance) } : {}

const prefixed = (entries: Entries = {}) =>
  Object.fromEntries(Object.entries(entries).map(([id, entry]) => [entryPrefix + id, entry]))

/** In the order of the details, the shape last. The kind of a feature never changes. What follows is not told again. */
function keysOf(feature: FeatureState | undefined): string[] {
  if (!feature) return []
  const { fields }: { fields: Fields } = definitions[feature.kind]
  const own = Object.entries(fields).flatMap(([key, { followsFrom }]) => (followsFrom ? [] : [key]))
  return ['kind', ...own, 'metadata', 'geometry', ...Object.keys(prefixed(feature.maintenance))]
}

/** The entries of its maintenance that changed, by their ids; null is not there. */
export function changedEntries(
  changed: ChangedFields,
): [id: string, before: EntryValues | null, after: EntryValues | null][] {
  return Object.entries(changed).flatMap(([key, [before, after]]) =>
    key.startsWith(entryPrefix)
      ? [[key.slice(entryPrefix.length), before as EntryValues | null, after as EntryValues | null]]
      : [],
  )
}

/** Whether both add the same feature, apart from `derived` fields and the ids of its maintenance entries. */
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

/** The feature before a change of it. */
export function takeBack(after: FeatureState, changed: ChangedFields): FeatureState {
  const fields = Object.entries(changed).filter(([key]) => !key.startsWith(entryPrefix))
  const before = Object.fromEntries(fields.map(([key, [was]]) => [key, was]))
  const entries = { ...after.maintenance }
  for (const [id, was] of changedEntries(changed)) {
    if (was === null) delete entries[id]
    else entries[id] = was
  }
  return { ...after, ...before, ...(after.maintenance ? { maintenance: entries } : {}) } as FeatureState
}

/** A feature that was removed, from all that went with it. */
export function takeBackRemoval(ids: { mapId: string; id: string }, changed: ChangedFields): FeatureState {
  return takeBack({ ...ids, metadata: [] } as unknown as NewFeature, changed)
}

/** As the history tells it: of a shape how large it is. */
export function tellChanges({ kind: _, ...changed }: ChangedFields): FieldChange[] {
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
  return { type, positions: countPositions(geometry), acres: measureAcres(geometry), place }
}
