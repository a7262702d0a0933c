import { z } from 'zod'
import { day, featureId, instant, ownKey, text } from '#domain/values/common.schema.ts'
import { isWebAddress, linkLength } from '#domain/values/text.ts'
import type { Field, Fields, FieldValue, ValuesOf } from './definition.ts'

type Schemas<Own extends Fields> = { [Key in keyof Own]: z.ZodType<ValuesOf<Own>[Key]> }

export function schemasOf<Own extends Fields>(fields: Own): Schemas<Own> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]),
  ) as unknown as Schemas<Own>
}

type NewSchemas<Own extends Fields> = {
  [Key in keyof Own]: Own[Key] extends { isRequired: true }
    ? z.ZodType<ValuesOf<Own>[Key]>
    : z.ZodOptional<z.ZodType<ValuesOf<Own>[Key]>>
}

export function newSchemasOf<Own extends Fields>(fields: Own): NewSchemas<Own> {
  const schemas = Object.entries(fields).map(([key, field]) => {
    const schema = schemaOf(field)
    return [key, field.isRequired ? schema : schema.optional()]
  })
  return Object.fromEntries(schemas) as NewSchemas<Own>
}

function schemaOf({ value, isRequired, help }: Field): z.ZodType {
  const valueSchema = schemaOfValue(value)
  const schema = isRequired ? valueSchema : valueSchema.nullable()
  return help === undefined ? schema : schema.meta({ description: help })
}

function schemaOfValue(value: FieldValue): z.ZodType {
  switch (value.type) {
    case 'line':
    case 'prose':
      return text(value.maxLength)
    case 'number':
      return value.min === undefined ? z.number() : z.number().min(value.min)
    case 'count':
      return z.number().int().min(0)
    case 'flag':
      return z.boolean()
    case 'day':
      return day
    case 'instant':
      return instant
    case 'choice':
      return z.enum(Object.keys(value.choices))
    case 'link':
      return text(linkLength).refine(isWebAddress, 'must be a web address, such as https://example.com')
    case 'reference':
      return featureId
    case 'own':
      return z.record(ownKey, z.union([text(linkLength), z.number(), z.boolean(), z.null()]))
    case 'group':
      return z.object(schemasOf(value.fields))
    case 'list':
      return z.array(z.object(schemasOf(value.of)))
  }
}
