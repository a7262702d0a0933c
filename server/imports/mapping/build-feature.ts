import type { Definition, Field, Fields } from '#domain/definition/definition.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { type NewFeature, newFeature } from '#domain/features/feature.schema.ts'
import { fieldsOf, noOwnFields, type OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Metadata } from '#domain/values/common.schema.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { describeIssue } from './describe-issue.ts'

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

/** A complete feature of what a record says; throws a Refusal where a limit of the schema is not kept. */
export function buildFeature(parts: FeatureParts): NewFeature {
  const { kind, mapId, id, geometry, ownFields = noOwnFields } = parts
  const fields = fieldsOf(kind, ownFields)
  const own = sayFields(fields, parts.values)
  for (const [key, { column }] of Object.entries<Field>(fields))
    if (column === 'name') own[key] ??= nameOf(parts)
  const metadata = toMetadata(parts.rest)
  // The geometry has been checked already, vertex by vertex and with better words.
  const checked = newFeature.safeParse({ kind, mapId, id, metadata, ...own, geometry: anyGeometry })
  if (!checked.success) throw new Refusal(describeIssue(checked.error.issues[0], { id, ...own, metadata }))
  return { ...checked.data, geometry }
}

const anyGeometry: Geometry = { type: 'Point', coordinates: [0, 0] }

/** What the record says in the fields of a kind, or what they are where it says nothing. */
function sayFields(fields: Fields, values: ReadonlyMap<string, unknown>, path = ''): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) own[key] = sayField(field, key, values, path)
  return own
}

function sayField(
  { value, initial, impliedBy }: Field,
  key: string,
  values: ReadonlyMap<string, unknown>,
  path: string,
): unknown {
  if (value.type === 'group') return sayGroup(value.fields, values, `${path}${key}.`)
  const said = values.get(path + key)
  const isImplied = impliedBy !== undefined && values.get(path + impliedBy) !== undefined
  return said ?? (isImplied ? true : (initial ?? null))
}

function sayGroup(fields: Fields, values: ReadonlyMap<string, unknown>, path: string) {
  const isSaid = Object.keys(fields).some((key) => values.has(path + key))
  return isSaid ? sayFields(fields, values, path) : null
}

/** A list needs something to show: what it is called by its type, or its kind. */
function nameOf({ kind, values, sourceId }: FeatureParts): string {
  const { fields, label } = definitions[kind] as Definition
  const types = fields.type?.value.type === 'choice' ? fields.type.value.choices : {}
  const noun = types[String(values.get('type'))] ?? label.one
  return sourceId === undefined ? noun : `${noun} ${sourceId}`.slice(0, 300).toWellFormed()
}

/** Columns as they are; lists and objects as JSON text. */
function toMetadata(columns: readonly (readonly [string, unknown])[]): Metadata {
  return columns.map(([name, value]) => ({ name, value: toMetadataValue(name, value) }))
}

function toMetadataValue(name: string, value: unknown): Metadata[number]['value'] {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new Refusal(`${quoteValue(name)} is a number too large to keep`)
  }
  try {
    return JSON.stringify(value)
  } catch {
    throw new Refusal(`${quoteValue(name)} is nested too deeply to keep`)
  }
}
