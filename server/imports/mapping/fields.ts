import {
  type Field as DefinedField,
  type Fields as DefinedFields,
  singleFields,
} from '#domain/definition/definition.ts'
import { type CustomFields, fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { rowFieldLabels } from '#domain/imports/field-labels.ts'
import * as read from './read-values.ts'

/** Columns with its name or one of its `aliases` fill it, earlier aliases first; none if `isOnlyExplicit`. */
export type Field = {
  label: string
  reader: read.ValueReader
  aliases: readonly string[]
  isOnlyExplicit?: boolean
}
export type Fields = Readonly<Record<string, Field>>

const commonFields: Fields = {
  id: { label: rowFieldLabels.id, reader: read.text, aliases: ['globalid', 'uniqueid', 'objectid'] },
  latitude: { label: rowFieldLabels.latitude, reader: read.number, aliases: ['lat', 'y'] },
  longitude: { label: rowFieldLabels.longitude, reader: read.number, aliases: ['lon', 'lng', 'long', 'x'] },
  wkt: { label: rowFieldLabels.wkt, reader: read.text, aliases: [] },
}

export function fieldsOfKind(kind: DefinedKind, customFields: CustomFields = noCustomFields): Fields {
  const fields: DefinedFields = fieldsOf(kind, customFields)
  const lists = Object.entries(fields).filter(([, { value }]) => value.type === 'list')
  const defined = [...singleFields(fields), ...lists].map(([path, field]): [string, Field] => [
    path,
    {
      label: field.label,
      reader: readerOf(field),
      aliases: (field.names ?? []).map(plainName),
      ...(field.isNamedOnly ? { isOnlyExplicit: true } : {}),
    },
  ])
  return { ...commonFields, ...Object.fromEntries(defined) }
}

/** 'geometry' is the shape, 'metadata' the columns without a field. */
export const updatablePaths = (kind: DefinedKind, customFields: CustomFields): string[] => [
  ...singleFields(fieldsOf(kind, customFields)).map(([path]) => path),
  'geometry',
  'metadata',
]

const simpleReaders = {
  line: read.name,
  prose: read.text,
  count: read.count,
  flag: read.yesOrNo,
  day: read.day,
  instant: read.instant,
  link: read.link,
  reference: read.idOfFeature,
}

function readerOf({ value }: DefinedField): read.ValueReader {
  switch (value.type) {
    case 'number':
      return value.unit === 'acres' ? read.area : read.number
    case 'choice':
      return read.oneOf(Object.keys(value.choices), Object.values(value.choices))
    case 'list':
      return read.listOf(
        Object.entries(value.of).map(([key, part]) => ({
          key,
          isRequired: part.isRequired ?? false,
          isDate: part.value.type === 'day' || part.value.type === 'instant',
          reader: readerOf(part),
        })),
      )
    case 'group':
    case 'own':
      throw new Error('A column has no reader for a group of values.')
    default:
      return simpleReaders[value.type]
  }
}

/** Lower-case letters and digits only: 'Last_Maintenance' and 'last maintenance' are the same column. */
export function plainName(column: string): string {
  return column.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
