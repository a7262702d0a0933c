import type { Fields } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FieldChange, GeometrySummary } from '#domain/features/history.schema.ts'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'

// What a change made of a feature, field by field: enough to take it back to the last digit.

/** By the field's key, 'geometry' or 'metadata'; 'kind' of a feature that came or went. */
export type ChangedFields = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

type Values = Readonly<Record<string, unknown>>

/** Undefined is a feature that was not there. */
export function compareFeatures(
  before: NewFeature | undefined,
  after: NewFeature | undefined,
): ChangedFields {
  const [former, present]: [Values, Values] = [before ?? {}, after ?? {}]
  const keys = new Set([...keysOf(before), ...keysOf(after)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const [was, is] = [former[key] ?? null, present[key] ?? null]
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [[key, [was, is]]]
    }),
  )
}

/** In the order of the details, the shape last. The kind of a feature never changes. */
function keysOf(feature: NewFeature | undefined): string[] {
  if (!feature) return []
  const { fields }: { fields: Fields } = definitions[feature.kind]
  return ['kind', ...Object.keys(fields), 'metadata', 'geometry']
}

/** The feature before a change of it. */
export function takeBack(after: NewFeature, changed: ChangedFields): NewFeature {
  const before = Object.fromEntries(Object.entries(changed).map(([key, [was]]) => [key, was]))
  return { ...after, ...before } as NewFeature
}

/** A feature that was removed, from all that went with it. */
export function takeBackRemoval(ids: { mapId: string; id: string }, changed: ChangedFields): NewFeature {
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
  return { type: geometry.type, positions: countPositions(geometry), acres: measureAcres(geometry) }
}
