// Kinds of features as data: storage, API, schemas, import and details are derived from it. No schema library: the
// first chunk of the page needs the labels.

import type { FeatureShape } from './kinds.ts'

/** Lengths are UTF-16 units. */
export type FieldValue =
  | { type: 'line'; maxLength: number }
  | { type: 'prose'; maxLength: number }
  | { type: 'number'; min?: number; unit?: 'acres' | 'dollars' }
  | { type: 'count' }
  | { type: 'flag'; words?: { yes: string; no: string } }
  /** YYYY-MM-DD. */
  | { type: 'day' }
  /** ISO 8601 in UTC. */
  | { type: 'instant' }
  | { type: 'choice'; choices: Readonly<Record<string, string>> }
  /** http or https only. */
  | { type: 'link' }
  | { type: 'reference'; to: 'parcel' }
  /** Null if all fields are unknown. */
  | { type: 'group'; fields: Fields }
  /** Values of custom fields, by key. `fieldsOf` turns it into a group. */
  | { type: 'own' }
  /** Newest first; the details show `shown` entries. */
  | { type: 'list'; of: Fields; shown: number }

/** Columns of the table of features that hold a field. Every other field is part of the row's JSON. */
export type FieldColumn = 'name' | 'description' | 'type' | 'status' | 'severity' | 'date'

export type Field = {
  label: string
  help?: string
  section?: string
  value: FieldValue
  isRequired?: true
  /** For missing data: in a file, or in a row older than the field. */
  initial?: unknown
  /** Text of a null value in a form, if it means more than unknown. */
  nullMeans?: string
  /** For staff, unless the map's configuration shows personal data to the public. */
  isPersonal?: true
  /** For staff, whatever the configuration. */
  isForStaff?: true
  /** Source of the value. After a feature is added, only the source changes it. */
  followsFrom?: string
  column?: FieldColumn
  /** Words of a personal field are found only by users who may see it. */
  isSearched?: true
  /** Other names of its column in files, besides the label. */
  names?: readonly string[]
  /** Columns match it only explicitly, never by name. */
  isNamedOnly?: true
  /** Defaults to true if this other field has a value. */
  impliedBy?: string
  /** Shown only if this flag of the same record is true. */
  shownIf?: string
  /** Stays empty when a record is added like another one. */
  isNotCopied?: true
  /** The details leave it out when it is unknown, instead of showing a dash. */
  isShownIfKnown?: true
}

export type Fields = Readonly<Record<string, Field>>

export type Definition<Kind extends string = string, Own extends Fields = Fields> = {
  kind: Kind
  label: { one: string; many: string }
  /** What its name does not say. */
  help?: string
  /** Shapes that can be drawn, the usual one first. Files may contain others. */
  shapes: readonly FeatureShape[]
  fields: Own
}

export function define<const Kind extends string, const Own extends Fields>(
  definition: Definition<Kind, Own>,
): Definition<Kind, Own> {
  return definition
}

export const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun.toLowerCase()}`

/** Includes removed custom fields. */
export type OwnValues = Record<string, string | number | boolean | null>

export type ValueOf<Value extends FieldValue> = Value extends { type: 'number' | 'count' }
  ? number
  : Value extends { type: 'flag' }
    ? boolean
    : Value extends { type: 'choice'; choices: infer Choices }
      ? keyof Choices & string
      : Value extends { type: 'group'; fields: infer Parts extends Fields }
        ? ValuesOf<Parts>
        : Value extends { type: 'list'; of: infer Parts extends Fields }
          ? ValuesOf<Parts>[]
          : Value extends { type: 'own' }
            ? OwnValues
            : string

export type ValuesOf<Own extends Fields> = {
  -readonly [Key in keyof Own]: Own[Key] extends { isRequired: true }
    ? ValueOf<Own[Key]['value']>
    : ValueOf<Own[Key]['value']> | null
}

/** Fields with a single value; those of groups by path, such as 'zoning.type'. */
export function singleFields(fields: Fields): [path: string, field: Field][] {
  return Object.entries(fields).flatMap(([key, field]): [string, Field][] => {
    if (field.value.type === 'list' || field.value.type === 'own') return []
    if (field.value.type !== 'group') return [[key, field]]
    return singleFields(field.value.fields).map(([part, inner]) => [`${key}.${part}`, inner])
  })
}

export const valueAt = (values: Readonly<Record<string, unknown>>, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[key] ?? null,
      values,
    )
