import { isEqual } from '#domain/values/is-equal.ts'

// Two users edit the same thing: the model of records, table cells, settings and custom fields. A field is in conflict if
// both changed it to different values.

export type Side = 'mine' | 'theirs'

type Values<Field extends string> = { readonly [Key in Field]?: unknown }

export function differingFields<Field extends string>(
  fields: readonly Field[],
  one: Values<Field>,
  other: Values<Field>,
  isSame: (one: unknown, other: unknown) => boolean = isEqual,
): Set<Field> {
  return new Set(fields.filter((field) => !isSame(one[field], other[field])))
}

type Edits<Field> = {
  /** Fields that the user changed. */
  edited: ReadonlySet<Field>
  /** Fields that another user changed since. */
  changed: ReadonlySet<Field>
  differing: ReadonlySet<Field>
}

export type Comparison<Field> = {
  conflicts: readonly Field[]
  updated: readonly Field[]
}

/** Adds to an earlier comparison whose conflicts are not resolved. */
export function compareEdits<Field extends string>(
  fields: readonly Field[],
  { edited, changed, differing }: Edits<Field>,
  before: Comparison<Field> = { conflicts: [], updated: [] },
): Comparison<Field> {
  return {
    conflicts: fields.filter(
      (field) =>
        edited.has(field) && differing.has(field) && (changed.has(field) || before.conflicts.includes(field)),
    ),
    updated: fields.filter(
      (field) => !edited.has(field) && (changed.has(field) || before.updated.includes(field)),
    ),
  }
}
