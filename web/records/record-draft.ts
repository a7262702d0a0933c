import {
  type Definition,
  type Field,
  type Fields,
  singleFields,
  valueAt,
} from '#domain/definition/definition.ts'
import {
  type DefinedKind,
  definitions,
  nameFieldOf,
  nameOf as nameOfFeature,
} from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { type KnownFeature, knownOf } from '#domain/features/known-feature.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import type { ShapeToCheck } from '#domain/features/shape-check.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { placeText, readPlace } from '#domain/geometry/read-place.ts'
import { isWebAddress, linkLength } from '#domain/values/text.ts'
import type { RecordStart } from '#web/workspace/placing.ts'

// What the form of a record holds, and what of it is a change. Everything is text as its control has it, by the path of
// its field: what nobody touched goes back to the server as it came, whatever the control can show of it.

/** By path, 'zoning.type'. Empty is nothing known. */
export type FormValues = Readonly<Record<string, string>>

export type FormField = { path: string; field: Field }

/** Somebody's changes to a record, or a record that nobody else has yet. */
export type Draft = {
  /** What they are made to: how it was seen last. */
  base: FeatureDetail
  /** The fields that the client has added, as they were seen last. */
  ownFields: OwnFields
  values: FormValues
  /** Where it lies from now on; null where that stays, or is not said yet. */
  geometry: Geometry | null
  /** The coordinates that somebody is typing. They may not be a place yet. */
  typedPlace: string | null
  /** By path: what somebody else changed, too. Mine or theirs? */
  asked: readonly string[]
  /** What somebody else changed meanwhile, and what has been taken over from there. */
  told: readonly string[]
}

/** A feature, and the fields that its map has. */
export type Based = Pick<Draft, 'base' | 'ownFields'>

const allFields = ({ base, ownFields }: Based): Fields => fieldsOf(base.kind, ownFields)

/** The fields of a form, in its order: lists have none, as they are kept entry by entry, nor has what follows from others. */
export function formFields(based: Based): FormField[] {
  const fields = allFields(based)
  return singleFields(fields).flatMap(([path, field]) => (field.followsFrom ? [] : [{ path, field }]))
}

/** Under their headings, as far as the values leave them in view. */
export function formSections(
  draft: Based & Pick<Draft, 'values'>,
): { heading: string | null; fields: FormField[] }[] {
  const { values } = draft
  const fields = allFields(draft)
  const sections = new Map<string | null, FormField[]>([[null, []]])
  for (const one of formFields(draft)) {
    if (!isInView(one.field, values)) continue
    const heading = fields[one.path.split('.', 1)[0] as string]?.section ?? null
    sections.set(heading, [...(sections.get(heading) ?? []), one])
  }
  return [...sections].map(([heading, fields]) => ({ heading, fields }))
}

const isInView = ({ shownIf }: Field, values: FormValues) =>
  shownIf === undefined || values[shownIf] === 'true'

/** What the form says of the base. */
export function valuesOf(based: Based): FormValues {
  return Object.fromEntries(
    formFields(based).map(({ path, field }) => [path, textOf(field, valueAt(based.base, path))]),
  )
}

export const newDraft = (base: FeatureDetail, ownFields: OwnFields): Draft => ({
  base,
  ownFields,
  values: valuesOf({ base, ownFields }),
  geometry: null,
  typedPlace: null,
  asked: [],
  told: [],
})

/** A record that is about to be added: nothing is known of it but what it starts with. */
export function draftOfNew(mapId: string, id: string, start: RecordStart, ownFields: OwnFields): Draft {
  const { kind, geometry = null, like, name, description } = start
  const { fields, shapes }: Pick<Definition, 'fields' | 'shapes'> = definitions[kind]
  const [usual] = shapes
  const base = {
    ...Object.fromEntries(Object.entries(fields).map(([key, { initial = null }]) => [key, initial])),
    id,
    mapId,
    kind,
    version: 0,
    updatedAt: '',
    metadata: [],
    referenceNames: {},
    geometry: { type: 'Point', coordinates: [0, 0] },
    location: { lat: 0, lng: 0 },
    shape: geometry ? shapeOfGeometry(geometry) : (like?.shape ?? usual),
  } as unknown as FeatureDetail
  const values = { ...valuesOf({ base, ownFields }) }
  for (const { path, field } of formFields({ base, ownFields })) {
    if (like && !field.isOwn) values[path] = textOf(field, valueAt(like, path))
    if (field.column === 'name' && name) values[path] = name
    if (field.column === 'description' && description) values[path] = description
  }
  return { ...newDraft(base, ownFields), values, geometry }
}

/** The same where a manager has changed the fields meanwhile: what was typed into those that are left stays. */
export function withOwnFields(draft: Draft, ownFields: OwnFields): Draft {
  const values = valuesOf({ ...draft, ownFields })
  const typed = Object.entries(draft.values).filter(([path]) => path in values)
  return { ...draft, ownFields, values: { ...values, ...Object.fromEntries(typed) } }
}

/** No version: nobody but its author has it. Nothing that its base says of the place means anything. */
export const isNew = ({ base }: Pick<Draft, 'base'>) => base.version === 0

/** How it lies by now; null for a new one of which nobody has said it. */
export const geometryOf = (draft: Draft): Geometry | null =>
  draft.geometry ?? (isNew(draft) ? null : draft.base.geometry)

/** What a list would say of it, as it is in the form. */
export const seenAs = (draft: Draft): KnownFeature => knownOf(asSaved(draft))

/** What a feature is called, as pages say it. */
export const nameOf = (feature: FeatureDetail) => nameOfFeature(feature) || 'Untitled'

/** The same of a draft: a new one may have no name yet. */
export function titleOf(draft: Draft): string {
  if (!isNew(draft)) return nameOf(draft.base)
  const { kind } = draft.base
  const typed = draft.values[nameFieldOf(kind)]?.trim()
  return typed || newTitle(kind)
}

/** 'New asset' */
export const newTitle = (kind: DefinedKind) => `New ${definitions[kind].label.one.toLowerCase()}`

/** The place of a point as somebody typed it, with the place that this is, if it is one. */
export function withTypedPlace(draft: Draft, text: string): Draft {
  const { base } = draft
  const known = isNew(draft) || base.geometry.type !== 'Point' ? null : placeText(base.geometry.coordinates)
  const place = readPlace(text)
  if (text.trim() === known) return { ...draft, geometry: null, typedPlace: text }
  if (!place) return { ...draft, typedPlace: text }
  return { ...draft, geometry: { type: 'Point', coordinates: place }, typedPlace: text }
}

/** The changed geometry, for a check; null where the draft changes none. */
export function shapeToCheckOf({ base, geometry }: Draft): ShapeToCheck | null {
  const { kind, id, version } = base
  return geometry && { kind, id: version === 0 ? null : id, geometry }
}

function textOf({ value }: Field, known: unknown): string {
  if (known === null) return ''
  return value.type === 'instant' ? localTextOf(String(known)) : String(known)
}

/** As an input of date and time has it: in the reader's zone, to the minute. */
function localTextOf(instant: string): string {
  const at = new Date(instant)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** What the text of a control means, or why it means nothing. */
export type Said = { value: unknown } | { problem: string }

export function read({ value, isRequired, initial = null }: Field, text: string): Said {
  const said = value.type === 'prose' ? text : text.trim()
  if (said === '') {
    if (!isRequired) return { value: null }
    return initial === null ? { problem: 'Must not be empty' } : { value: initial }
  }
  switch (value.type) {
    case 'number': {
      const number = Number(/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(said) ? said.replaceAll(',', '') : said)
      if (!Number.isFinite(number)) return { problem: 'Must be a number, such as 12.5' }
      const { min } = value
      return min !== undefined && number < min ? { problem: `Must be ${min} or more` } : { value: number }
    }
    case 'count':
      return /^\d{1,15}$/.test(said)
        ? { value: Number(said) }
        : { problem: 'Must be a whole number of 0 or more' }
    case 'flag':
      return { value: said === 'true' }
    case 'instant': {
      const at = new Date(said)
      return Number.isNaN(at.getTime())
        ? { problem: 'Must be a date with a time' }
        : { value: at.toISOString() }
    }
    case 'link':
      return isWebAddress(said) && said.length <= linkLength
        ? { value: said }
        : { problem: 'Must be a web address, such as https://example.com' }
    case 'line':
    case 'prose':
      return said.length > value.maxLength
        ? { problem: `Must have no more than ${value.maxLength.toLocaleString()} characters` }
        : { value: said }
    default:
      return { value: said }
  }
}

/** What of a draft differs from its base: a field, or how it lies, which is no field of any definition. */
export type DraftChange = { path: string; label: string }

/** What has changed, as far as it says something else than the base, in the order of the form. */
export function changesOf(draft: Draft): DraftChange[] {
  const fields = changedFields(draft).map(({ path, field }) => ({ path, label: field.label }))
  const isMoved = draft.geometry !== null || hasNoPlace(draft)
  return isMoved ? [...fields, { path: geometryPath, label: labelAt(draft, geometryPath) }] : fields
}

const geometryPath = 'geometry'

/** What a field, or how it lies, is called. */
export function labelAt(based: Based, path: string): string {
  if (path === geometryPath) return based.base.shape === 'point' ? 'Place' : 'Shape'
  return formFields(based).find((one) => one.path === path)?.field.label ?? path
}

function changedFields(draft: Draft): FormField[] {
  const { base, values } = draft
  const before = valuesOf(draft)
  return formFields(draft).filter(({ path, field }) => {
    const text = values[path] ?? ''
    return isInView(field, values) && text !== before[path] && !isSame(field, text, valueAt(base, path))
  })
}

function isSame(field: Field, text: string, known: unknown): boolean {
  const said = read(field, text)
  if ('problem' in said) return false
  return said.value === known || (said.value === field.initial && known === null)
}

/** Coordinates that are no place. Nothing is typed into an empty field yet. */
const hasNoPlace = ({ typedPlace }: Draft) =>
  typedPlace !== null && typedPlace.trim() !== '' && readPlace(typedPlace) === null

/** What keeps a draft from being saved, by path. Of a new record all fields have to be right, not only the changed ones. */
export function problemsOf(draft: Draft): Map<string, string> {
  const { values } = draft
  const checked = isNew(draft)
    ? formFields(draft).filter(({ field }) => isInView(field, values))
    : changedFields(draft)
  const problems = new Map(
    checked.flatMap(({ path, field }): [string, string][] => {
      const said = read(field, values[path] ?? '')
      return 'problem' in said ? [[path, said.problem]] : []
    }),
  )
  if (hasNoPlace(draft))
    problems.set(geometryPath, 'Must be a latitude and a longitude, such as 42.3736, -71.1097')
  else if (geometryOf(draft) === null) problems.set(geometryPath, 'Say where it is')
  return problems
}

/** A merge patch (RFC 7396) of what has changed. The values have no problems. */
export function patchOf(draft: Draft): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const { path, field } of changedFields(draft)) {
    const said = read(field, draft.values[path] ?? '')
    if ('problem' in said) continue
    const [key, part] = path.split('.') as [string, string?]
    if (part === undefined) patch[key] = said.value
    else patch[key] = { ...(patch[key] as object | undefined), [part]: said.value }
  }
  return draft.geometry === null ? patch : { ...patch, geometry: draft.geometry }
}

/** The record as it will be. What means nothing is as it was. */
export function asSaved(draft: Draft): FeatureDetail {
  const base: Readonly<Record<string, unknown>> = draft.base
  const patch = patchOf(draft)
  for (const { path } of changedFields(draft)) {
    const [key, part] = path.split('.') as [string, string?]
    if (part !== undefined) patch[key] = { ...(base[key] as object | null), ...(patch[key] as object) }
  }
  return { ...draft.base, ...patch } as FeatureDetail
}

/**
 * The same changes made to what somebody else has made of the record since. What only they changed is taken over and
 * told; what both changed, each in another way, is asked.
 */
export function rebase(draft: Draft, theirs: FeatureDetail): Draft {
  const { base, values, asked, told } = draft
  const mine = new Set(changesOf(draft).map(({ path }) => path))
  const { ownFields } = draft
  const before = valuesOf(draft)
  const paths = [...formFields(draft).map(({ path }) => path), geometryPath]
  const moved = new Set(
    paths.filter((path) => JSON.stringify(valueAt(base, path)) !== JSON.stringify(valueAt(theirs, path))),
  )
  const isTheirs = JSON.stringify(draft.geometry) === JSON.stringify(theirs.geometry)
  const merged: Draft = {
    base: theirs,
    ownFields,
    values: {
      ...valuesOf({ base: theirs, ownFields }),
      ...Object.fromEntries(Object.entries(values).filter(([path]) => mine.has(path) && path in before)),
    },
    geometry: isTheirs ? null : draft.geometry,
    typedPlace: isTheirs || !mine.has(geometryPath) ? null : draft.typedPlace,
    asked: [],
    told: [],
  }
  const still = new Set(changesOf(merged).map(({ path }) => path))
  const isAsked = (path: string) => still.has(path) && (moved.has(path) || asked.includes(path))
  const isTold = (path: string) => !mine.has(path) && (moved.has(path) || told.includes(path))
  return { ...merged, asked: paths.filter(isAsked), told: paths.filter(isTold) }
}

/** A field that was asked about is settled: as it is in the form, or as the other person left it. */
export function settle(draft: Draft, path: string, whose: 'mine' | 'theirs'): Draft {
  const settled = { ...draft, asked: draft.asked.filter((other) => other !== path) }
  if (whose === 'mine') return settled
  if (path === geometryPath) return { ...settled, geometry: null, typedPlace: null }
  return { ...settled, values: { ...draft.values, [path]: valuesOf(draft)[path] ?? '' } }
}

export const countText = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'change' : 'changes'}`
