import { type CustomField, ownGroup } from '#domain/definition/custom-field.ts'
import type { Fields } from '#domain/definition/definition.ts'
import { recordOf } from '#domain/definition/kinds.ts'
import { type DefinedKind, definedKinds, definitions } from './definitions.ts'

// Code that handles values of a map uses `fieldsOf`, not the definition alone.

export type CustomFields = { readonly [Kind in DefinedKind]: readonly CustomField[] }

export const noCustomFields: CustomFields = recordOf(definedKinds, () => [])

export function fieldsOf<Kind extends DefinedKind>(
  kind: Kind,
  customFields: CustomFields,
): (typeof definitions)[Kind]['fields'] {
  const added = customFields[kind]
  const fields = cache[kind].get(added) ?? { ...definitions[kind].fields, own: ownGroup(added) }
  cache[kind].set(added, fields)
  // The compiler sees the values of any group as those of some record.
  return fields as never
}

export function openCustomFields(customFields: CustomFields): CustomFields {
  const open = (some: readonly CustomField[]) => some.filter(({ visibleTo }) => visibleTo === 'everyone')
  return mapKinds(customFields, open)
}

export const mapKinds = <Result>(
  customFields: CustomFields,
  change: (some: readonly CustomField[], kind: DefinedKind) => Result,
) => recordOf(definedKinds, (kind) => change(customFields[kind], kind))

/** An import calls `fieldsOf` for each of a million rows. */
const cache = mapKinds(noCustomFields, () => new WeakMap<readonly CustomField[], Fields>())
