import type { z } from 'zod'
import { storedOwnValues } from '#domain/definition/custom-field.ts'
import { type Fields, type OwnValues, withArticle } from '#domain/definition/definition.ts'
import { schemasOf } from '#domain/definition/schema.ts'
import {
  type GeneralFeatureType,
  typesOfFeatureType,
} from '#domain/general-features/general-feature.definition.ts'
import { findGeometryFault, findWideEdge } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { isAreaOf, measureAcres } from '#domain/geometry/measure-acres.ts'
import { followWork } from '#domain/incidents/work-states.ts'
import { parseBounded } from '#domain/values/parse-bounded.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { type CustomFields, fieldsOf } from './custom-fields.ts'
import { definitions, featureName, hasField, nameFieldOf } from './definitions.ts'
import { type NewFeature, newFeature } from './feature.schema.ts'
import type { FeatureToAdd } from './feature-changes.schema.ts'
import { type FeatureChange, isObject, mergeChange } from './merge-change.ts'

/** `message` continues the field's name: 'must not be empty'. */
export type FieldFault = { field: string; message: string; at?: { lat: number; lng: number } }

export type Changed = { feature: NewFeature } | { faults: FieldFault[] }

type Values = Readonly<Record<string, unknown>>

/** `acres` is null for a shape with a fault, and for points and lines. */
export type ExaminedShape = { fault: FieldFault | null; acres: number | null }

export type Circumstances = {
  now: Date
  customFields: CustomFields
  examine?: (geometry: Geometry) => ExaminedShape
}

export function examineShape(geometry: Geometry): ExaminedShape {
  const fault = faultOfShape(geometry)
  return { fault, acres: fault ? null : measureAcres(geometry) }
}

export function applyChange(
  current: NewFeature,
  change: FeatureChange,
  { now, customFields, examine = examineShape }: Circumstances,
): Changed {
  const fields: Fields = fieldsOf(current.kind, customFields)
  const unknown = [...unknownFields(fields, current, change), ...followingFields(fields, change)]
  if (unknown.length > 0) return { faults: unknown }
  const merged = complete(fields, mergeChange(current, change))
  const wanted = checkFeature(withFittingType(current.kind, merged, change), Object.keys(change), examine)
  if ('faults' in wanted) return wanted
  const faults = [
    ...faultsOfOwn(fields, current.own ?? {}, wanted.feature.own),
    ...roundedNumbers(wanted.feature, current),
  ]
  if (faults.length > 0) return { faults }
  const working = withWork(current, wanted.feature)
  if ('faults' in working) return working
  return { feature: follow(current, working.feature, change, { now, examine }) }
}

const contradiction: FieldFault = {
  field: 'workState',
  message: 'contradicts ‘resolved’. Send one of the two, or both with the same meaning',
}

/** Status and progress of an incident agree. */
function withWork(before: NewFeature | null, wanted: NewFeature): Changed {
  if (!hasField(wanted, 'workState')) return { feature: wanted }
  const feature = followWork(before && hasField(before, 'workState') ? before : null, wanted)
  return feature ? { feature } : { faults: [contradiction] }
}

export function completeFeature(
  added: FeatureToAdd & { mapId: string },
  { now, customFields, examine = examineShape }: Circumstances,
): Changed {
  const { kind, id, mapId, ...rest } = added
  const fields: Fields = fieldsOf(kind, customFields)
  const unknown = unknownFields(fields, added, rest)
  if (unknown.length > 0) return { faults: unknown }
  const nameKey = nameFieldOf(kind)
  const whole = { metadata: [], [nameKey]: '', ...complete(fields, added) }
  const wanted = checkFeature(whole, [...Object.keys(rest), nameKey], examine)
  if ('faults' in wanted) return wanted
  const { feature } = wanted
  const faults = [...faultsOfOwn(fields, null, feature.own), ...roundedNumbers(feature, null)]
  if (faults.length > 0) return { faults }
  if (hasField(feature, 'area'))
    return { feature: { ...feature, area: feature.area ?? examine(feature.geometry).acres } }
  if (!hasField(feature, 'resolved')) return { feature }
  const isContradiction = added.resolved === true && (feature.workState ?? 'resolved') !== 'resolved'
  const incident = isContradiction ? null : followWork(null, feature)
  if (!incident) return { faults: [contradiction] }
  const date = incident.date ?? now.toISOString()
  const resolvedDate = incident.resolved ? (incident.resolvedDate ?? now.toISOString()) : null
  return { feature: { ...incident, date, resolvedDate } }
}

const carried = ['id', 'mapId', 'kind'] as const
const commonFields = ['geometry', 'metadata']

function unknownFields(
  fields: Fields,
  current: Pick<NewFeature, (typeof carried)[number]>,
  change: FeatureChange,
): FieldFault[] {
  const { label } = definitions[current.kind]
  return Object.entries(change).flatMap(([key, changed]): FieldFault[] => {
    if (carried.some((name) => name === key))
      return changed === current[key as (typeof carried)[number]]
        ? []
        : [{ field: key, message: 'cannot be changed' }]
    if (commonFields.includes(key)) return []
    if (!Object.hasOwn(fields, key))
      return [{ field: key, message: `is not a field of ${withArticle(label.one)}` }]
    const { value } = fields[key] as Fields[string]
    if (value.type !== 'group' || !isObject(changed)) return []
    return Object.keys(changed)
      .filter((part) => !Object.hasOwn(value.fields, part))
      .map((part) => ({ field: `${key}.${part}`, message: `is not a part of ${key}` }))
  })
}

function followingFields(fields: Fields, change: FeatureChange): FieldFault[] {
  return Object.keys(change).flatMap((key) => {
    const from = fields[key]?.followsFrom
    return from === undefined ? [] : [{ field: key, message: `is derived from ${from}. Change that instead` }]
  })
}

const maxMetadata = 2_000

type Examine = (geometry: Geometry) => ExaminedShape

function checkFeature(wanted: Values, touched: readonly string[], examine: Examine): Changed {
  const parsed = parseBounded(newFeature, wanted)
  if (!parsed.success) {
    const faults = parsed.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
    return { faults }
  }
  const feature = { ...parsed.data, own: storedOwnValues(parsed.data.own) }
  const faults: FieldFault[] = []
  const nameKey = nameFieldOf(feature.kind)
  if (touched.includes(nameKey) && featureName(feature).trim() === '')
    faults.push({ field: nameKey, message: 'must not be empty' })
  if (touched.includes('metadata') && feature.metadata.length > maxMetadata)
    faults.push({
      field: 'metadata',
      message: `must have at most ${formatNumber(maxMetadata)} entries`,
    })
  const fault = touched.includes('geometry') ? examine(feature.geometry).fault : null
  if (fault) faults.push(fault)
  return faults.length > 0 ? { faults } : { feature }
}

/** Checks only fields that change: other values may predate the rules. Null is a new feature. */
function faultsOfOwn(
  { own }: Fields,
  before: OwnValues | null,
  after: OwnValues | null | undefined,
): FieldFault[] {
  if (own?.value.type !== 'group') return []
  const schemas: Readonly<Record<string, z.ZodType>> = schemasOf(own.value.fields)
  return Object.entries(schemas).flatMap(([key, schema]) => {
    const [was, is] = [before?.[key] ?? null, after?.[key] ?? null]
    if (before && was === is) return []
    const field = `own.${key}`
    const isMissing = is === null && !schema.safeParse(null).success
    if (isMissing) return [{ field, message: 'must not be empty' }]
    const { error } = schema.safeParse(is)
    return (error?.issues ?? []).map(({ message }) => ({ field, message }))
  })
}

/** JSON parsers round larger numbers. Values that were stored before are accepted. */
function roundedNumbers(feature: NewFeature, before: NewFeature | null): FieldFault[] {
  const stored = new Set([...largeNumbers(before)].map(({ value }) => value))
  const most = formatNumber(Number.MAX_SAFE_INTEGER)
  return [...largeNumbers(feature)]
    .filter(({ value }) => !stored.has(value))
    .map(({ field }) => ({ field, message: `must be within ±${most}: larger numbers lose digits` }))
}

function* largeNumbers(value: unknown, field = ''): Generator<{ field: string; value: number }> {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) yield { field, value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value))
    if (key !== 'geometry') yield* largeNumbers(part, field === '' ? key : `${field}.${key}`)
}

export function faultOfShape(geometry: Geometry): FieldFault | null {
  const fault = findGeometryFault(geometry) ?? findWideEdge(geometry)
  if (!fault) return null
  const [lng, lat] = fault.at ?? []
  const isSomewhere = lng !== undefined && lat !== undefined
  const near = isSomewhere ? ` near ${lat.toFixed(6)}, ${lng.toFixed(6)}` : ''
  return {
    field: 'geometry',
    message: `The shape ${fault.what}${near}.`,
    ...(isSomewhere ? { at: { lat, lng } } : {}),
  }
}

function complete(fields: Fields, given: Values): Values {
  const values = Object.entries(fields).map(([key, { value, isRequired, initial = null }]) => {
    const current = given[key] ?? (isRequired || given[key] === undefined ? initial : null)
    if (value.type === 'line' && typeof current === 'string') return [key, current.trim()]
    if (value.type !== 'group' || !isObject(current)) return [key, current]
    const parts = complete(value.fields, current)
    return [key, isBlank(value.fields, parts) ? null : parts]
  })
  return { ...given, ...Object.fromEntries(values) }
}

const isBlank = (fields: Fields, parts: Values) =>
  Object.entries(parts).every(([key, part]) => part === null || part === (fields[key]?.initial ?? null))

function withFittingType(kind: NewFeature['kind'], merged: Values, change: FeatureChange): Values {
  if (kind !== 'feature' || !('featureType' in change) || 'type' in change) return merged
  const types: readonly unknown[] = typesOfFeatureType(merged.featureType as GeneralFeatureType)
  return types.includes(merged.type) ? merged : { ...merged, type: null }
}

function follow(
  before: NewFeature,
  wanted: NewFeature,
  change: FeatureChange,
  { now, examine }: { now: Date; examine: Examine },
): NewFeature {
  if (hasField(before, 'resolved') && hasField(wanted, 'resolved')) {
    if (!wanted.resolved) return { ...wanted, resolvedDate: null }
    const isNew = !before.resolved && (change.resolvedDate ?? null) === null
    return isNew ? { ...wanted, resolvedDate: now.toISOString() } : wanted
  }
  if (hasField(before, 'area') && hasField(wanted, 'area')) {
    const isTyped = (change.area ?? null) !== null
    // A measured and rounded area stays until the area or the shape changes.
    const isDue = 'area' in change || ('geometry' in change && isFollowing(before))
    return isTyped || !isDue
      ? wanted
      : { ...wanted, area: acresOf(wanted, 'geometry' in change ? examine : undefined) }
  }
  return wanted
}

/** Whether a parcel's area equals the measured area of its shape: then it keeps following the shape. */
function isFollowing({
  area = null,
  geometry,
}: {
  area?: number | null | undefined
  geometry: Geometry
}): boolean {
  return area === null || isAreaOf(geometry, area)
}

const acresOf = ({ geometry }: NewFeature, examine?: Examine) =>
  examine ? examine(geometry).acres : measureAcres(geometry)
