import type { z } from 'zod'
import type { Definition, Field, Fields } from '#domain/definition/definition.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { type NewFeature, newFeature } from '#domain/features/feature.schema.ts'
import { fieldsOf, noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Metadata } from '#domain/values/common.schema.ts'
import { isStorableText } from '#domain/values/text.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'

export type FeatureParts = {
  kind: DefinedKind
  mapId: string
  id: string
  sourceId: string | undefined
  geometry: Geometry
  values: Map<string, unknown>
  rest: [column: string, value: unknown][]
  ownFields?: OwnFields | undefined
}

export function buildFeature(parts: FeatureParts): NewFeature {
  const { kind, mapId, id, geometry, values, ownFields = noOwnFields } = parts
  const fields = fieldsOf(kind, ownFields)
  const own = withDefaults(fields, values)
  for (const [key, { column }] of Object.entries<Field>(fields))
    if (column === 'name') own[key] ??= nameOf(parts)
  const metadata = parts.rest.map(([name, value]) => ({ name, value: toMetadataValue(name, value) }))
  // The geometry was checked when it was read, with better messages.
  const checked = newFeature.safeParse({ kind, mapId, id, metadata, ...own, geometry: anyGeometry })
  if (!checked.success) throw new Refusal(describeIssue(checked.error.issues[0], { id, ...own, metadata }))
  return { ...checked.data, geometry }
}

const anyGeometry: Geometry = { type: 'Point', coordinates: [0, 0] }

function withDefaults(
  fields: Fields,
  values: ReadonlyMap<string, unknown>,
  path = '',
): Record<string, unknown> {
  const valueAt = (key: string, { value, initial, impliedBy }: Field) => {
    if (value.type === 'group') {
      const hasValue = Object.keys(value.fields).some((part) => values.has(`${path}${key}.${part}`))
      return hasValue ? withDefaults(value.fields, values, `${path}${key}.`) : null
    }
    const isImplied = impliedBy !== undefined && values.get(path + impliedBy) !== undefined
    return values.get(path + key) ?? (isImplied ? true : (initial ?? null))
  }
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, valueAt(key, field)]))
}

function nameOf({ kind, values, sourceId }: FeatureParts): string {
  const { fields, label } = definitions[kind] as Definition
  const types = fields.type?.value.type === 'choice' ? fields.type.value.choices : {}
  const noun = types[String(values.get('type'))] ?? label.one
  return sourceId === undefined ? noun : `${noun} ${sourceId}`.slice(0, 300).toWellFormed()
}

function toMetadataValue(name: string, value: unknown): Metadata[number]['value'] {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new Refusal(`${quoteValue(name)} is a number too large to store`)
  }
  try {
    return JSON.stringify(value)
  } catch {
    throw new Refusal(`${quoteValue(name)} is nested too deeply to store`)
  }
}

type Issue = z.core.$ZodIssue

export function describeIssue(issue: Issue | undefined, values: Record<string, unknown>): string {
  if (!issue) return 'it does not fit the schema'
  const value = issue.path.reduce<unknown>((inner, key) => (inner as never)?.[key as never], values)
  const name = pathName(issue.path, values)
  if (value === null || value === undefined) return `it has no ${name}`
  const limit = findLimit(issue)
  if (typeof value === 'string' && !isStorableText(value))
    return `${name} ${quoteValue(value)} is ill-formed text (half a character, or NUL)`
  if (typeof value === 'string' && limit)
    return `${name} ${quoteValue(value)} has ${value.length} characters; at most ${limit} are allowed`
  return `${name} ${quoteValue(value)} cannot be stored: ${issue.message}`
}

function pathName(path: Issue['path'], values: Record<string, unknown>): string {
  const [first, index, part] = path
  if (first !== 'metadata' || typeof index !== 'number') return path.join('.')
  const column = (values.metadata as { name: string }[])[index]?.name
  return part === 'name' ? 'the column name' : `column ${quoteValue(column)}`
}

function findLimit(issue: Issue): number | undefined {
  if (issue.code === 'too_big') return Number(issue.maximum)
  if (issue.code !== 'invalid_union') return undefined
  return issue.errors
    .flat()
    .map(findLimit)
    .find((limit) => limit !== undefined)
}
