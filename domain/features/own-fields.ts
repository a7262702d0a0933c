import type { Fields } from '#domain/definition/definition.ts'
import { recordOf } from '#domain/definition/kinds.ts'
import { type OwnField, ownGroup } from '#domain/definition/own-field.ts'
import { type DefinedKind, definedKinds, definitions } from './definitions.ts'

// Code that handles values of a map uses `fieldsOf`, not the definition alone.

export type OwnFields = { readonly [Kind in DefinedKind]: readonly OwnField[] }

export const noOwnFields: OwnFields = recordOf(definedKinds, () => [])

export function fieldsOf<Kind extends DefinedKind>(
  kind: Kind,
  ownFields: OwnFields,
): (typeof definitions)[Kind]['fields'] {
  const added = ownFields[kind]
  const fields = cache[kind].get(added) ?? { ...definitions[kind].fields, own: ownGroup(added) }
  cache[kind].set(added, fields)
  // The compiler sees the values of any group as those of some record.
  return fields as never
}

export function openOwnFields(ownFields: OwnFields): OwnFields {
  const open = (some: readonly OwnField[]) => some.filter(({ visibleTo }) => visibleTo === 'everyone')
  return mapKinds(ownFields, open)
}

export const mapKinds = <Result>(
  ownFields: OwnFields,
  change: (some: readonly OwnField[], kind: DefinedKind) => Result,
) => recordOf(definedKinds, (kind) => change(ownFields[kind], kind))

/** An import calls `fieldsOf` for each of a million rows. */
const cache = mapKinds(noOwnFields, () => new WeakMap<readonly OwnField[], Fields>())
