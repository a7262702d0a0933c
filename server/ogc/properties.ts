import { type Field, singleFields, valueAt } from '#domain/definition/definition.ts'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { columnFields } from '#domain/features/column-fields.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { readNextDue } from '../features/rows/feature-row.ts'
import { type FieldSight, readFields, seenFields } from '../features/rows/stored-fields.ts'
import { type Collection, instantOf } from './collections.ts'
import type { ValueType } from './cql2.ts'
import { crs84, project, type ReferenceSystem } from './reference-systems.ts'

// The properties of features, as the user may see them: hidden fields are in no schema, no feature and no
// filter.

type Source =
  | { column: string; yes?: string }
  /** In the JSON of the row's fields. `initial` is the default of a part of a group. */
  | { keys: readonly string[]; initial?: unknown }

export type Property = {
  name: string
  field: Field
  type: ValueType
  source: Source
}

export const isReadOnly = ({ field }: Property): boolean => field.followsFrom !== undefined

const idProperty: Property = {
  name: 'id',
  field: { label: 'Id', value: { type: 'line', maxLength: 120 }, isRequired: true },
  type: 'text',
  source: { column: 'id' },
}
const automaticProperties: Property[] = [
  {
    name: 'version',
    field: {
      label: 'Version',
      help: 'Increases with each change.',
      value: { type: 'count' },
      isRequired: true,
      followsFrom: 'changes',
    },
    type: 'number',
    source: { column: 'version' },
  },
  {
    name: 'updatedAt',
    field: {
      label: 'Changed',
      help: 'Time of the last change.',
      value: { type: 'instant' },
      isRequired: true,
      followsFrom: 'changes',
    },
    type: 'instant',
    source: { column: 'updated_at' },
  },
]

export function propertiesOf(kind: DefinedKind, customFields: CustomFields, sight: FieldSight): Property[] {
  const fields: (readonly [string, Field])[] = singleFields(seenFields(fieldsOf(kind, customFields), sight))
  const nextDue = columnFields(customFields)[kind].get('nextDue')
  if (nextDue && sight.isStaff) fields.push(['nextDue', nextDue])
  return [
    ...fields.map(([name, field]) => ({
      name,
      field,
      type: valueTypeOf(field),
      source: sourceOf(name, field),
    })),
    ...automaticProperties,
  ]
}

export const queryablesOf = (properties: readonly Property[]): ReadonlyMap<string, Property> =>
  new Map([idProperty, ...properties].map((property) => [property.name, property]))

function valueTypeOf({ value }: Field): ValueType {
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

const indexedColumns: Readonly<Record<string, string>> = { parcelId: 'parcel_id', nextDue: 'next_due' }

function sourceOf(name: string, { column, value, initial }: Field): Source {
  if (column) return value.type === 'flag' && value.words ? { column, yes: value.words.yes } : { column }
  const indexed = indexedColumns[name]
  if (indexed) return { column: indexed }
  const keys = name.split('.')
  return keys.length > 1 && initial !== undefined ? { keys, initial } : { keys }
}

export type ItemView = {
  properties: readonly Property[]
  customFields: CustomFields
  sight: FieldSight
  system: ReferenceSystem
}

export function toItem(row: FeatureColumns, { properties, customFields, sight, system }: ItemView) {
  const values = {
    ...readFields(fieldsOf(kindOfRow(row), customFields), row, sight),
    nextDue: readNextDue(row),
    version: row.version,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
  const geometry = toMultiple(JSON.parse(row.geometry))
  return {
    type: 'Feature',
    id: row.id,
    geometry: system === crs84 ? geometry : project(system, geometry),
    properties: Object.fromEntries(properties.map(({ name }) => [name, valueAt(values, name)])),
  }
}

/** Programs expect one geometry type per collection. Lines and areas may have several parts. */
function toMultiple(geometry: Geometry): Geometry {
  if (geometry.type === 'LineString') return { type: 'MultiLineString', coordinates: [geometry.coordinates] }
  if (geometry.type === 'Polygon') return { type: 'MultiPolygon', coordinates: [geometry.coordinates] }
  return geometry
}

export const geometryName = 'geometry'

const geometryFormats: Record<FeatureShape, string> = {
  point: 'geometry-point-or-multipoint',
  line: 'geometry-multilinestring',
  polygon: 'geometry-multipolygon',
}

const objectSchema = ({ title }: Collection, address: string, properties: object) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: address,
  type: 'object',
  title,
  properties,
  additionalProperties: false,
})

export const queryablesSchema = (
  collection: Collection,
  queryables: ReadonlyMap<string, Property>,
  address: string,
) =>
  objectSchema(collection, address, {
    [geometryName]: { title: 'Geometry', format: geometryFormats[collection.shape] },
    ...Object.fromEntries([...queryables].map(([name, property]) => [name, schemaOf(property)])),
  })

export function featureSchema(collection: Collection, properties: readonly Property[], address: string) {
  const roleOf = (name: string) => (name === instantOf(collection) ? { 'x-ogc-role': 'primary-instant' } : {})
  return objectSchema(collection, address, {
    id: { title: 'Id', type: 'string', 'x-ogc-role': 'id' },
    [geometryName]: {
      title: 'Geometry',
      format: geometryFormats[collection.shape],
      'x-ogc-role': 'primary-geometry',
    },
    ...Object.fromEntries(
      properties.map((property) => [property.name, { ...schemaOf(property), ...roleOf(property.name) }]),
    ),
  })
}

function schemaOf(property: Property) {
  const { label, help, value } = property.field
  return {
    title: label,
    ...(help === undefined ? {} : { description: help }),
    ...jsonTypeOf(value),
    ...(isReadOnly(property) ? { readOnly: true } : {}),
  }
}

function jsonTypeOf(value: Field['value']) {
  switch (value.type) {
    case 'number':
      return { type: 'number' }
    case 'count':
      return { type: 'integer', minimum: 0 }
    case 'flag':
      return { type: 'boolean' }
    case 'day':
      return { type: 'string', format: 'date' }
    case 'instant':
      return { type: 'string', format: 'date-time' }
    case 'choice':
      return { type: 'string', enum: Object.keys(value.choices) }
    case 'line':
    case 'prose':
      return { type: 'string', maxLength: value.maxLength }
    default:
      return { type: 'string' }
  }
}
