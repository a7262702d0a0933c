import { type Field, type Fields, singleFields } from '../definition/definition.ts'
import { recordOf } from '../definition/kinds.ts'
import { type DefinedKind, definedKinds } from './definitions.ts'
import { fieldsOf, type OwnFields } from './own-fields.ts'

// The fields that can be columns of the table of features, by their path: 'owner', 'zoning.type', 'own.gateCode'.

/** So many may be asked for at once. */
export const maxColumnFields = 20

/** Those of each kind: fields that hold one value each. */
export type ColumnFields = { readonly [Kind in DefinedKind]: ReadonlyMap<string, Field> }

/** Follows from the maintenance, and so stands in no definition. */
const nextDue: Field = {
  label: 'Next due',
  value: { type: 'day' },
  isForStaff: true,
  followsFrom: 'its maintenance',
}

export function columnFields(ownFields: OwnFields): ColumnFields {
  return recordOf(definedKinds, (kind) => {
    const fields: Fields = fieldsOf(kind, ownFields)
    const derived: [string, Field][] = 'maintenancePlan' in fields ? [['nextDue', nextDue]] : []
    return new Map([...singleFields(fields), ...derived])
  })
}

/** Those of all kinds, each once, as the first kind that has it calls it. */
export function allColumnFields(fields: ColumnFields): ReadonlyMap<string, Field> {
  const all = new Map<string, Field>()
  for (const ofKind of Object.values(fields))
    for (const [path, field] of ofKind) if (!all.has(path)) all.set(path, field)
  return all
}
