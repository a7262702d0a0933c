import fc from 'fast-check'
import type { ActivityAction } from '#domain/activity/activity.schema.ts'
import { featureStatuses } from '#domain/definition/kinds.ts'
import { noOwnFields } from '#domain/features/own-fields.ts'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import type { FuzzRequest } from './fuzz-requests.ts'

// Changes that somebody signed in asks for, most of them with one thing wrong.

/** `bytes` is a body that is no JSON. */
type Good = { method: FuzzRequest['method']; url: string; body?: unknown; bytes?: string }

const mapId = fc.constantFrom('oak-hills', 'oak-hills', 'oak-hills', 'elm-park', 'closed', 'nobody')
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('Oak', '東京', 'Sample'),
)
const instant = fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })

const configuration = fc
  .record({
    startZoom: fc.double({ min: 1, max: 18, noNaN: true }),
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    showPersonalData: fc.boolean(),
    publicMetadata: fc.uniqueArray(name, { maxLength: 3 }),
    mapTypes: fc.constantFrom(['street'], ['street', 'hybrid'], ['satellite', 'street']),
  })
  .map(({ lat, ...fields }) => ({ ...defaultMapConfiguration, ...fields, center: { lat, lng: 0 } }))

const drawingIds = ['5f0c9a52-7a0d-4f6e-9a3b-1f2d3c4b5a60', '5f0c9a52-7a0d-4f6e-9a3b-1f2d3c4b5a61']
const lngLat = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
)
const drawn = fc
  .record({ name, note: name, places: fc.array(lngLat, { minLength: 3, maxLength: 5 }) })
  .chain(({ places, ...texts }) =>
    fc.constantFrom(
      { ...texts, kind: 'marker', geometry: { type: 'Point', coordinates: places[0] } },
      { ...texts, kind: 'polyline', geometry: { type: 'LineString', coordinates: places } },
      {
        ...texts,
        kind: 'polygon',
        geometry: { type: 'Polygon', coordinates: [[...places, places[0]]] },
      },
      // Not what a circle is.
      { ...texts, kind: 'circle', geometry: { type: 'LineString', coordinates: places } },
    ),
  )
const addedId = fc.constantFrom('added-1', 'added-2')
const placed = fc
  .tuple(fc.integer({ min: -11_120, max: -11_100 }), fc.integer({ min: 3_400, max: 3_420 }))
  .map(([lng, lat]) => ({ type: 'Point', coordinates: [lng / 100, lat / 100] }))
/** What is removed never comes again under its id. */
const entryId = fc.nat({ max: 40 }).map((number) => `entry-${number}`)
const openMapId = fc.constantFrom('oak-hills', 'oak-hills', 'oak-hills', 'sample', 'closed', 'nobody')

const pdf = '%PDF-1.4\n%%EOF\n'
const fileIds = Array.from(
  { length: 40 },
  (_, index) => `7d1f0000-0000-4000-8000-${String(index).padStart(12, '0')}`,
)
/** Few of them often, so that there is one to be changed; others, so that one is yet to come. */
const fileId = fc.oneof(fc.constantFrom(...fileIds.slice(0, 3)), fc.constantFrom(...fileIds))
const fileOf = (rest: string) =>
  fc.tuple(openMapId, fileId).map(([map, id]) => `/api/maps/${map}/files/${id}${rest}`)
const maintained = fc.tuple(openMapId, fc.constantFrom('tank', 'tank', 'tank', 'tank', 'smoke', 'missing'))

/** A sort of change, and what it makes the map's activity say. */
type Write = { records: ActivityAction[]; good: fc.Arbitrary<Good>; weight?: number }

const writes = {
  'add drawings': {
    records: ['drawing.added'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/drawings`),
      body: fc
        .tuple(fc.subarray(drawingIds), fc.array(drawn, { minLength: 2, maxLength: 2 }))
        .map(([ids, drawings]) => ({ items: ids.map((id, index) => ({ id, ...drawings[index] })) })),
    }),
  },
  'change a drawing': {
    records: ['drawing.changed'],
    good: fc.record({
      method: fc.constant('PUT' as const),
      url: fc
        .tuple(openMapId, fc.constantFrom(...drawingIds, 'missing'))
        .map(([map, id]) => `/api/maps/${map}/drawings/${id}`),
      body: drawn,
    }),
  },
  'delete drawings': {
    records: ['drawing.deleted', 'drawing.cleared'],
    good: fc.record({
      method: fc.constant('DELETE' as const),
      url: fc
        .tuple(openMapId, fc.constantFrom('', ...drawingIds.map((id) => `/${id}`)))
        .map(([map, id]) => `/api/maps/${map}/drawings${id}`),
    }),
  },
  'apply a configuration': {
    records: ['configuration.applied'],
    good: fc.record({
      method: fc.constant('PUT' as const),
      url: mapId.map((id) => `/api/maps/${id}/configuration`),
      body: configuration,
    }),
  },
  'change own fields': {
    records: ['fields.changed'],
    good: fc.record({
      method: fc.constant('PUT' as const),
      url: mapId.map((id) => `/api/maps/${id}/fields`),
      body: fc.record({ isRequired: fc.boolean(), isPersonal: fc.boolean(), help: name }).map((said) => ({
        fields: {
          ...noOwnFields,
          parcel: [{ ...said, key: 'gateCode', label: 'Gate code', type: 'line', choices: [] }],
        },
      })),
    }),
  },
  'take a configuration away': {
    records: ['configuration.removed'],
    good: fc.record({
      method: fc.constant('DELETE' as const),
      url: mapId.map((id) => `/api/maps/${id}/configuration`),
    }),
  },
  'restore a configuration': {
    records: ['configuration.restored'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: mapId.map((id) => `/api/maps/${id}/configuration/restore`),
      body: fc.record({ version: fc.integer({ min: 1, max: 4 }) }),
    }),
  },
  'change a status': {
    records: ['incident.resolved', 'incident.reopened', 'asset.status-changed'],
    // A feature takes only some statuses, and of those only another one than it has is a change.
    weight: 4,
    good: fc.record({
      method: fc.constant('PUT' as const),
      url: fc
        .tuple(mapId, fc.constantFrom('tank', 'tank', 'smoke', 'smoke', 'f0', 'f7', 'f60', 'missing'))
        .map(([map, id]) => `/api/maps/${map}/features/${id}/status`),
      body: fc.record({ status: fc.constantFrom(...featureStatuses) }),
    }),
  },
  'add a feature': {
    records: ['feature.added'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/features`),
      // One that is there, or was removed, is refused.
      body: fc.record({
        id: fc.oneof(addedId, fc.uuid()),
        kind: fc.constant('asset'),
        name,
        geometry: placed,
      }),
    }),
  },
  'change a feature': {
    records: ['feature.changed'],
    weight: 2,
    good: fc.record({
      method: fc.constant('PATCH' as const),
      url: fc
        .tuple(openMapId, fc.oneof(fc.constantFrom('tank', 'smoke', 'f0', 'missing'), addedId))
        .map(([map, id]) => `/api/maps/${map}/features/${id}`),
      body: fc.record(
        { name, description: name, geometry: placed, parcelId: fc.constantFrom(null, 'added-1') },
        { requiredKeys: ['description'] },
      ),
    }),
  },
  'write down maintenance': {
    records: ['maintenance.added'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: maintained.map(([map, id]) => `/api/maps/${map}/features/${id}/maintenance`),
      body: fc.record(
        {
          id: fc.oneof(entryId, fc.uuid()),
          date: fc.constantFrom('2024-02-29', '2026-01-01'),
          text: name.map((text) => `Cleaned ${text}`),
          performedBy: name,
          costCents: fc.nat(),
          hours: fc.double({ min: 0, max: 100, noNaN: true }),
          nextDue: fc.constantFrom(null, '2026-12-01'),
        },
        { requiredKeys: ['id', 'date', 'text'] },
      ),
    }),
  },
  'change maintenance': {
    records: ['maintenance.changed'],
    weight: 2,
    good: fc.record({
      method: fc.constant('PATCH' as const),
      url: fc
        .tuple(maintained, entryId)
        .map(([[map, id], entry]) => `/api/maps/${map}/features/${id}/maintenance/${entry}`),
      body: fc.record({ text: name.map((text) => `Painted ${text}`), costCents: fc.nat() }),
    }),
  },
  'remove maintenance': {
    records: ['maintenance.removed'],
    good: fc.record({
      method: fc.constant('DELETE' as const),
      url: fc
        .tuple(maintained, entryId)
        .map(([[map, id], entry]) => `/api/maps/${map}/features/${id}/maintenance/${entry}`),
    }),
  },
  'share the calendar': {
    records: ['calendar.shared'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/maintenance-calendar`),
      body: fc.constant({}),
    }),
  },
  'switch the calendar off': {
    records: ['calendar.switched-off'],
    good: fc.record({
      method: fc.constant('DELETE' as const),
      url: openMapId.map((id) => `/api/maps/${id}/maintenance-calendar`),
    }),
  },
  'remove a feature': {
    records: ['feature.removed'],
    good: fc.record({
      method: fc.constant('DELETE' as const),
      url: fc.tuple(openMapId, addedId).map(([map, id]) => `/api/maps/${map}/features/${id}`),
    }),
  },
  'put a feature back': {
    records: ['feature.put-back'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: fc
        .tuple(openMapId, addedId)
        .map(([map, id]) => `/api/maps/${map}/removed-features/${id}/put-back`),
    }),
  },
  'change several features': {
    records: ['features.changed'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/features/changes`),
      body: fc.record({
        id: fc.uuid(),
        items: fc
          .tuple(fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 3 }), placed, name)
          .map(([ids, geometry, name]) =>
            ids.map((id) => ({ action: 'add', feature: { kind: 'asset', id, name, geometry } })),
          ),
      }),
    }),
  },
  'change everything under a filter': {
    records: ['features.bulk-changed'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/bulk-changes`),
      body: fc.record({
        id: fc.uuid(),
        kind: fc.constant('change'),
        patch: fc.record({ description: name }),
        filter: fc.constantFrom({ kind: 'asset' }, { text: 'tank' }, { bbox: '-112,33,-110,35' }, {}),
      }),
    }),
  },
  'preview such a change': {
    records: [],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: fc
        .tuple(openMapId, fc.constantFrom('preview', 'nothing/cancel'))
        .map(([id, what]) => `/api/maps/${id}/bulk-changes/${what}`),
      body: fc.record({ kind: fc.constant('remove'), filter: fc.constantFrom({ status: 'offline' }, {}) }),
    }),
  },
  'announce a file': {
    records: [],
    weight: 2,
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/uploads`),
      body: fc.record({
        id: fileId,
        featureId: fc.integer({ min: 0, max: 60 }).map((index) => `f${index}`),
        name,
        size: fc.constant(pdf.length),
      }),
    }),
  },
  'send a file': {
    records: ['file.added'],
    weight: 2,
    good: fc.record({
      method: fc.constant('PUT' as const),
      url: fc.tuple(openMapId, fileId).map(([map, id]) => `/api/maps/${map}/uploads/${id}?offset=0`),
      bytes: fc.constant(pdf),
    }),
  },
  'change a file': {
    records: ['file.changed', 'file.published', 'file.hidden'],
    good: fc.record({
      method: fc.constant('PATCH' as const),
      url: fileOf(''),
      body: fc.record(
        { caption: name, isPublic: fc.boolean(), index: fc.nat(3) },
        { requiredKeys: ['isPublic'] },
      ),
    }),
  },
  'remove a file': {
    records: ['file.removed'],
    good: fc.record({ method: fc.constant('DELETE' as const), url: fileOf('') }),
  },
  'put a file back': {
    records: ['file.put-back'],
    good: fc.record({ method: fc.constant('POST' as const), url: fileOf('/put-back') }),
  },
  'say what was read': {
    records: [],
    good: fc.record({
      method: fc.constant('PUT' as const),
      url: mapId.map((id) => `/api/maps/${id}/activity/read`),
      body: fc.record({ at: instant.map((date) => date.toISOString()) }),
    }),
  },
  'add a client': {
    records: ['client.added'],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: fc.constant('/api/clients'),
      body: fc.record({ name, location: name }),
    }),
  },
  'change a client': {
    records: ['client.changed'],
    good: fc.record({
      method: fc.constant('PATCH' as const),
      url: mapId.map((id) => `/api/clients/${id}`),
      body: fc.record({ name, location: name }, { requiredKeys: [] }),
    }),
  },
  'archive and restore a client': {
    records: ['client.archived', 'client.restored'],
    good: fc.record({
      method: fc.constant('POST' as const),
      // The others are asked for all the time: they stay open.
      url: fc.constantFrom(
        '/api/clients/closed/archive',
        '/api/clients/closed/restore',
        '/api/clients/nobody/archive',
      ),
    }),
  },
  'look for features within an area': {
    records: [],
    good: fc.record({
      method: fc.constant('POST' as const),
      url: openMapId.map((id) => `/api/maps/${id}/features-within`),
      body: fc.record({
        ring: fc.array(lngLat, { minLength: 3, maxLength: 20 }),
        filter: fc.constantFrom({ kind: 'asset' }, { text: 'tank' }, { bbox: '-112,33,-110,35' }, {}),
      }),
    }),
  },
} satisfies Record<string, Write>

export const goodWriteNames = Object.keys(writes)

/** What those changes record. */
export const recordedByWrites = Object.values<Write>(writes).flatMap(({ records }) => records)

/**
 * One request for each sort of change, as a page of ours would send it. Not each of them changes something: the map may
 * be closed, or the drawing not be there. One after the other they do, whatever there is to begin with.
 */
export const goodWrites = fc.record(
  Object.fromEntries(
    Object.entries<Write>(writes).map(([what, { good }]) => [
      what,
      good.map(({ method, url, body, bytes }): FuzzRequest => {
        const type = bytes === undefined ? 'application/json' : 'application/octet-stream'
        const payload = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
        const headers = { 'if-match': '*', ...(payload === undefined ? {} : { 'content-type': type }) }
        return { method, url, isSignedIn: true, headers, ...(payload === undefined ? {} : { payload }) }
      }),
    ]),
  ),
)

const good = fc.oneof(
  ...Object.values<Write>(writes).map(({ good, weight = 1 }) => ({ arbitrary: good, weight })),
)

const ifMatch = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 5 }).map((version) => `"${version}"`) },
  { weight: 3, arbitrary: fc.constant('*') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['', '1', 'W/"1"', '"1", "2"', '"1","2",W/"3"', '"', '""', '"1" "2"', '*, "1"', ','],
      ...[
        '"99999999999999999999"',
        '"-1"',
        '"1e9"',
        '"\u00e9"',
        '"a,b"',
        `"${'x'.repeat(900)}"`,
        '"1",'.repeat(300),
      ],
    ),
  },
)

const keys = fc.constantFrom(
  'key-number-1',
  'key-number-2',
  'short',
  'x'.repeat(201),
  'with a blank in it',
  '\u00e9'.repeat(9),
)

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** What may stand where a good value stood, as JSON. */
const oddJson = fc.constantFrom(
  ...[
    '"\\ud800"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\udfff\\ud800"',
    '""',
    '" "',
    'null',
    'true',
    '[]',
    '{}',
    '-0',
  ],
  ...[
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740993',
    '2147483648',
    '-1',
    '1.5',
    '"1"',
    '[null]',
    '{"lat":{}}',
  ],
  ...[
    deep(100),
    deep(2_000),
    `"${'x'.repeat(5_000)}"`,
    `"${'\u{1F468}\u200D'.repeat(60)}"`,
    '"9999-12-31T23:59:60Z"',
  ],
  ...[
    '"-271821-04-20T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '{"__proto__":{"x":1}}',
    '"__proto__"',
    '"constructor"',
  ],
)

/** Bodies that are no body of anything. */
const oddBody = fc.constantFrom(
  ...[
    '',
    'null',
    '[]',
    '"x"',
    '7',
    '{',
    '{"a":',
    'nonsense',
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
    deep(5_000),
  ],
  ...['{"status":"resolved","status":"offline"}', '{"name":"a","name":"b","location":""}', '{"":""}'],
  ...[
    '{"version":1,"version":2}',
    '{"constructor":{"prototype":{"x":1}}}',
    `{"name":"${'x'.repeat(30_000)}"}`,
  ],
)

const contentTypes = fc.constantFrom(
  ...Array<string>(12).fill('application/json'),
  ...[
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ],
)

type Slip = 'none' | 'value' | 'key' | 'drop' | 'body'

export const nearlyValidWrite: fc.Arbitrary<FuzzRequest> = fc
  .record({
    good,
    slip: fc.constantFrom<Slip>('none', 'none', 'none', 'value', 'value', 'value', 'key', 'drop', 'body'),
    at: fc.nat(9),
    oddJson,
    oddBody,
    ifMatch: fc.option(ifMatch, { freq: 8, nil: undefined }),
    key: fc.option(keys, { freq: 1, nil: undefined }),
    contentType: contentTypes,
    isSignedIn: fc.constantFrom(true, true, true, true, false),
  })
  .map(({ good, slip, at, oddJson, oddBody, ifMatch, key, contentType, isSignedIn }) => {
    const { method, url, body, bytes } = good
    const said = body === undefined ? bytes : spoil(body as object, slip, at, oddJson)
    const payload = slip === 'body' ? oddBody : said
    return {
      method,
      url,
      isSignedIn,
      headers: {
        ...(payload === undefined
          ? {}
          : { 'content-type': bytes === undefined ? contentType : 'application/octet-stream' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(payload === undefined ? {} : { payload }),
    }
  })

/** JSON of the body with one of its members spoilt. */
function spoil(body: object, slip: Slip, at: number, odd: string): string {
  const members = Object.entries(body).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)])
  const member = members[at % Math.max(1, members.length)]
  if (member && slip === 'value') member[1] = odd
  if (member && slip === 'key') member[0] = '"colour\\ud800"'
  if (slip === 'drop') members.splice(at % Math.max(1, members.length), 1)
  return `{${members.map((parts) => parts.join(':')).join(',')}}`
}
