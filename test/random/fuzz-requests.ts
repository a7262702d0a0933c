import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds, featureStatuses } from '#domain/definition/kinds.ts'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { extremes, headers, oddValues, piece } from './fuzz-values.ts'

// Requests that no browser would send: random ones, and valid ones with one fault.

export type FuzzRequest = {
  method: NonNullable<InjectOptions['method']>
  url: string
  headers: Record<string, string>
  payload?: string
  isSignedIn?: boolean
}

const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const roots = [
  '/api',
  '/api/maps',
  '/api/maps/oak-hills',
  '/api/maps/oak-hills/configuration',
  '/api/maps/oak-hills/activity',
  '/api/maps/oak-hills/drawings',
  '/api/maps/oak-hills/features/f0',
  '/api/clients',
  '/ogc/oak-hills/collections/parcels',
  '/health',
  '/api/docs',
  '/assets',
  '/map',
  '',
]

export const randomRequest: fc.Arbitrary<FuzzRequest> = fc.record(
  {
    method: fc.constantFrom(...methods),
    url: fc
      .record({
        root: fc.constantFrom(...roots),
        path: fc.array(piece, { maxLength: 5 }),
        query: fc.array(fc.tuple(piece, piece), { maxLength: 4 }),
      })
      .map(({ root, path, query }) => {
        const search = query.map(([name, value]) => `${name}=${value}`).join('&')
        return `${root}/${path.join('/')}${search && `?${search}`}`.replace(/^\/[/\\]+/, '/')
      }),
    headers,
    payload: fc.string({ maxLength: 40 }),
    isSignedIn: fc.boolean(),
  },
  { requiredKeys: ['method', 'url', 'headers'] },
)

type Parts = { path: string[]; query: [name: string, value: string][] }

const list = (values: readonly string[]) =>
  fc.subarray([...values], { maxLength: 3 }).map((some) => some.join(','))
const coordinate = (limit: number) =>
  fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value.toFixed(4))
const box = fc
  .tuple(coordinate(180), coordinate(90), coordinate(180), coordinate(90))
  .map(([a, b, c, d]) => [Math.min(+a, +c), Math.min(+b, +d), Math.max(+a, +c), Math.max(+b, +d)].join(','))
const day = fc
  .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const cursor = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('asset', 'incident', 'lot 1', '~', '7', '9007199254740991'),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url'))

const query = (parameters: Record<string, fc.Arbitrary<string>>) =>
  fc.record(parameters, { requiredKeys: [] }).map((chosen) => Object.entries(chosen) as [string, string][])

const filter = {
  kind: list(featureKinds),
  type: list([...incidentTypes, ...assetTypes]),
  since: day,
}
const page = {
  text: fc.string({ unit: 'grapheme', maxLength: 10 }),
  limit: fc.integer({ min: 1, max: 500 }).map(String),
  after: cursor,
}

const cql2 = fc
  .array(
    fc.constantFrom(
      ...[
        'name',
        'area',
        'resolved',
        'purchaseDate',
        'date',
        'zoning.type',
        'owner',
        'id',
        'geometry',
        '"name"',
      ],
      ...['=', '<>', '<', '>=', '(', ')', ',', 'AND', 'OR', 'NOT', 'IS NULL', 'IN (1, 2)', 'BETWEEN 1 AND 2'],
      ...[
        "'x'",
        "''",
        '1',
        '-2.5e3',
        '1e999',
        'TRUE',
        "DATE('2026-05-20')",
        "TIMESTAMP('2026-05-20T08:30:00Z')",
      ],
      ...[
        "LIKE '%a_'",
        'CASEI(name)',
        'S_INTERSECTS(geometry, POINT(-111 34))',
        'S_INTERSECTS(geometry, BBOX(170,-90,-170,90))',
      ],
      ...['area > 1', "name LIKE 'l%'", 'date IS NOT NULL'],
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(' '))
const referenceSystem = fc.constantFrom(
  'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  ...[4326, 3857, 32_612, 2223].map((code) => `http://www.opengis.net/def/crs/EPSG/0/${code}`),
)
const collection = fc.constantFrom(
  'parcels',
  'assets.points',
  'assets.areas',
  'incidents',
  'items.lines',
  'houses',
)

const mapId = fc.constantFrom(...Array<string>(8).fill('oak-hills'), 'closed', 'nobody')
const featureId = fc.constantFrom('f0', 'f1', 'f7', 'missing')

const goodParts: fc.Arbitrary<Parts> = fc.oneof(
  fc.record({
    path: fc.constant<string[]>(['api', 'clients']),
    query: query({
      ...page,
      state: fc.constantFrom('open', 'archived'),
      mine: fc.constantFrom('true', 'false'),
    }),
  }),
  fc.record({ path: mapId.map((id) => ['api', 'clients', id]), query: fc.constant<Parts['query']>([]) }),
  fc.record({
    path: mapId.map((id) => ['api', 'clients', id, 'thumbnail']),
    query: fc.constant<Parts['query']>([]),
  }),
  fc.record({ path: mapId.map((id) => ['api', 'maps', id]), query: fc.constant<Parts['query']>([]) }),
  fc.record({
    path: mapId.map((id) => ['api', 'maps', id, 'configuration']),
    query: fc.constant<Parts['query']>([]),
  }),
  fc.record({
    path: mapId.map((id) => ['api', 'maps', id, 'tiles.json']),
    query: fc.constant<Parts['query']>([]),
  }),
  fc.record({
    path: fc.tuple(mapId, featureId).map(([map, id]) => ['api', 'maps', map, 'features', id]),
    query: fc.constant<Parts['query']>([]),
  }),
  fc.record({
    path: fc.tuple(mapId, featureId).map(([map, id]) => ['api', 'maps', map, 'features', id, 'position']),
    query: query({ ...filter, text: page.text, sort: fc.constantFrom(...featureSorts), bbox: box }),
  }),
  fc.record({
    path: fc.tuple(mapId, collection).map(([map, id]) => ['ogc', map, 'collections', id, 'items']),
    query: query({
      limit: page.limit,
      after: cursor,
      bbox: box,
      datetime: fc.oneof(
        day,
        fc.tuple(day, day).map((ends) => ends.join('/')),
        fc.constant('../..'),
      ),
      filter: cql2,
      crs: referenceSystem,
      'bbox-crs': referenceSystem,
      'filter-crs': referenceSystem,
    }),
  }),
  fc.record({
    path: fc
      .tuple(mapId, collection, fc.constantFrom('schema', 'queryables', 'items/f0', 'items/missing'))
      .map(([map, id, rest]) => ['ogc', map, 'collections', id, ...rest.split('/')]),
    query: query({ crs: referenceSystem }),
  }),
  fc.record({
    path: mapId.map((id) => ['api', 'maps', id, 'activity']),
    query: query({ limit: page.limit, after: cursor }),
  }),
  fc.record({
    path: mapId.map((id) => ['api', 'maps', id, 'drawings']),
    query: query({ limit: page.limit, after: cursor }),
  }),
  fc.record({
    path: mapId.map((id) => ['api', 'maps', id, 'configuration', 'versions']),
    query: query({ limit: page.limit, after: cursor }),
  }),
  ...Array.from({ length: 4 }, () =>
    fc.record({
      path: mapId.map((id) => ['api', 'maps', id, 'features']),
      query: query({
        ...filter,
        ...page,
        sort: fc.constantFrom(...featureSorts),
        offset: fc.nat(100_000).map(String),
        status: list(featureStatuses),
        severity: list([...severities, 'unknown']),
        bbox: box,
      }),
    }),
  ),
  fc.record({
    path: fc
      .tuple(mapId, fc.integer({ min: 0, max: 17 }), fc.nat(1), fc.nat(1))
      .map(([map, z, x, y]) => [
        'api',
        'maps',
        map,
        'tiles',
        `${z}`,
        `${Math.min(x, z)}`,
        `${Math.min(y, z)}.mvt`,
      ]),
    query: query(filter),
  }),
  fc.constant<Parts>({ path: ['api', 'settings'], query: [] }),
  fc.constant<Parts>({ path: ['api', 'openapi.json'], query: [] }),
  fc.constant<Parts>({ path: ['health', 'ready'], query: [] }),
)

const slip = fc.oneof(
  fc.constantFrom(...extremes).map((text) => encodeURIComponent(text)),
  fc.constantFrom(...extremes).map((text) => encodeURIComponent(text)),
  piece,
)

type Spoil = {
  at: number
  value: string
  how: 'odd' | 'replace' | 'append' | 'double' | 'rename' | 'drop' | 'insert'
}

const spoil: fc.Arbitrary<Spoil> = fc.record({
  at: fc.nat(11),
  value: slip,
  how: fc.constantFrom(
    'odd',
    'odd',
    'odd',
    'odd',
    'odd',
    'odd',
    'replace',
    'replace',
    'append',
    'double',
    'rename',
    'drop',
    'insert',
  ),
})

export const nearlyValidRequest: fc.Arbitrary<FuzzRequest> = fc
  .record({
    parts: goodParts,
    spoil,
    odd: oddValues,
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST' as const),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
    isSignedIn: fc.boolean(),
  })
  .map(({ parts, spoil: { at, value, how }, odd, method, headers: sent, isSignedIn }) => {
    const path = [...parts.path]
    const entries = parts.query.map(([name, good]): [string, string] => [name, encodeURIComponent(good)])
    // The first two parts of a path only select the route.
    const first = Math.min(2, path.length - 1)
    const target = first + (at % (path.length - first + entries.length))
    const inPath = target < path.length
    const index = inPath ? target : target - path.length
    const old = inPath ? (path[index] ?? '') : (entries[index]?.[1] ?? '')
    const spoilt = { append: old + value, drop: '' }[how as string] ?? value
    if (how === 'odd')
      for (const entry of entries) entry[1] = encodeURIComponent(odd[entry[0] as keyof typeof odd])
    else if (how === 'insert') entries.push([value, value])
    else if (inPath) path.splice(index, 1, ...(how === 'double' ? [old, old] : [spoilt]))
    else if (how === 'double') entries.push([entries[index]?.[0] ?? '', value])
    else entries[index] = how === 'rename' ? [value, old] : [entries[index]?.[0] ?? '', spoilt]
    const search = entries.map(([name, content]) => `${name}=${content}`).join('&')
    return {
      method,
      isSignedIn,
      headers: sent,
      url: `/${path.join('/')}${search && `?${search}`}`.replace(/^\/[/\\]+/, '/'),
    }
  })
