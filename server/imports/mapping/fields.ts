import {
  type Field as DefinedField,
  type Fields as DefinedFields,
  singleFields,
} from '#domain/definition/definition.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { fieldsOf, noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import { rowFieldLabels } from '#domain/imports/field-labels.ts'
import * as read from './read-values.ts'

/**
 * A field that a column can fill. Columns that are called like it or like one of its `aliases` fill it by
 * themselves, earlier aliases first; none where `isOnlyExplicit`.
 */
export type Field = {
  label: string
  reader: read.ValueReader
  aliases: readonly string[]
  isOnlyExplicit?: boolean
}
export type Fields = Readonly<Record<string, Field>>

/** Any kind: who the record is to its source, and where a record without geometry is. */
const commonFields: Fields = {
  id: { label: rowFieldLabels.id, reader: read.text, aliases: ['globalid', 'uniqueid', 'objectid'] },
  latitude: { label: rowFieldLabels.latitude, reader: read.number, aliases: ['lat', 'y'] },
  longitude: { label: rowFieldLabels.longitude, reader: read.number, aliases: ['lon', 'lng', 'long', 'x'] },
  wkt: { label: rowFieldLabels.wkt, reader: read.text, aliases: [] },
}

/** Of a kind on a map whose client has added these. */
export function fieldsOfKind(kind: DefinedKind, ownFields: OwnFields = noOwnFields): Fields {
  const fields: DefinedFields = fieldsOf(kind, ownFields)
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

/** What an import can change alone of features that are there: 'geometry' is the shape, 'metadata' what fills no field. */
export const updatablePaths = (kind: DefinedKind, ownFields: OwnFields): string[] => [
  ...singleFields(fieldsOf(kind, ownFields)).map(([path]) => path),
  'geometry',
  'metadata',
]

function readerOf({ value }: DefinedField): read.ValueReader {
  switch (value.type) {
    case 'line':
      return read.name
    case 'prose':
      return read.text
    case 'number':
      return value.unit === 'acres' ? read.area : read.number
    case 'count':
      return read.count
    case 'flag':
      return read.yesOrNo
    case 'day':
      return read.day
    case 'instant':
      return read.instant
    case 'choice':
      return read.oneOf(Object.keys(value.choices), Object.values(value.choices))
    case 'link':
      return read.link
    case 'reference':
      return read.idOfFeature
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
      throw new Error('Many values are no value of one column.')
  }
}

/** Lower-case letters and digits alone: 'Last_Maintenance' and 'last maintenance' are the same column. */
export function plainName(column: string): string {
  return column.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
