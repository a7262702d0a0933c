import { type Field, type Fields, singleFields } from '../definition/definition.ts'
import { recordOf } from '../definition/kinds.ts'
import { type CustomFields, fieldsOf } from './custom-fields.ts'
import { type DefinedKind, definedKinds } from './definitions.ts'

// Fields that can be table columns, by path: 'owner', 'zoning.type', 'own.gateCode'.

export const maxColumnFields = 20

export type ColumnFields = { readonly [Kind in DefinedKind]: ReadonlyMap<string, Field> }

/** Derived from the maintenance entries, so not in any definition. */
const nextDue: Field = {
  label: 'Next due',
  value: { type: 'day' },
  isForStaff: true,
  followsFrom: 'its maintenance',
}

const seeAll = (fields: Fields) => fields

export function columnFields(customFields: CustomFields, see = seeAll): ColumnFields {
  return recordOf(definedKinds, (kind) => {
    const fields = see(fieldsOf(kind, customFields))
    const derived: [string, Field][] = 'maintenancePlan' in fields ? [['nextDue', nextDue]] : []
    return new Map([...singleFields(fields), ...derived])
  })
}

/** Each field once; the first kind names it. */
export function allColumnFields(fields: ColumnFields): ReadonlyMap<string, Field> {
  const all = new Map<string, Field>()
  for (const kindFields of Object.values(fields))
    for (const [path, field] of kindFields) if (!all.has(path)) all.set(path, field)
  return all
}
