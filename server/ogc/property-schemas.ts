import type { Field } from '#domain/definition/definition.ts'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { type Collection, instantOf } from './collections.ts'
import { isReadOnly, type Property } from './properties.ts'

// What the features of a collection say (part 5), and what they can be filtered by (part 3), as JSON Schema.

export const geometryName = 'geometry'
const draft = 'https://json-schema.org/draft/2020-12/schema'

const geometryFormats: Record<FeatureShape, string> = {
  point: 'geometry-point-or-multipoint',
  line: 'geometry-multilinestring',
  polygon: 'geometry-multipolygon',
}

export function queryablesSchema(
  collection: Collection,
  queryables: ReadonlyMap<string, Property>,
  address: string,
) {
  return {
    $schema: draft,
    $id: address,
    type: 'object',
    title: collection.title,
    properties: {
      [geometryName]: { title: 'Geometry', format: geometryFormats[collection.shape] },
      ...Object.fromEntries([...queryables].map(([name, property]) => [name, schemaOf(property)])),
    },
    additionalProperties: false,
  }
}

export function featureSchema(collection: Collection, properties: readonly Property[], address: string) {
  const roleOf = (name: string) => (name === instantOf(collection) ? { 'x-ogc-role': 'primary-instant' } : {})
  return {
    $schema: draft,
    $id: address,
    type: 'object',
    title: collection.title,
    properties: {
      id: { title: 'Id', type: 'string', 'x-ogc-role': 'id' },
      [geometryName]: {
        title: 'Geometry',
        format: geometryFormats[collection.shape],
        'x-ogc-role': 'primary-geometry',
      },
      ...Object.fromEntries(
        properties.map((property) => [property.name, { ...schemaOf(property), ...roleOf(property.name) }]),
      ),
    },
    additionalProperties: false,
  }
}

function schemaOf(property: Property) {
  const { label, help, value } = property.field
  return {
    title: label,
    ...(help === undefined ? {} : { description: help }),
    ...typeOf(value),
    ...(isReadOnly(property) ? { readOnly: true } : {}),
  }
}

function typeOf(value: Field['value']) {
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
