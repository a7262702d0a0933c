import { z } from 'zod'
import { withArticle } from '#domain/definition/definition.ts'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { definitions } from '#domain/features/definitions.ts'
import { newFeatureId } from '#domain/values/common.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { type BadField, RefusedError } from '../domain-error.ts'
import type { Collection } from './collections.ts'
import { geometryName, isReadOnly, type Property } from './properties.ts'
import { type ReferenceSystem, toPosition } from './reference-systems.ts'

// Converts GeoJSON features from clients (part 4) to new features and changes. All functions throw a
// RefusedError that names the invalid properties.

type Values = Readonly<Record<string, unknown>>

export type Target = { collection: Collection; properties: readonly Property[]; system: ReferenceSystem }

/** A feature as clients read it: values that they send back unchanged change nothing. */
export type CurrentItem = { id: string; geometry: unknown; properties: Values }

export function readNewItem(body: unknown, target: Target): { id: string | undefined; values: Values } {
  const { id, geometry, properties } = readMembers(body, { isWhole: true })
  const chosen = newFeatureId.optional().safeParse(id)
  if (!chosen.success) throw new RefusedError('id', chosen.error.issues[0]?.message ?? 'cannot be an id')
  const values = nest(readProperties(properties, target, null))
  return { id: chosen.data, values: { ...values, geometry: readGeometry(geometry, target) } }
}

export function readPatch(body: unknown, target: Target, current: CurrentItem): Values {
  const { id, geometry, properties } = readMembers(body, { isWhole: false })
  refuseOtherId(id, current)
  const values = nest(readProperties(properties, target, current))
  return { ...values, ...readChangedGeometry(geometry, target, current) }
}

export function readReplacement(body: unknown, target: Target, current: CurrentItem): Values {
  const { id, geometry, properties } = readMembers(body, { isWhole: true })
  refuseOtherId(id, current)
  const writable = target.properties.filter((property) => !isReadOnly(property))
  const empty = Object.fromEntries(writable.map(({ name }) => [name, null]))
  const values = nest(readProperties({ ...empty, ...properties }, target, current))
  return { ...values, ...readChangedGeometry(geometry, target, current) }
}

export function geometryIn(body: unknown, target: Pick<Target, 'collection' | 'system'>): unknown {
  if (!isObject(body) || body[geometryName] === undefined) return undefined
  try {
    return readGeometry(body[geometryName], target)
  } catch (error) {
    if (error instanceof RefusedError) return undefined
    throw error
  }
}

const members = ['type', 'id', geometryName, 'properties']
/** Members of our own answers, and of features from some programs. */
const ignoredMembers = ['links', 'bbox']

function readMembers(body: unknown, { isWhole }: { isWhole: boolean }) {
  if (!isObject(body)) throw new RefusedError('body', 'must be a GeoJSON feature')
  const { type, id, geometry, properties } = body
  const faults: BadField[] = Object.keys(body)
    .filter((key) => !members.includes(key) && !ignoredMembers.includes(key))
    .map((field) => ({ field, reason: 'is not a member of a feature. Put values into properties' }))
  if (type !== 'Feature' && (isWhole || type !== undefined))
    faults.push({ field: 'type', reason: 'must be Feature' })
  if (isWhole && geometry === undefined) faults.push({ field: geometryName, reason: 'is missing' })
  const hasNoProperties = properties === undefined || (isWhole && properties === null)
  if (!hasNoProperties && !isObject(properties))
    faults.push({ field: 'properties', reason: 'must be an object' })
  if (faults.length > 0) throw new RefusedError(faults)
  return { id, geometry, properties: hasNoProperties ? {} : (properties as Values) }
}

function refuseOtherId(id: unknown, current: CurrentItem) {
  if (id !== undefined && id !== current.id) throw new RefusedError('id', 'cannot be changed')
}

/**
 * Returns the values that differ from the current ones, or from null in a new feature: programs send all
 * properties of a feature, also read-only ones. The commands validate the values.
 */
function readProperties(
  input: Values,
  { collection, properties }: Target,
  current: CurrentItem | null,
): Values {
  const byName = new Map(properties.map((property) => [property.name, property]))
  const faults: BadField[] = []
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const property = byName.get(name)
    if (property === undefined) {
      const noun = withArticle(definitions[collection.kind].label.one)
      faults.push({ field: name, reason: `is not a property of ${noun}` })
    } else {
      const newValue = inUtc(property, value)
      if (newValue === (current?.properties[name] ?? null)) continue
      if (current === null && isAutomatic(property)) continue
      if (current !== null && isReadOnly(property))
        faults.push({
          field: name,
          reason: `cannot be changed, because it is derived from ${property.field.followsFrom}`,
        })
      else values[name] = newValue
    }
  }
  if (faults.length > 0) throw new RefusedError(faults)
  return values
}

const isAutomatic = ({ source }: Property) =>
  'column' in source && ['version', 'updated_at', 'next_due'].includes(source.column)

function inUtc({ type }: Property, value: unknown): unknown {
  const isInstant = type === 'instant' && z.iso.datetime({ offset: true }).safeParse(value).success
  return isInstant ? new Date(value as string).toISOString() : value
}

function nest(values: Values): Values {
  const nested: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    const [key = '', ...rest] = path.split('.')
    nested[key] =
      rest.length === 0
        ? value
        : { ...(nested[key] as Values | undefined), ...nest({ [rest.join('.')]: value }) }
  }
  return nested
}

const typesOf: Record<FeatureShape, readonly [string, string]> = {
  point: ['Point', 'MultiPoint'],
  line: ['LineString', 'MultiLineString'],
  polygon: ['Polygon', 'MultiPolygon'],
}

/** Empty for an unchanged geometry, which would move a little through another reference system. */
function readChangedGeometry(input: unknown, target: Target, current: CurrentItem): Values {
  const isUnchanged = input === undefined || isSameGeometry(input, current.geometry)
  return isUnchanged ? {} : { geometry: readGeometry(input, target) }
}

/** In degrees. A single part becomes a simple geometry, because clients read multiple ones. */
function readGeometry(
  input: unknown,
  { collection, system }: Pick<Target, 'collection' | 'system'>,
): unknown {
  const types = typesOf[collection.shape]
  const type = isObject(input) ? input.type : undefined
  if (!isObject(input) || typeof type !== 'string' || !types.includes(type))
    throw new RefusedError(geometryName, `must be a ${types.join(' or ')} in ${collection.id}`)
  const coordinates = toLngLat(system, input.coordinates)
  const [part, ...others] = Array.isArray(coordinates) ? coordinates : []
  const isOne = type === types[1] && others.length === 0
  return isOne ? { type: types[0], coordinates: part } : { type, coordinates }
}

const deepest = 4

/** Geometries that are nested too deeply differ. */
const isSameGeometry = (one: unknown, other: unknown) =>
  isObject(one) && isObject(other) && one.type === other.type && isEqual(one.coordinates, other.coordinates)

/** Keeps invalid positions unchanged; the commands reject them. */
function toLngLat(system: ReferenceSystem, coordinates: unknown, depth = 0): unknown {
  if (!Array.isArray(coordinates) || depth === deepest) return coordinates
  const [x, y, ...heights] = coordinates
  if (typeof x !== 'number' || typeof y !== 'number')
    return coordinates.map((part) => toLngLat(system, part, depth + 1))
  const position = toPosition(system, x, y)
  if (!position)
    throw new RefusedError(geometryName, `is outside of the earth at ${x}, ${y} in ${system.uri}`)
  return [...position, ...heights]
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
