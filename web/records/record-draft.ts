import {
  type Definition,
  type Field,
  type Fields,
  singleFields,
  valueAt,
} from '#domain/definition/definition.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import { type DefinedKind, definitions, featureName, nameFieldOf } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { type FeaturePreview, previewOf } from '#domain/features/feature-preview.ts'
import type { ShapeToCheck } from '#domain/features/shape-check.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placeText, readPlace } from '#domain/geometry/read-place.ts'
import { nextDueOf, noPlan } from '#domain/maintenance/due.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { isWebAddress, linkLength } from '#domain/values/text.ts'
import { counted } from '#domain/values/wording.ts'
import { instantText, today } from '#web/ui/time-zone.ts'
import { compareEdits, differingFields, type Side } from '#web/ui/unsaved/compare-edits.ts'
import type { RecordStart } from '#web/workspace/placing.ts'

// The form of a record. Values are the texts of the controls, by field path. An unedited field is never sent, even if its
// control cannot show its exact value. Instants are in UTC, so that a draft means the same in every time zone.

/** By path, such as 'zoning.type'. An empty text means no value. */
export type FormValues = Readonly<Record<string, string>>

export type FormField = { path: string; field: Field }

/** A record that is not added yet: it has no place, and its other properties are the initial values of its fields. */
export type NewRecord = Pick<FeatureDetail, 'id' | 'mapId' | 'kind' | 'shape' | 'referenceNames'> & {
  version: 0
}

export type RecordBase = FeatureDetail | NewRecord

export type Draft<Base extends RecordBase = RecordBase> = {
  base: Base
  customFields: CustomFields
  values: FormValues
  /** The new geometry; null if it is unchanged or not set yet. */
  geometry: Geometry | null
  /** Coordinates as typed; they may be invalid. */
  typedPlace: string | null
  conflicts: readonly string[]
  /** Paths that another user changed; the form shows the new values. */
  updated: readonly string[]
}

export type Based = Pick<Draft, 'base' | 'customFields'>

const allFields = ({ base, customFields }: Based): Fields => fieldsOf(base.kind, customFields)

export function formFields(based: Based): FormField[] {
  const fields = allFields(based)
  return singleFields(fields).flatMap(([path, field]) => (field.followsFrom ? [] : [{ path, field }]))
}

export function formSections(
  draft: Based & Pick<Draft, 'values'>,
): { heading: string | null; fields: FormField[] }[] {
  const { values } = draft
  const fields = allFields(draft)
  const sections = new Map<string | null, FormField[]>([[null, []]])
  for (const one of formFields(draft)) {
    if (!isVisible(one.field, values)) continue
    const heading = fields[one.path.split('.', 1)[0] as string]?.section ?? null
    sections.set(heading, [...(sections.get(heading) ?? []), one])
  }
  return [...sections].map(([heading, fields]) => ({ heading, fields }))
}

const isVisible = ({ shownIf }: Field, values: FormValues) =>
  shownIf === undefined || values[shownIf] === 'true'

export function valuesOf(based: Based): FormValues {
  return Object.fromEntries(formFields(based).map(({ path }) => [path, textOf(valueAt(based.base, path))]))
}

export const newDraft = <Base extends RecordBase>(base: Base, customFields: CustomFields): Draft<Base> => ({
  base,
  customFields,
  values: valuesOf({ base, customFields }),
  geometry: null,
  typedPlace: null,
  conflicts: [],
  updated: [],
})

export function draftOfNew(
  mapId: string,
  id: string,
  start: RecordStart,
  customFields: CustomFields,
): Draft<NewRecord> {
  const { kind, geometry = null, like, name, description } = start
  const { fields, shapes }: Pick<Definition, 'fields' | 'shapes'> = definitions[kind]
  const [usual = 'point'] = shapes
  const base: NewRecord = {
    ...Object.fromEntries(Object.entries(fields).map(([key, { initial = null }]) => [key, initial])),
    id,
    mapId,
    kind,
    version: 0,
    referenceNames: {},
    shape: geometry ? shapeOfGeometry(geometry) : (like?.shape ?? usual),
  }
  const values = { ...valuesOf({ base, customFields }) }
  for (const { path, field } of formFields({ base, customFields })) {
    if (like && !field.isNotCopied) values[path] = textOf(valueAt(like, path))
    if (field.column === 'name' && name) values[path] = name
    if (field.column === 'description' && description) values[path] = description
  }
  return { ...newDraft(base, customFields), values, geometry }
}

export function withCustomFields(draft: Draft, customFields: CustomFields): Draft {
  const values = valuesOf({ ...draft, customFields })
  const typed = Object.entries(draft.values).filter(([path]) => path in values)
  return { ...draft, customFields, values: { ...values, ...Object.fromEntries(typed) } }
}

export const isNew = (base: RecordBase): base is NewRecord => base.version === 0

/** Null for a new record without a place. */
export const geometryOf = ({ base, geometry }: Draft): Geometry | null =>
  geometry ?? (isNew(base) ? null : base.geometry)

export const summaryOf = (draft: Draft): FeaturePreview => previewOf(asSaved(draft))

export const recordName = (feature: FeatureDetail) => featureName(feature) || 'Untitled'

export function titleOf({ base, values }: Draft): string {
  if (!isNew(base)) return recordName(base)
  const { kind } = base
  const typed = values[nameFieldOf(kind)]?.trim()
  return typed || newTitle(kind)
}

export const newTitle = (kind: DefinedKind) => `New ${definitions[kind].label.one.toLowerCase()}`

export function withTypedPlace(draft: Draft, text: string): Draft {
  const { base } = draft
  const current = isNew(base) || base.geometry.type !== 'Point' ? null : placeText(base.geometry.coordinates)
  const place = readPlace(text)
  if (text.trim() === current) return { ...draft, geometry: null, typedPlace: text }
  if (!place) return { ...draft, typedPlace: text }
  return { ...draft, geometry: { type: 'Point', coordinates: place }, typedPlace: text }
}

export function shapeToCheckOf({ base, geometry }: Draft): ShapeToCheck | null {
  const { kind, id, version } = base
  return geometry && { kind, id: version === 0 ? null : id, geometry }
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

export type ReadText = { value: unknown } | { problem: string }

export function read({ value, isRequired, initial = null }: Field, text: string): ReadText {
  const input = value.type === 'prose' ? text : text.trim()
  if (input === '') {
    if (!isRequired) return { value: null }
    return initial === null ? { problem: 'Must not be empty' } : { value: initial }
  }
  switch (value.type) {
    case 'number': {
      const number = Number(/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(input) ? input.replaceAll(',', '') : input)
      if (!Number.isFinite(number)) return { problem: 'Must be a number, such as 12.5' }
      const { min } = value
      return min !== undefined && number < min ? { problem: `Must be ${min} or more` } : { value: number }
    }
    case 'count':
      return /^\d{1,15}$/.test(input)
        ? { value: Number(input) }
        : { problem: 'Must be a whole number of 0 or more' }
    case 'flag':
      return { value: input === 'true' }
    case 'day':
      return /^\d+-\d\d-\d\d$/.test(input) ? { value: input } : { problem: 'Must be a complete date' }
    case 'instant': {
      const at = new Date(instantText(input))
      return Number.isNaN(at.getTime())
        ? { problem: 'Must be a date with a time' }
        : { value: at.toISOString() }
    }
    case 'link':
      return isWebAddress(input) && input.length <= linkLength
        ? { value: input }
        : { problem: 'Must be a web address, such as https://example.com' }
    case 'line':
    case 'prose':
      return input.length > value.maxLength
        ? { problem: `Must be ${counted(value.maxLength, 'character')} or less` }
        : { value: input }
    default:
      return { value: input }
  }
}

export type DraftChange = { path: string; label: string }

export function changesOf(draft: Draft): DraftChange[] {
  const fields = changedFields(draft).map(({ path, field }) => ({ path, label: field.label }))
  const isMoved = draft.geometry !== null || hasNoPlace(draft)
  return isMoved ? [...fields, { path: geometryPath, label: labelAt(draft, geometryPath) }] : fields
}

const geometryPath = 'geometry'

export function labelAt(based: Based, path: string): string {
  if (path === geometryPath) return based.base.shape === 'point' ? 'Location' : 'Shape'
  return formFields(based).find((one) => one.path === path)?.field.label ?? path
}

function changedFields(draft: Draft): FormField[] {
  const { base, values } = draft
  const before = valuesOf(draft)
  return formFields(draft).filter(({ path, field }) => {
    const text = values[path] ?? ''
    return isVisible(field, values) && text !== before[path] && !isSame(field, text, valueAt(base, path))
  })
}

function isSame(field: Field, text: string, current: unknown): boolean {
  const input = read(field, text)
  if ('problem' in input) return false
  return input.value === current || (input.value === field.initial && current === null)
}

const hasNoPlace = ({ typedPlace }: Draft) =>
  typedPlace !== null && typedPlace.trim() !== '' && readPlace(typedPlace) === null

/** Checks all fields of a new record, otherwise only the changed ones. */
export function problemsOf(draft: Draft): Map<string, string> {
  const { base, values } = draft
  const checked = isNew(base)
    ? formFields(draft).filter(({ field }) => isVisible(field, values))
    : changedFields(draft)
  const problems = new Map(
    checked.flatMap(({ path, field }): [string, string][] => {
      const input = read(field, values[path] ?? '')
      return 'problem' in input ? [[path, input.problem]] : []
    }),
  )
  if (hasNoPlace(draft))
    problems.set(geometryPath, 'Must be a latitude and longitude, such as 42.3736, -71.1097')
  else if (geometryOf(draft) === null) problems.set(geometryPath, 'Add a location')
  return problems
}

const firstDuePath = 'maintenancePlan.firstDue'
const rhythmPaths = ['maintenancePlan.everyMonths', 'maintenancePlan.month']

/** A new rhythm of maintenance proposes its first due day, counted from today, unless another day is known. */
export function withValue<Base extends RecordBase>(
  draft: Draft<Base>,
  path: string,
  text: string,
): Draft<Base> {
  const next = { ...draft, values: { ...draft.values, [path]: text } }
  if (!rhythmPaths.includes(path)) return next
  const firstDue = draft.values[firstDuePath] ?? ''
  if (firstDue !== '' && firstDue !== proposedFirstDue(draft)) return next
  return { ...next, values: { ...next.values, [firstDuePath]: proposedFirstDue(next) } }
}

function proposedFirstDue(draft: Draft): string {
  const saved = asSaved(draft)
  if (saved.kind !== 'asset' || saved.lastMaintenance || saved.installDate) return ''
  const maintenancePlan = { ...noPlan, ...saved.maintenancePlan, firstDue: null }
  return nextDueOf({ maintenancePlan, installDate: today() }, undefined) ?? ''
}

/** A merge patch (RFC 7396) of the changes; invalid texts are left out. */
export function patchOf(draft: Draft): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const { path, field } of changedFields(draft)) {
    const input = read(field, draft.values[path] ?? '')
    if ('value' in input) setAt(patch, path, input.value)
  }
  return draft.geometry === null ? patch : { ...patch, geometry: draft.geometry }
}

export function setAt(patch: Record<string, unknown>, path: string, value: unknown) {
  const [key = '', part] = path.split('.')
  patch[key] = part === undefined ? value : { ...asObject(patch[key]), [part]: value }
}

const asObject = (value: unknown) => (typeof value === 'object' ? value : null)

export function asSaved(draft: Draft): FeatureDetail {
  const base: Readonly<Record<string, unknown>> = draft.base
  const patch = patchOf(draft)
  for (const [key, value] of Object.entries(patch))
    if (key !== geometryPath && isPart(value)) patch[key] = { ...asObject(base[key]), ...value }
  return { ...draft.base, ...patch } as FeatureDetail
}

const isPart = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function rebase(draft: Draft, theirs: FeatureDetail): Draft<FeatureDetail> {
  const { base, values, customFields } = draft
  const edited = new Set(changesOf(draft).map(({ path }) => path))
  const before = valuesOf(draft)
  const paths = [...formFields(draft).map(({ path }) => path), geometryPath]
  const valuesAt = (record: RecordBase) =>
    Object.fromEntries(paths.map((path) => [path, valueAt(record, path)]))
  const isTheirs = isEqual(draft.geometry, theirs.geometry)
  const merged: Draft<FeatureDetail> = {
    ...newDraft(theirs, customFields),
    values: {
      ...valuesOf({ base: theirs, customFields }),
      ...Object.fromEntries(Object.entries(values).filter(([path]) => edited.has(path) && path in before)),
    },
    geometry: isTheirs ? null : draft.geometry,
    typedPlace: isTheirs || !edited.has(geometryPath) ? null : draft.typedPlace,
  }
  const differing = new Set(changesOf(merged).map(({ path }) => path))
  const changed = differingFields(paths, valuesAt(base), valuesAt(theirs))
  return { ...merged, ...compareEdits(paths, { edited, changed, differing }, draft) }
}

export function settle<Base extends RecordBase>(draft: Draft<Base>, path: string, side: Side): Draft<Base> {
  const settled = { ...draft, conflicts: draft.conflicts.filter((other) => other !== path) }
  if (side === 'mine') return settled
  if (path === geometryPath) return { ...settled, geometry: null, typedPlace: null }
  return { ...settled, values: { ...draft.values, [path]: valuesOf(draft)[path] ?? '' } }
}

export const countText = (count: number) => counted(count, 'change')
