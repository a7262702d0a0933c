import { z } from 'zod'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { isDecimal, pageCursor } from '../http/page-parameters.ts'
import { badParameter, ProblemError } from '../http/problem.ts'
import type { Cql2 } from './cql2.ts'
import { Cql2Error } from './cql2-tokens.ts'
import { maxFilterLength, parseCql2 } from './parse-cql2.ts'
import type { Property } from './properties.ts'
import { areasOfBox, crs84, type ReferenceSystem } from './reference-systems.ts'

const limits = { least: 1, usual: 100, most: 10_000 }
const filterLanguage = 'cql2-text'

const systemUri = (description: string) => z.string().max(200).optional().meta({ description })
const crs = systemUri('Reference system of the coordinates in the response')

/** `meta` also sets how OpenAPI describes the text of a parameter. */
export const itemsQuery = z.strictObject({
  limit: z
    .string()
    .refine((text) => /^0*[1-9]\d{0,15}$/.test(text), `must be a whole number from ${limits.least}`)
    .optional()
    .meta({
      type: 'integer',
      minimum: limits.least,
      maximum: limits.most,
      default: limits.usual,
      description: 'Features per page; larger numbers are reduced to the maximum',
    }),
  bbox: z
    .string()
    .transform((text) =>
      text.split(',', 7).map((part) => (isDecimal(part.trim()) ? Number(part) : Number.NaN)),
    )
    .refine(
      (numbers) => [4, 6].includes(numbers.length) && numbers.every(Number.isFinite),
      'must be four or six numbers, lower corner first',
    )
    .optional()
    .meta({
      type: 'array',
      items: { type: 'number' },
      minItems: 4,
      maxItems: 6,
      description: 'Features that intersect a box: its lower corner, then its upper corner',
    }),
  'bbox-crs': systemUri('Reference system of the box'),
  datetime: z
    .string()
    .refine((text) => text.length <= 100, 'must have at most 100 characters')
    .optional()
    .meta({
      description:
        'Features at an instant or in an interval, including its ends, and features without a time',
    }),
  crs,
  filter: z
    .string()
    .max(maxFilterLength)
    .refine((text) => text.isWellFormed(), 'must not contain invalid characters')
    .optional()
    .meta({ description: 'CQL2 text, with the names in /queryables' }),
  'filter-lang': z.literal(filterLanguage).default(filterLanguage).meta({
    type: 'string',
    description: 'The language of the filter',
  }),
  'filter-crs': systemUri('Reference system of the coordinates in the filter'),
  after: pageCursor.meta({ description: 'Start of the page, from the link `next` of the previous page' }),
})
export type ItemsQuery = z.output<typeof itemsQuery>

export const itemQuery = z.strictObject({ crs })

export const limitOf = ({ limit = String(limits.usual) }: Pick<ItemsQuery, 'limit'>) =>
  Math.min(Number(limit), limits.most)

export function findSystem(
  systems: readonly ReferenceSystem[],
  name: 'crs' | 'bbox-crs' | 'filter-crs',
  uri: string = crs84.uri,
): ReferenceSystem {
  const system = systems.find((one) => one.uri === uri)
  if (!system) throw badParameter('query', name, `must be one of ${systems.map(({ uri }) => uri).join(', ')}`)
  return system
}

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

export function readItemsQuery(
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
  if (query.bbox && !areas) throw badParameter('query', 'bbox', 'must have the lower corner first')
  const time = query.datetime === undefined ? null : readTimeSpan(query.datetime)
  const filters: Cql2[] = []
  if (time && instant !== null) filters.push(isWithin(instant, time))
  const filterSystem = findSystem(systems, 'filter-crs', query['filter-crs'])
  if (query.filter !== undefined) filters.push(readFilter(query.filter, filterSystem, queryables))
  return { areas, filters }
}

function readFilter(text: string, system: ReferenceSystem, queryables: ReadonlyMap<string, Property>): Cql2 {
  try {
    return parseCql2(text, { properties: queryables, system })
  } catch (error) {
    if (error instanceof Cql2Error) throw badParameter('query', 'filter', error.message)
    throw error
  }
}

type TimeSpan = { from: number | null; until: number | null }

const isDay = (text: string) => z.iso.date().safeParse(text).success
const isInstant = (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success
const lastOfDayMs = 86_399_999

/** An instant or an interval, whose ends may be open. A day covers all of its instants, in UTC. */
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
    throw badParameter('query', 'datetime', 'must not end before it starts')
  return { from, until }
}

function readEnd(text: string, mayBeOpen: boolean, timeOfDayMs: number): number | null | undefined {
  if (mayBeOpen && (text === '' || text === '..')) return null
  if (isDay(text)) return Date.parse(text) + timeOfDayMs
  return isInstant(text) ? Date.parse(text) : undefined
}

function isWithin(name: string, { from, until }: TimeSpan): Cql2 {
  const property = { is: 'property', name, type: 'instant' } as const
  const end = (operator: '>=' | '<=', value: number | null): Cql2[] =>
    value === null ? [] : [{ is: operator, left: property, right: { is: 'fixed', value, type: 'instant' } }]
  const ends = [...end('>=', from), ...end('<=', until)]
  if (ends.length === 0) return { is: 'fixed', value: true }
  return {
    is: 'or',
    of: [
      { is: 'null', of: property },
      { is: 'and', of: ends },
    ],
  }
}
