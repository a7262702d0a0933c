import { type Field, type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'

// What the form of a record holds, and what of it is a change. Everything is text as its control has it, by the path of
// its field: what nobody touched goes back to the server as it came, whatever the control can show of it.

/** By path, 'zoning.type'. Empty is nothing known. */
export type FormValues = Readonly<Record<string, string>>

export type FormField = { path: string; field: Field }

/** Somebody's changes to a record. `asked` are fields that somebody else changed too: mine or theirs? */
export type Draft = {
  /** What they are made to: how it was seen last. */
  base: FeatureDetail
  values: FormValues
  asked: readonly string[]
  /** What somebody else changed meanwhile, and what has been taken over from there. */
  told: readonly string[]
}

/** The fields of a form, in its order: lists have none, as they are kept entry by entry. */
export function formFields({ kind }: Pick<FeatureDetail, 'kind'>): FormField[] {
  const { fields }: { fields: Fields } = definitions[kind]
  return singleFields(fields).map(([path, field]) => ({ path, field }))
}

/** Under their headings, as far as the values leave them in view. */
export function formSections(
  feature: Pick<FeatureDetail, 'kind'>,
  values: FormValues,
): { heading: string | null; fields: FormField[] }[] {
  const { fields }: { fields: Fields } = definitions[feature.kind]
  const sections = new Map<string | null, FormField[]>([[null, []]])
  for (const one of formFields(feature)) {
    if (!isInView(one.field, values)) continue
    const heading = fields[one.path.split('.', 1)[0] as string]?.section ?? null
    sections.set(heading, [...(sections.get(heading) ?? []), one])
  }
  return [...sections].map(([heading, fields]) => ({ heading, fields }))
}

const isInView = ({ shownIf }: Field, values: FormValues) =>
  shownIf === undefined || values[shownIf] === 'true'

export function valuesOf(feature: FeatureDetail): FormValues {
  return Object.fromEntries(
    formFields(feature).map(({ path, field }) => [path, textOf(field, valueAt(feature, path))]),
  )
}

export const newDraft = (base: FeatureDetail): Draft => ({
  base,
  values: valuesOf(base),
  asked: [],
  told: [],
})

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
    case 'line':
    case 'prose':
      return said.length > value.maxLength
        ? { problem: `Must have no more than ${value.maxLength.toLocaleString()} characters` }
        : { value: said }
    default:
      return { value: said }
  }
}

/** The fields in which the values say something else than the base. */
export function changedFields({ base, values }: Pick<Draft, 'base' | 'values'>): FormField[] {
  const before = valuesOf(base)
  return formFields(base).filter(({ path, field }) => {
    const text = values[path] ?? ''
    return isInView(field, values) && text !== before[path] && !isSame(field, text, valueAt(base, path))
  })
}

function isSame(field: Field, text: string, known: unknown): boolean {
  const said = read(field, text)
  if ('problem' in said) return false
  return said.value === known || (said.value === field.initial && known === null)
}

/** What is wrong with the values, by path. */
export function problemsOf(draft: Pick<Draft, 'base' | 'values'>): Map<string, string> {
  return new Map(
    changedFields(draft).flatMap(({ path, field }): [string, string][] => {
      const said = read(field, draft.values[path] ?? '')
      return 'problem' in said ? [[path, said.problem]] : []
    }),
  )
}

/** A merge patch (RFC 7396) of what has changed. The values have no problems. */
export function patchOf(draft: Pick<Draft, 'base' | 'values'>): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const { path, field } of changedFields(draft)) {
    const said = read(field, draft.values[path] ?? '')
    if ('problem' in said) continue
    const [key, part] = path.split('.') as [string, string?]
    if (part === undefined) patch[key] = said.value
    else patch[key] = { ...(patch[key] as object | undefined), [part]: said.value }
  }
  return patch
}

/**
 * The same changes made to what somebody else has made of the record since. What only they changed is taken over and
 * told; what both changed, each in another way, is asked.
 */
export function rebase(draft: Draft, theirs: FeatureDetail): Draft {
  const { base, values, asked, told } = draft
  const mine = new Set(changedFields(draft).map(({ path }) => path))
  const [before, after] = [valuesOf(base), valuesOf(theirs)]
  const moved = new Set(
    formFields(base)
      .map(({ path }) => path)
      .filter((path) => JSON.stringify(valueAt(base, path)) !== JSON.stringify(valueAt(theirs, path))),
  )
  const merged = {
    ...after,
    ...Object.fromEntries(Object.entries(values).filter(([path]) => mine.has(path) && path in before)),
  }
  const still = new Set(changedFields({ base: theirs, values: merged }).map(({ path }) => path))
  const isAsked = (path: string) => still.has(path) && (moved.has(path) || asked.includes(path))
  const isTold = (path: string) => !mine.has(path) && (moved.has(path) || told.includes(path))
  const paths = formFields(base).map(({ path }) => path)
  return { base: theirs, values: merged, asked: paths.filter(isAsked), told: paths.filter(isTold) }
}

/** A field that was asked about is settled: as it is in the form, or as the other person left it. */
export function settle(draft: Draft, path: string, whose: 'mine' | 'theirs'): Draft {
  const values =
    whose === 'mine' ? draft.values : { ...draft.values, [path]: valuesOf(draft.base)[path] ?? '' }
  return { ...draft, values, asked: draft.asked.filter((other) => other !== path) }
}

export const countText = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'change' : 'changes'}`
