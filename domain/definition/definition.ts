// Kinds of features as data: storage, the interface and its schemas, import and details follow from it. No schema
// library: the first chunk of the page needs the labels.

import type { FeatureShape } from './kinds.ts'

/** Values of a field. Lengths are UTF-16 units. */
export type FieldValue =
  /** One line of text. Space around it does not count. */
  | { type: 'line'; maxLength: number }
  /** Text of any number of lines, unchanged. */
  | { type: 'prose'; maxLength: number }
  | { type: 'number'; min?: number; unit?: 'acres' | 'dollars' }
  /** A whole number of 0 or more. */
  | { type: 'count' }
  /** Yes or no, and the words that stand for them where there is a state. */
  | { type: 'flag'; words?: { yes: string; no: string } }
  /** A calendar day, YYYY-MM-DD. */
  | { type: 'day' }
  /** ISO 8601 in UTC. */
  | { type: 'instant' }
  /** One of these keys; each has its label. */
  | { type: 'choice'; choices: Readonly<Record<string, string>> }
  /** The address of a page of the web: http or https alone. */
  | { type: 'link' }
  /** The id of a feature of this kind on the same map. */
  | { type: 'reference'; to: 'parcel' }
  /** Fields that belong together: null if all of them are unknown. */
  | { type: 'group'; fields: Fields }
  /** Values of the fields that a client added, by key. `fieldsOf` turns it into a group. */
  | { type: 'own' }
  /** Entries, newest first; `shown` of them in the details. */
  | { type: 'list'; of: Fields; shown: number }

/** Columns of the table of features that hold a field. Every other field is part of the row's JSON. */
export type FieldColumn = 'name' | 'description' | 'type' | 'status' | 'severity' | 'date'

export type Field = {
  /** In the details, as a heading in forms and tables. */
  label: string
  /** Explanation in forms and in the interface description. */
  help?: string
  /** Heading of its section in forms; fields without one come first. */
  section?: string
  value: FieldValue
  /** Never null. */
  isRequired?: true
  /** Value of missing data: in a file, or in a row older than the field. */
  initial?: unknown
  /** Text of a null value in a form, if it means more than unknown. */
  nullMeans?: string
  /** For staff, unless the map's configuration shows personal data to the public. */
  isPersonal?: true
  /** For staff, whatever the configuration says. */
  isForStaff?: true
  /** Source of the value. It can be set when a feature is added; from then on only its source changes it. */
  followsFrom?: string
  column?: FieldColumn
  /** Search finds its words. Words of a personal field are found only by users who may see it. */
  isSearched?: true
  /** Further names of columns of files, in order of preference. */
  names?: readonly string[]
  /** Columns are matched to it only explicitly, never by name. */
  isNamedOnly?: true
  /** True if this other field has a value, unless a value is given. */
  impliedBy?: string
  /** Shown only where this flag is true. */
  shownIf?: string
  /** Belongs to one feature only: a duplicate starts without it. */
  isOwn?: true
  /** Omitted from the details if null. */
  isShownIfKnown?: true
}

export type Fields = Readonly<Record<string, Field>>

export type Definition<Kind extends string = string, Own extends Fields = Fields> = {
  kind: Kind
  label: { one: string; many: string }
  /** Shapes that can be drawn, the usual one first. Files may contain others. */
  shapes: readonly FeatureShape[]
  fields: Own
}

export function define<const Kind extends string, const Own extends Fields>(
  definition: Definition<Kind, Own>,
): Definition<Kind, Own> {
  return definition
}

/** 'an asset' */
export const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun.toLowerCase()}`

/** Values of own fields by key, including removed own fields. */
export type OwnValues = Record<string, string | number | boolean | null>

/** The value of a field, as JSON has it. */
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

/** The values of these fields of a feature. */
export type ValuesOf<Own extends Fields> = {
  -readonly [Key in keyof Own]: Own[Key] extends { isRequired: true }
    ? ValueOf<Own[Key]['value']>
    : ValueOf<Own[Key]['value']> | null
}

/** The fields of a feature that hold one value each: those of groups by their path, 'zoning.type'. */
export function singleFields(fields: Fields): [path: string, field: Field][] {
  return Object.entries(fields).flatMap(([key, field]): [string, Field][] => {
    if (field.value.type === 'list' || field.value.type === 'own') return []
    if (field.value.type !== 'group') return [[key, field]]
    return singleFields(field.value.fields).map(([part, inner]) => [`${key}.${part}`, inner])
  })
}

/** The value at a path of `singleFields`; null where nothing is known. */
export const valueAt = (values: Readonly<Record<string, unknown>>, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[key] ?? null,
      values,
    )
