import { z } from 'zod'

/** More would take seconds, and hundreds of megabytes. */
export const maxFaults = 50

const fewValues = 500

export type Issue = z.core.$ZodIssue
export type Parsed<Output> = { success: true; data: Output } | { success: false; issues: Issue[] }

/** Like `safeParse`, but stops at the first faults, so that the time does not depend on their number. */
export function parseBounded<Output>(schema: z.ZodType<Output>, value: unknown): Parsed<Output> {
  const issues: Issue[] = []
  if (isLarge(value))
    for (const issue of issuesIn(schema, value, [])) if (issues.push(issue) === maxFaults) break
  if (issues.length > 0) return { success: false, issues }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed : { success: false, issues: parsed.error.issues.slice(0, maxFaults) }
}

type Path = readonly PropertyKey[]

/** Validates small parts of a large value one by one. Skips checks of large parts as a whole. */
function* issuesIn(schema: z.core.$ZodType, value: unknown, path: Path): Generator<Issue, undefined> {
  for (const [part, partSchema, key] of partsOf(schema, value)) {
    if (isLarge(part)) yield* issuesIn(partSchema, part, [...path, key])
    else {
      const { error } = z.safeParse(partSchema, part)
      for (const issue of error?.issues ?? []) yield { ...issue, path: [...path, key, ...issue.path] }
    }
  }
}

type Part = readonly [value: unknown, schema: z.core.$ZodType, key: PropertyKey]

function* partsOf(outer: z.core.$ZodType, value: unknown): Generator<Part, undefined> {
  const schema = schemaFor(outer, value)
  if (Array.isArray(value)) {
    if (schema instanceof z.ZodArray)
      for (const [at, item] of value.entries()) yield [item, schema.element, at]
    else if (schema instanceof z.ZodTuple) {
      const { items, rest } = schema.def
      for (const [at, item] of value.entries()) {
        const itemSchema = items[at] ?? rest
        if (itemSchema) yield [item, itemSchema, at]
      }
    }
  } else if (isObject(value)) {
    if (schema instanceof z.ZodObject) {
      for (const [key, member] of Object.entries<z.core.$ZodType>(schema.shape))
        if (Object.hasOwn(value, key)) yield [value[key], member, key]
    } else if (schema instanceof z.ZodRecord)
      for (const [key, member] of Object.entries(value)) {
        yield [key, schema.keyType, key]
        yield [member, schema.valueType, key]
      }
  }
}

function schemaFor(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodDiscriminatedUnion && isObject(value)) {
    const { discriminator } = schema.def
    return schema.options.find(
      (option) =>
        option instanceof z.ZodObject &&
        z.safeParse(option.shape[discriminator] as z.core.$ZodType, value[discriminator]).success,
    )
  }
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => schemaFor(option, value)).find((option) => option !== undefined)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return schemaFor(schema.unwrap(), value)
  const fits = Array.isArray(value)
    ? schema instanceof z.ZodArray || schema instanceof z.ZodTuple
    : schema instanceof z.ZodObject || schema instanceof z.ZodRecord
  return fits ? schema : undefined
}

function isLarge(value: unknown): boolean {
  return countValues(value, fewValues) === 0
}

/** Returns the rest of the budget, at least 0. Bytes count as one value. */
function countValues(value: unknown, left: number): number {
  let rest = left - 1
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return Math.max(rest, 0)
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest > 0; at++) rest = countValues(value[at], rest)
    return Math.max(rest, 0)
  }
  for (const key in value) {
    if (rest <= 0) return 0
    rest = countValues(value[key as keyof typeof value], rest)
  }
  return Math.max(rest, 0)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
