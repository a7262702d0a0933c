import type { Fields } from '#domain/definition/definition.ts'
import { recordOf } from '#domain/definition/kinds.ts'
import { type OwnField, ownGroup } from '#domain/definition/own-field.ts'
import { type DefinedKind, definedKinds, definitions } from './definitions.ts'

// The fields that a client has added to each kind. Whoever deals with the values of a map takes `fieldsOf` instead of the
// definition alone.

export type OwnFields = { readonly [Kind in DefinedKind]: readonly OwnField[] }

export const noOwnFields: OwnFields = recordOf(definedKinds, () => [])

/** The fields of a kind on a map: ours, and as parts of `own` those of its client. */
export function fieldsOf<Kind extends DefinedKind>(
  kind: Kind,
  ownFields: OwnFields,
): (typeof definitions)[Kind]['fields'] {
  const ofKind = ownFields[kind]
  const known = made[kind].get(ofKind) ?? { ...definitions[kind].fields, own: ownGroup(ofKind) }
  made[kind].set(ofKind, known)
  // To the compiler the values of any group are those of some record.
  return known as never
}

/** The fields that visitors see. */
export function openOwnFields(ownFields: OwnFields): OwnFields {
  const open = (some: readonly OwnField[]) => some.filter(({ visibleTo }) => visibleTo === 'everyone')
  return mapKinds(ownFields, open)
}

/** The same of each kind. */
export const mapKinds = <Result>(
  ownFields: OwnFields,
  change: (some: readonly OwnField[], kind: DefinedKind) => Result,
) => recordOf(definedKinds, (kind) => change(ownFields[kind], kind))

/** What `fieldsOf` has made, by the client's own ones: an import asks for it with each of a million rows. */
const made = mapKinds(noOwnFields, () => new WeakMap<readonly OwnField[], Fields>())
