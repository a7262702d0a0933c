import type { z } from 'zod'
import { type Fields, type OwnValues, withArticle } from '#domain/definition/definition.ts'
import { keptOwnValues } from '#domain/definition/own-field.ts'
import { schemasOf } from '#domain/definition/schema.ts'
import {
  type GeneralFeatureType,
  typesOfFeatureType,
} from '#domain/general-features/general-feature.definition.ts'
import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { parseBounded } from '#domain/values/parse-bounded.ts'
import { definitions, hasField, nameFieldOf, nameOf } from './definitions.ts'
import { type NewFeature, newFeature } from './feature.schema.ts'
import type { FeatureToAdd } from './feature-changes.schema.ts'
import { fieldsOf, type OwnFields } from './own-fields.ts'

/**
 * What becomes of a feature: a merge patch (RFC 7396) of its fields, geometry and metadata. What is left out stays, null
 * is nothing known, a group is merged, a list replaced.
 */
export type FeatureChange = Readonly<Record<string, unknown>>

/** `message` goes on with the field's name: 'must not be empty'. */
export type FieldFault = { field: string; message: string; at?: { lat: number; lng: number } }

export type Changed = { feature: NewFeature } | { faults: FieldFault[] }

type Values = Readonly<Record<string, unknown>>

/** Result of a shape check; `acres` is null for a shape with a fault and for what has no area. */
export type ExaminedShape = { fault: FieldFault | null; acres: number | null }

/** `ownFields` are those that the map has. `examine` may know the result of large shapes already. */
export type Circumstances = {
  now: Date
  ownFields: OwnFields
  examine?: (geometry: Geometry) => ExaminedShape
}

export function examineShape(geometry: Geometry): ExaminedShape {
  const fault = faultOfShape(geometry)
  return { fault, acres: fault ? null : measureAcres(geometry) }
}

/** The feature as the change leaves it, with what follows from it, or everything that is wrong with the change. */
export function applyChange(
  present: NewFeature,
  change: FeatureChange,
  { now, ownFields, examine = examineShape }: Circumstances,
): Changed {
  const fields: Fields = fieldsOf(present.kind, ownFields)
  const unknown = [...unknownFields(fields, present, change), ...followingFields(fields, change)]
  if (unknown.length > 0) return { faults: unknown }
  const merged = complete(fields, merge(present, change))
  const wanted = checkFeature(withFittingType(present.kind, merged, change), Object.keys(change), examine)
  if ('faults' in wanted) return wanted
  const faults = faultsOfOwn(fields, present.own ?? {}, wanted.feature.own)
  if (faults.length > 0) return { faults }
  return { feature: follow(present, wanted.feature, change, { now, examine }) }
}

/** A feature that is added by a person, or everything that is wrong with it. */
export function completeFeature(
  said: FeatureToAdd & { mapId: string },
  { now, ownFields, examine = examineShape }: Circumstances,
): Changed {
  const { kind, id, mapId, ...rest } = said
  const fields: Fields = fieldsOf(kind, ownFields)
  const unknown = unknownFields(fields, said, rest)
  if (unknown.length > 0) return { faults: unknown }
  const nameKey = nameFieldOf(kind)
  const whole = { metadata: [], [nameKey]: '', ...complete(fields, said) }
  const wanted = checkFeature(whole, [...Object.keys(rest), nameKey], examine)
  if ('faults' in wanted) return wanted
  const { feature } = wanted
  const faults = faultsOfOwn(fields, null, feature.own)
  if (faults.length > 0) return { faults }
  if (hasField(feature, 'area'))
    return { feature: { ...feature, area: feature.area ?? examine(feature.geometry).acres } }
  if (!hasField(feature, 'resolved')) return { feature }
  const date = feature.date ?? now.toISOString()
  const resolvedDate = feature.resolved ? (feature.resolvedDate ?? now.toISOString()) : null
  return { feature: { ...feature, date, resolvedDate } }
}

const carried = ['id', 'mapId', 'kind'] as const
const ofEveryFeature = ['geometry', 'metadata']

function unknownFields(
  fields: Fields,
  present: Pick<NewFeature, (typeof carried)[number]>,
  change: FeatureChange,
): FieldFault[] {
  const { label } = definitions[present.kind]
  return Object.entries(change).flatMap(([key, said]): FieldFault[] => {
    if (carried.some((name) => name === key))
      return said === present[key as (typeof carried)[number]]
        ? []
        : [{ field: key, message: 'cannot be changed' }]
    if (ofEveryFeature.includes(key)) return []
    if (!Object.hasOwn(fields, key))
      return [{ field: key, message: `is nothing that can be said of ${withArticle(label.one)}` }]
    const { value } = fields[key] as Fields[string]
    if (value.type !== 'group' || !isObject(said)) return []
    return Object.keys(said)
      .filter((part) => !Object.hasOwn(value.fields, part))
      .map((part) => ({ field: `${key}.${part}`, message: `is no part of ${key}` }))
  })
}

/** What a feature says only because something else of it says so. */
function followingFields(fields: Fields, change: FeatureChange): FieldFault[] {
  return Object.keys(change).flatMap((key) => {
    const from = fields[key]?.followsFrom
    return from === undefined ? [] : [{ field: key, message: `follows from ${from}: change that instead` }]
  })
}

/** As many as a file has columns. */
const mostMetadata = 2_000

type Examine = (geometry: Geometry) => ExaminedShape

function checkFeature(wanted: Values, touched: readonly string[], examine: Examine): Changed {
  const parsed = parseBounded(newFeature, wanted)
  if (!parsed.success) {
    const faults = parsed.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
    return { faults }
  }
  const feature = { ...parsed.data, own: keptOwnValues(parsed.data.own) }
  const faults: FieldFault[] = []
  const nameKey = nameFieldOf(feature.kind)
  if (touched.includes(nameKey) && nameOf(feature).trim() === '')
    faults.push({ field: nameKey, message: 'must not be empty' })
  if (touched.includes('metadata') && feature.metadata.length > mostMetadata)
    faults.push({
      field: 'metadata',
      message: `must be at most ${mostMetadata.toLocaleString('en-US')} entries`,
    })
  const fault = touched.includes('geometry') ? examine(feature.geometry).fault : null
  if (fault) faults.push(fault)
  return faults.length > 0 ? { faults } : { feature }
}

/** Only what a change says is checked: what it leaves alone may be older than the fields. Null is a new feature. */
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

/** What keeps a shape from being kept, in words and with its place; null where nothing does. */
export function faultOfShape(geometry: Geometry): FieldFault | null {
  const fault = findGeometryFault(geometry)
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

/** RFC 7396, but that null stays as null: a feature has all of its fields. */
function merge(present: Values, change: Values): Values {
  const merged: Record<string, unknown> = { ...present }
  for (const [key, said] of Object.entries(change)) {
    const before = present[key]
    // A geometry is one value: parts of two make none.
    merged[key] = key !== 'geometry' && isObject(said) && isObject(before) ? merge(before, said) : said
  }
  return merged
}

/** What nobody has said, or not any more, is as it is at first; other values than those of the fields are kept. */
function complete(fields: Fields, said: Values): Values {
  const values = Object.entries(fields).map(([key, { value, isRequired, initial = null }]) => {
    const known = said[key] ?? (isRequired || said[key] === undefined ? initial : null)
    if (value.type === 'line' && typeof known === 'string') return [key, known.trim()]
    if (value.type !== 'group' || !isObject(known)) return [key, known]
    const parts = complete(value.fields, known)
    return [key, isBlank(value.fields, parts) ? null : parts]
  })
  return { ...said, ...Object.fromEntries(values) }
}

/** Whether nothing is known of any part of a group, nor of own fields that are not shown any more. */
const isBlank = (fields: Fields, parts: Values) =>
  Object.entries(parts).every(([key, part]) => part === null || part === (fields[key]?.initial ?? null))

/** A general feature of another feature type loses the type that it cannot have there. */
function withFittingType(kind: NewFeature['kind'], merged: Values, change: FeatureChange): Values {
  if (kind !== 'feature' || !('featureType' in change) || 'type' in change) return merged
  const types: readonly unknown[] = typesOfFeatureType(merged.featureType as GeneralFeatureType)
  return types.includes(merged.type) ? merged : { ...merged, type: null }
}

/** What follows from the change, unless it says otherwise. */
function follow(
  former: NewFeature,
  wanted: NewFeature,
  change: FeatureChange,
  { now, examine }: { now: Date; examine: Examine },
): NewFeature {
  if (hasField(former, 'resolved') && hasField(wanted, 'resolved')) {
    if (!wanted.resolved) return { ...wanted, resolvedDate: null }
    const isNew = !former.resolved && (change.resolvedDate ?? null) === null
    return isNew ? { ...wanted, resolvedDate: now.toISOString() } : wanted
  }
  if (hasField(former, 'area') && hasField(wanted, 'area')) {
    const isTyped = (change.area ?? null) !== null
    // What was measured and then rounded stays so, until somebody changes the one or the other.
    const isDue = 'area' in change || ('geometry' in change && isFollowing(former))
    return isTyped || !isDue
      ? wanted
      : { ...wanted, area: acresOf(wanted, 'geometry' in change ? examine : undefined) }
  }
  return wanted
}

/** Whether a parcel's area is that of its shape: then it goes on being so. */
function isFollowing({
  area = null,
  geometry,
}: {
  area?: number | null | undefined
  geometry: Geometry
}): boolean {
  if (area === null) return true
  const measured = measureAcres(geometry)
  return measured !== null && Math.abs(area - measured) <= measured * sameShare
}

/** Files and forms round what was measured. */
const sameShare = 1e-4

const acresOf = ({ geometry }: NewFeature, examine?: Examine) =>
  examine ? examine(geometry).acres : measureAcres(geometry)

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
