// What a kind of feature is, as data. Everything that deals with fields follows from here: what is stored and read
// back, the answers of the interface and their schemas, which column of a file fills what, the details. No schema
// library: the page's first chunk needs the labels.

import type { FeatureShape } from './kinds.ts'

/** What a field can hold. Lengths are UTF-16 units. */
export type FieldValue =
  /** One line of text. Space around it does not count. */
  | { type: 'line'; maxLength: number }
  /** Text of any number of lines, kept to the letter. */
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
  /** Fields that belong together: null where nothing is known of any of them. */
  | { type: 'group'; fields: Fields }
  /** Values of the fields that a client has added, by their keys. On a map that is a group (`fieldsOf`). */
  | { type: 'own' }
  /** Entries, newest first; `shown` of them in the details. */
  | { type: 'list'; of: Fields; shown: number }

/** Columns of the table of features that hold a field. Every other field is part of the row's JSON. */
export type FieldColumn = 'name' | 'description' | 'type' | 'status' | 'severity' | 'date'

export type Field = {
  /** In the details, as a heading in forms and tables. */
  label: string
  /** What it means, for whoever fills it in or reads the interface. */
  help?: string
  /** In forms, the heading that it stands under; those without one come first. */
  section?: string
  value: FieldValue
  /** Never null. */
  isRequired?: true
  /** What it is where nobody has said anything: in a file, or in a row that is older than the field. */
  initial?: unknown
  /** What is said in a form where it is null, if that means more than that nobody knows. */
  nullMeans?: string
  /** For staff, unless the map's configuration shows personal data to the public. */
  isPersonal?: true
  /** For staff, whatever the configuration says. */
  isForStaff?: true
  /** Whoever adds a feature may say it; from then on it follows from this, and nobody changes it by itself. */
  followsFrom?: string
  column?: FieldColumn
  /** Whether a search finds its words; those of a personal field only for whoever may see it. */
  isSearched?: true
  /** What a column of a file may be called beside the field's key, earlier names first. */
  names?: readonly string[]
  /** No column of a file fills it by its name: somebody has to say which one does. */
  isNamedOnly?: true
  /** True where this other field is known, unless something says otherwise. */
  impliedBy?: string
  /** Shown only where this flag is true. */
  shownIf?: string
  /** Said of this one feature alone: a duplicate begins without it. */
  isOwn?: true
  /** Left out of the details where nobody knows it, rather than shown as unknown. */
  isShownIfKnown?: true
}

export type Fields = Readonly<Record<string, Field>>

export type Definition<Kind extends string = string, Own extends Fields = Fields> = {
  kind: Kind
  label: { one: string; many: string }
  /** As which somebody may place or draw one, the usual shape first. Files may hold others. */
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

/** Of a feature: by the keys of the fields that its client has added, and of those that were removed again. */
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
