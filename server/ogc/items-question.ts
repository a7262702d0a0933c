import { z } from 'zod'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { pageCursor } from '../http/page-parameters.ts'
import { badParameter, ProblemError } from '../http/problem.ts'
import type { Cql2 } from './cql2.ts'
import { Cql2Error, maxFilterLength, parseCql2 } from './parse-cql2.ts'
import type { Property } from './properties.ts'
import { geometryName } from './property-schemas.ts'
import { areasOfBox, crs84, placeOf, type ReferenceSystem } from './reference-systems.ts'

// What can be asked of the items of a collection, and what it means.

export const limits = { least: 1, usual: 100, most: 10_000 }
export const filterLanguage = 'cql2-text'

const address = z.string().max(200).optional()

export const itemsQuery = z.strictObject({
  // More than there can be on a page is cut, as the standard has it.
  limit: z
    .string()
    .regex(/^0*[1-9]\d{0,15}$/, `must be a whole number from ${limits.least}`)
    .transform((text) => Math.min(Number(text), limits.most))
    .default(limits.usual),
  bbox: z
    .string()
    .max(500)
    .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
    .refine(
      (numbers) => [4, 6].includes(numbers.length) && numbers.every(Number.isFinite),
      'must be four numbers, or six: the lower corner first',
    )
    .optional(),
  'bbox-crs': address,
  crs: address,
  datetime: z.string().max(100).optional(),
  filter: z
    .string()
    .max(maxFilterLength)
    .refine((text) => text.isWellFormed(), 'must be well-formed text')
    .optional(),
  'filter-lang': z.literal(filterLanguage).optional(),
  'filter-crs': address,
  after: pageCursor,
})
type ItemsQuery = z.output<typeof itemsQuery>

export const itemQuery = z.strictObject({ crs: address })

/** The reference system that a parameter names; throws a 400 where the map has none of this name. */
export function findSystem(
  systems: readonly ReferenceSystem[],
  name: 'crs' | 'bbox-crs' | 'filter-crs',
  uri: string = crs84.uri,
): ReferenceSystem {
  const system = systems.find((one) => one.uri === uri)
  if (!system) throw badParameter('query', name, `must be one of ${systems.map(({ uri }) => uri).join(', ')}`)
  return system
}

/** The reference system of what is sent, as `Content-Crs: <address>` names it; throws a 400. */
export function findContentSystem(
  systems: readonly ReferenceSystem[],
  header: string | string[] | undefined,
): ReferenceSystem {
  if (header === undefined) return crs84
  const [, uri] = /^<(.+)>$/.exec(String(header).trim()) ?? []
  const system = systems.find((one) => one.uri === uri)
  if (system) return system
  const message = `must be one of ${systems.map(({ uri }) => `<${uri}>`).join(', ')}`
  throw new ProblemError(400, `Content-Crs: ${message}`, [{ in: 'header', name: 'Content-Crs', message }])
}

/** `areas` are those of the box. Throws a 400. */
export function readItemsQuestion(
  query: ItemsQuery,
  {
    systems,
    queryables,
    instant,
  }: {
    systems: readonly ReferenceSystem[]
    queryables: ReadonlyMap<string, Property>
    instant: string | null
  },
): { areas: readonly Geometry[] | undefined; filters: readonly Cql2[] } {
  const boxSystem = findSystem(systems, 'bbox-crs', query['bbox-crs'])
  const areas = query.bbox && areasOfBox(boxSystem, query.bbox)
  if (query.bbox && !areas)
    throw badParameter('query', 'bbox', 'must be the lower corner, then the upper one')
  const time = query.datetime === undefined ? null : readTimeSpan(query.datetime)
  const filters: Cql2[] = []
  if (time && instant !== null) filters.push(isWithin(instant, time))
  const filterSystem = findSystem(systems, 'filter-crs', query['filter-crs'])
  if (query.filter !== undefined) filters.push(readFilter(query.filter, filterSystem, queryables))
  return { areas, filters }
}

function readFilter(text: string, system: ReferenceSystem, queryables: ReadonlyMap<string, Property>): Cql2 {
  try {
    return parseCql2(text, {
      properties: new Map([...queryables].map(([name, { type }]) => [name, type])),
      geometry: geometryName,
      toLngLat: (x, y) => placeOf(system, x, y),
      areasOfBox: (corners) => areasOfBox(system, corners),
    })
  } catch (error) {
    if (error instanceof Cql2Error) throw badParameter('query', 'filter', error.message)
    throw error
  }
}

type TimeSpan = { from: number | null; until: number | null }

const isDay = (text: string) => z.iso.date().safeParse(text).success
const isInstant = (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success
const lastOfDayMs = 86_399_999

/** An instant, or an interval with its ends, either of which may be open. A day is all of it, in UTC. */
function readTimeSpan(text: string): TimeSpan {
  const parts = text.split('/')
  const [first = '', second = first] = parts
  const from = readEnd(first, parts.length > 1, 0)
  const until = readEnd(second, parts.length > 1, lastOfDayMs)
  if (parts.length > 2 || from === undefined || until === undefined)
    throw badParameter(
      'query',
      'datetime',
      'must be an instant such as 2026-05-31T08:30:00Z, a day, or two of them with / between; .. is an open end',
    )
  if (from !== null && until !== null && from > until)
    throw badParameter('query', 'datetime', 'must not end before it begins')
  return { from, until }
}

function readEnd(text: string, mayBeOpen: boolean, ofDayMs: number): number | null | undefined {
  if (mayBeOpen && (text === '' || text === '..')) return null
  if (isDay(text)) return Date.parse(text) + ofDayMs
  return isInstant(text) ? Date.parse(text) : undefined
}

/** What has no time matches any. */
function isWithin(name: string, { from, until }: TimeSpan): Cql2 {
  const left = { is: 'property', name, type: 'instant' } as const
  const end = (how: '>=' | '<=', value: number | null): Cql2[] =>
    value === null ? [] : [{ is: how, left, right: { is: 'fixed', value, type: 'instant' } }]
  const ends = [...end('>=', from), ...end('<=', until)]
  if (ends.length === 0) return { is: 'fixed', value: true }
  return {
    is: 'or',
    of: [
      { is: 'null', of: left },
      { is: 'and', of: ends },
    ],
  }
}
