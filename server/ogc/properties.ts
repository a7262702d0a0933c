import { type Field, singleFields } from '#domain/definition/definition.ts'
import { columnFields } from '#domain/features/column-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import { type FieldSight, seenFields } from '../features/rows/stored-fields.ts'
import type { ValueType } from './cql2.ts'

// What features of a kind say of themselves to whoever asks. What somebody may not see is no property at all to them: it
// stands in no schema, is in no feature, and no filter knows it.

type Source =
  /** `yes` is the word in the column that means true. */
  | { column: string; yes?: string }
  /** In the JSON of the row's fields. `initial` is what it is where it is not said, of one that is part of a group. */
  | { keys: readonly string[]; initial?: unknown }

export type Property = {
  /** The path of a field: 'zoning.type'. */
  name: string
  field: Field
  type: ValueType
  source: Source
}

/** Whether nobody changes it by itself. */
export const isReadOnly = ({ field }: Property): boolean => field.followsFrom !== undefined

const idProperty: Property = {
  name: 'id',
  field: { label: 'Id', value: { type: 'line', maxLength: 120 }, isRequired: true },
  type: 'text',
  source: { column: 'id' },
}
const countedProperties: Property[] = [
  {
    name: 'version',
    field: {
      label: 'Version',
      help: 'Grows with each change.',
      value: { type: 'count' },
      isRequired: true,
      followsFrom: 'what is changed',
    },
    type: 'number',
    source: { column: 'version' },
  },
  {
    name: 'updatedAt',
    field: {
      label: 'Changed',
      help: 'When it was last changed.',
      value: { type: 'instant' },
      isRequired: true,
      followsFrom: 'what is changed',
    },
    type: 'instant',
    source: { column: 'updated_at' },
  },
]

/** The properties of the features of a kind. */
export function propertiesOf(kind: DefinedKind, ownFields: OwnFields, sight: FieldSight): Property[] {
  const seen = singleFields(seenFields(fieldsOf(kind, ownFields), sight))
  const nextDue = columnFields(ownFields)[kind].get('nextDue')
  return [
    ...seen.map(
      ([name, field]): Property => ({ name, field, type: typeOf(field), source: sourceOf(name, field) }),
    ),
    ...(nextDue && sight.isStaff
      ? [{ name: 'nextDue', field: nextDue, type: typeOf(nextDue), source: sourceOf('nextDue', nextDue) }]
      : []),
    ...countedProperties,
  ]
}

/** What can be filtered by: the id, too, which in GeoJSON is no property. */
export const queryablesOf = (properties: readonly Property[]): ReadonlyMap<string, Property> =>
  new Map([idProperty, ...properties].map((property) => [property.name, property]))

function typeOf({ value }: Field): ValueType {
  switch (value.type) {
    case 'count':
      return 'number'
    case 'number':
    case 'flag':
    case 'day':
    case 'instant':
      return value.type
    default:
      return 'text'
  }
}

/** What the database keeps beside the fields, with an index (FeaturesTable). */
const keptColumns: Readonly<Record<string, string>> = { parcelId: 'parcel_id', nextDue: 'next_due' }

function sourceOf(name: string, { column, value, initial }: Field): Source {
  if (column) return value.type === 'flag' && value.words ? { column, yes: value.words.yes } : { column }
  const kept = keptColumns[name]
  if (kept) return { column: kept }
  const keys = name.split('.')
  return keys.length > 1 && initial !== undefined ? { keys, initial } : { keys }
}
