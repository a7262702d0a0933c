import { z } from 'zod'
import { day, featureId, instant, text } from '#domain/values/common.schema.ts'
import type { Field, Fields, FieldValue, ValuesOf } from './definition.ts'

type Shape<Own extends Fields> = { [Key in keyof Own]: z.ZodType<ValuesOf<Own>[Key]> }

/** The schema of each field, for `z.object`. */
export function shapeOf<Own extends Fields>(fields: Own): Shape<Own> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]),
  ) as unknown as Shape<Own>
}

type NewShape<Own extends Fields> = {
  [Key in keyof Own]: Own[Key] extends { isRequired: true }
    ? z.ZodType<ValuesOf<Own>[Key]>
    : z.ZodOptional<z.ZodType<ValuesOf<Own>[Key]>>
}

/** The same of a feature as it comes in: what may be null may be left out. */
export function newShapeOf<Own extends Fields>(fields: Own): NewShape<Own> {
  const shape = Object.entries(fields).map(([key, field]) => {
    const schema = schemaOf(field)
    return [key, field.isRequired ? schema : schema.optional()]
  })
  return Object.fromEntries(shape) as NewShape<Own>
}

function schemaOf({ value, isRequired, help }: Field): z.ZodType {
  const known = schemaOfValue(value)
  const schema = isRequired ? known : known.nullable()
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
    case 'reference':
      return featureId
    case 'group':
      return z.object(shapeOf(value.fields))
    case 'list':
      return z.array(z.object(shapeOf(value.of)))
  }
}
