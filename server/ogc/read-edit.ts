import { z } from 'zod'
import { withArticle } from '#domain/definition/definition.ts'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { definitions } from '#domain/features/definitions.ts'
import { newFeatureId } from '#domain/values/common.schema.ts'
import { type BadField, RefusedError } from '../domain-error.ts'
import type { Collection } from './collections.ts'
import { isReadOnly, type Property } from './properties.ts'
import { geometryName } from './property-schemas.ts'
import { placeOf, type ReferenceSystem } from './reference-systems.ts'

// What a GeoJSON feature that somebody sends (part 4) means as a feature of ours, or as a change of one. What is wrong is
// told by a RefusedError that names the property.

type Values = Readonly<Record<string, unknown>>

/** To what a feature is sent, and in which coordinates. */
export type Target = { collection: Collection; properties: readonly Property[]; system: ReferenceSystem }

/** A feature as programs are told it: what they send back as it was changes nothing. */
export type Told = { id: string; geometry: unknown; properties: Values }

/** Fields and geometry of a feature that is added; `id` where its sender chose one. */
export function readNewItem(body: unknown, target: Target): { id: string | undefined; said: Values } {
  const { id, geometry, properties } = readMembers(body, { isWhole: true })
  const chosen = newFeatureId.optional().safeParse(id)
  if (!chosen.success) throw new RefusedError('id', chosen.error.issues[0]?.message ?? 'cannot be an id')
  const said = readProperties(properties, target, null)
  return { id: chosen.data, said: { ...nest(said), geometry: readGeometry(geometry, target) } }
}

/** A merge patch (RFC 7396) as a change; null is nothing known. */
export function readPatch(body: unknown, target: Target, told: Told): Values {
  const { id, geometry, properties } = readMembers(body, { isWhole: false })
  refuseOtherId(id, told)
  return { ...nest(readProperties(properties, target, told)), ...readOtherGeometry(geometry, target, told) }
}

/** A whole feature as a change of the one that is there: what it does not say is not known any more. */
export function readReplacement(body: unknown, target: Target, told: Told): Values {
  const { id, geometry, properties } = readMembers(body, { isWhole: true })
  refuseOtherId(id, told)
  const writable = target.properties.filter((property) => !isReadOnly(property))
  const nothing = Object.fromEntries(writable.map(({ name }) => [name, null]))
  const said = readProperties({ ...nothing, ...properties }, target, told)
  return { ...nest(said), ...readOtherGeometry(geometry, target, told) }
}

/** The geometry of a body as it will be read; undefined where it has none, or one that will be refused. */
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
/** Our own answers have links, and programs add a box. */
const idleMembers = ['links', 'bbox']

function readMembers(body: unknown, { isWhole }: { isWhole: boolean }) {
  if (!isObject(body)) throw new RefusedError('body', 'must be a GeoJSON feature')
  const { type, id, geometry, properties } = body
  const faults: BadField[] = Object.keys(body)
    .filter((key) => !members.includes(key) && !idleMembers.includes(key))
    .map((field) => ({ field, reason: 'is no part of a feature: what it says stands in its properties' }))
  if (type !== 'Feature' && (isWhole || type !== undefined))
    faults.push({ field: 'type', reason: 'must be Feature' })
  if (isWhole && geometry === undefined) faults.push({ field: geometryName, reason: 'is missing' })
  const saysNothing = properties === undefined || (isWhole && properties === null)
  if (!saysNothing && !isObject(properties)) faults.push({ field: 'properties', reason: 'must be an object' })
  if (faults.length > 0) throw new RefusedError(faults)
  return { id, geometry, properties: saysNothing ? {} : (properties as Values) }
}

function refuseOtherId(id: unknown, told: Told) {
  if (id !== undefined && id !== told.id) throw new RefusedError('id', 'cannot be changed')
}

/**
 * What is said of properties, without what says nothing new (in a new feature that is null): programs send all of a feature,
 * also what nobody can say. Whether the rest can be said is for the check of all changes to decide.
 */
function readProperties(said: Values, { collection, properties }: Target, told: Told | null): Values {
  const known = new Map(properties.map((property) => [property.name, property]))
  const faults: BadField[] = []
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(said)) {
    const property = known.get(name)
    if (property === undefined) {
      const noun = withArticle(definitions[collection.kind].label.one)
      faults.push({ field: name, reason: `is nothing that can be said of ${noun}` })
    } else {
      const meant = inUtc(property, value)
      if (meant === (told?.properties[name] ?? null) || (told === null && isIdle(property))) continue
      if (told !== null && isReadOnly(property))
        faults.push({
          field: name,
          reason: `cannot be changed: it follows from ${property.field.followsFrom}`,
        })
      else values[name] = meant
    }
  }
  if (faults.length > 0) throw new RefusedError(faults)
  return values
}

/** What a new feature gets by itself: whoever copies one sends that of the other. */
const isIdle = ({ source }: Property) =>
  'column' in source && ['version', 'updated_at', 'next_due'].includes(source.column)

/** Instants of any time zone become those of UTC. */
function inUtc({ type }: Property, value: unknown): unknown {
  const isInstant = type === 'instant' && z.iso.datetime({ offset: true }).safeParse(value).success
  return isInstant ? new Date(value as string).toISOString() : value
}

/** Paths become groups: 'zoning.type' is part of `zoning`. */
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

/** Nothing where it is left out, or as it was: on its way through another reference system it would move a little. */
function readOtherGeometry(said: unknown, target: Target, told: Told): Values {
  return said === undefined || isSame(said, told.geometry) ? {} : { geometry: readGeometry(said, target) }
}

/** In degrees, and where it has one part as that part: every line and area is told as several. */
function readGeometry(said: unknown, { collection, system }: Pick<Target, 'collection' | 'system'>): unknown {
  const types = typesOf[collection.shape]
  const type = isObject(said) ? said.type : undefined
  if (!isObject(said) || typeof type !== 'string' || !types.includes(type))
    throw new RefusedError(
      geometryName,
      `must be a ${types.join(' or ')}: ${collection.id} takes nothing else`,
    )
  const coordinates = toLngLat(system, said.coordinates)
  const [part, ...others] = Array.isArray(coordinates) ? coordinates : []
  const isOne = type === types[1] && others.length === 0
  return isOne ? { type: types[0], coordinates: part } : { type, coordinates }
}

/** Of an area of several parts. */
const deepest = 4

/** Whether two geometries are the same to the letter; what is nested deeper than any is not looked at. */
function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return (
      depth <= deepest &&
      one.length === other.length &&
      one.every((item, at) => isSame(item, other[at], depth + 1))
    )
  if (isObject(one) && isObject(other))
    return one.type === other.type && isSame(one.coordinates, other.coordinates, depth)
  return one === other
}

/** What is no position stays as it is: the check of all geometries says what is wrong with it. */
function toLngLat(system: ReferenceSystem, said: unknown, depth = 0): unknown {
  if (!Array.isArray(said) || depth === deepest) return said
  const [x, y, ...heights] = said
  if (typeof x !== 'number' || typeof y !== 'number')
    return said.map((part) => toLngLat(system, part, depth + 1))
  const place = placeOf(system, x, y)
  if (!place) throw new RefusedError(geometryName, `is nowhere on earth at ${x}, ${y} in ${system.uri}`)
  return [...place, ...heights]
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
