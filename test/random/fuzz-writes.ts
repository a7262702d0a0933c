import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import { operationalStatuses } from '#domain/definition/kinds.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { defaultReportSettings } from '#domain/reports/report-settings.ts'
import type { FuzzRequest } from './fuzz-requests.ts'

/** `bytes` is a body that is not JSON. */
export type Write = { method: FuzzRequest['method']; url: string; body?: unknown; bytes?: string }

const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('Oak', '東京', 'Sample'),
)
const instant = fc
  .date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })
  .map((date) => date.toISOString())

const configuration = fc
  .record({
    startZoom: fc.double({ min: 1, max: 18, noNaN: true }),
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    showPersonalData: fc.boolean(),
    publicMetadata: fc.uniqueArray(name, { maxLength: 3 }),
    mapTypes: fc.constantFrom(['street'], ['street', 'hybrid'], ['satellite', 'street']),
  })
  .map(({ lat, ...fields }) => ({ ...defaultMapConfiguration, ...fields, center: { lat, lng: 0 } }))

const customFields = fc
  .record({ isRequired: fc.boolean(), visibleTo: fc.constantFrom('staff', 'everyone'), help: name })
  .map((fields) => ({
    fields: {
      ...noCustomFields,
      parcel: [{ ...fields, key: 'gateCode', label: 'Gate code', type: 'line', choices: [] }],
    },
  }))

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
      { ...texts, kind: 'polygon', geometry: { type: 'Polygon', coordinates: [[...places, places[0]]] } },
    ),
  )
const placed = fc
  .tuple(fc.integer({ min: -11_120, max: -11_100 }), fc.integer({ min: 3_400, max: 3_420 }))
  .map(([lng, lat]) => ({ type: 'Point', coordinates: [lng / 100, lat / 100] }))

const someFilter = fc.constantFrom<object>(
  { kind: 'asset' },
  { text: 'tank' },
  { bbox: '-112,33,-110,35' },
  { status: 'offline' },
  {},
)

/** An IP address, so that no name is resolved, and no requests are sent. */
const hook = { url: 'https://8.8.8.8/hook', events: ['feature.added', 'import.done'] }

const fuzzReportKey = 'ab'.repeat(16)

const severity = fc.constantFrom('high', 'low', null)
const reported = (id: fc.Arbitrary<string>) =>
  body(
    { key: fuzzReportKey, type: 'flood' },
    { id, place: lngLat.map(([lng, lat]) => ({ lat, lng })), description: name, secondsAgo: fc.nat() },
  )

const pdf = '%PDF-1.4\n%%EOF\n'

const body = (same: object, fields: Record<string, fc.Arbitrary<unknown>> = {}, requiredKeys?: string[]) =>
  fc
    .record(fields, { requiredKeys: requiredKeys ?? Object.keys(fields) })
    .map((changing) => ({ ...same, ...changing }))

type Targets = Record<
  | 'map'
  | 'archivable'
  | 'drawing'
  | 'item'
  | 'asset'
  | 'incident'
  | 'other'
  | 'entry'
  | 'file'
  | 'webhook'
  | 'report'
  | 'withdrawn'
  | 'step'
  | 'link'
  | 'change',
  fc.Arbitrary<string>
>

const uuidOf = (number: number) => `7d1f0000-0000-4000-8000-${String(number).padStart(12, '0')}`
const oneOfMany = (count: number, idOf: (number: number) => string) => fc.nat({ max: count - 1 }).map(idOf)

const anything: Targets = {
  map: fc.constantFrom('oak-hills', 'oak-hills', 'oak-hills', 'oak-hills', 'elm-park', 'closed', 'nobody'),
  // Other clients stay active, since all requests need them.
  archivable: fc.constantFrom('closed', 'closed', 'nobody'),
  drawing: oneOfMany(3, uuidOf),
  item: fc.constantFrom('tank', 'item-1', 'item-2'),
  asset: fc.constantFrom('tank', 'tank', 'tank', 'added-1', 'added-2', 'f0', 'f7', 'f60', 'missing'),
  incident: fc.constantFrom('smoke', 'smoke', 'f0', 'f7', 'f60', 'missing'),
  other: fc.constantFrom('smoke', 'f0', 'f7', 'missing'),
  // Removed ids cannot be reused, so many are needed.
  entry: oneOfMany(40, (number) => `entry-${number}`),
  file: fc.oneof(oneOfMany(3, uuidOf), oneOfMany(40, uuidOf)),
  webhook: oneOfMany(3, uuidOf),
  report: oneOfMany(5, (number) => `report-${number}`),
  withdrawn: oneOfMany(5, (number) => `report-${number}`),
  step: oneOfMany(5, uuidOf),
  link: oneOfMany(5, uuidOf),
  change: fc.uuid(),
}

function newTargets(): Targets {
  const id = () => fc.constant(randomUUID() as string)
  return {
    map: fc.constant('oak-hills'),
    archivable: fc.constant('closed'),
    drawing: id(),
    item: id(),
    asset: id(),
    incident: id(),
    other: id(),
    entry: id(),
    file: id(),
    webhook: id(),
    report: id(),
    withdrawn: id(),
    step: id(),
    link: id(),
    change: id(),
  }
}

/** `records` are the activities that the change writes. */
type Sort = { write: fc.Arbitrary<Write>; records: ActivityAction[]; weight?: number }

type Address = fc.Arbitrary<string>
const under =
  (root: string) =>
  (fixed: TemplateStringsArray, ...changing: Address[]): Address =>
    fc.tuple(...changing).map((parts) => `${root}${String.raw({ raw: fixed }, ...parts)}`)
const maps = under('/api/maps/')
const clients = under('/api/clients')
const ogc = under('/ogc/')

const post = (url: Address, body: fc.Arbitrary<unknown> = fc.constant({})) =>
  fc.record({ method: fc.constant('POST' as const), url, body })
const put = (url: Address, body: fc.Arbitrary<unknown>) =>
  fc.record({ method: fc.constant('PUT' as const), url, body })
const patch = (url: Address, body: fc.Arbitrary<unknown>) =>
  fc.record({ method: fc.constant('PATCH' as const), url, body })
const remove = (url: Address) => fc.record({ method: fc.constant('DELETE' as const), url })

/** Ordered by dependency. */
const sortsOn = ({
  map,
  archivable,
  drawing,
  item,
  asset,
  incident,
  other,
  entry,
  file,
  webhook,
  report,
  withdrawn,
  step,
  link,
  change,
}: Targets) =>
  ({
    'add drawings': {
      records: ['drawing.added'],
      write: post(
        maps`${map}/drawings`,
        fc.tuple(drawing, fc.uuid(), drawn, drawn).map(([id, otherId, one, other]) => ({
          items: [
            { ...one, id },
            { ...other, id: otherId },
          ],
        })),
      ),
    },
    'change a drawing': {
      records: ['drawing.changed'],
      write: put(maps`${map}/drawings/${drawing}`, drawn),
    },
    'delete a drawing': { records: ['drawing.deleted'], write: remove(maps`${map}/drawings/${drawing}`) },
    'delete all drawings': { records: ['drawing.cleared'], write: remove(maps`${map}/drawings`) },
    'apply a configuration': {
      records: ['configuration.applied'],
      write: put(maps`${map}/configuration`, configuration),
    },
    'take a configuration away': {
      records: ['configuration.removed'],
      write: remove(maps`${map}/configuration`),
    },
    'restore a configuration': {
      records: ['configuration.restored'],
      write: post(maps`${map}/configuration/restore`, body({}, { version: fc.integer({ min: 1, max: 4 }) })),
    },
    'change custom fields': { records: ['fields.changed'], write: put(maps`${map}/fields`, customFields) },
    'add an asset': {
      records: ['feature.added'],
      write: post(maps`${map}/features`, body({ kind: 'asset' }, { id: asset, name, geometry: placed })),
    },
    'add an incident': {
      records: [],
      write: post(
        maps`${map}/features`,
        body({ kind: 'incident' }, { id: incident, title: name, geometry: placed }),
      ),
    },
    'change the status of an asset': {
      records: ['asset.status-changed'],
      weight: 2,
      write: put(
        maps`${map}/features/${asset}/status`,
        body({}, { status: fc.constantFrom(...operationalStatuses) }),
      ),
    },
    'resolve an incident': {
      records: ['incident.resolved'],
      write: put(maps`${map}/features/${incident}/status`, body({ status: 'resolved' })),
    },
    'reopen an incident': {
      records: ['incident.reopened'],
      write: put(maps`${map}/features/${incident}/status`, body({ status: 'unresolved' })),
    },
    'change an asset': {
      records: ['feature.changed'],
      weight: 2,
      write: patch(
        maps`${map}/features/${asset}`,
        body({}, { name, description: name, geometry: placed, parcelId: fc.constantFrom(null, 'f0', 'f7') }, [
          'description',
        ]),
      ),
    },
    'add an item': {
      records: [],
      write: post(
        ogc`${map}/collections/assets.points/items`,
        body({ type: 'Feature' }, { id: item, geometry: placed, properties: body({}, { name }) }),
      ),
    },
    'change an item': {
      records: [],
      write: patch(
        ogc`${map}/collections/assets.points/items/${asset}`,
        body({}, { geometry: placed, properties: body({}, { description: name }) }, ['properties']),
      ),
    },
    'replace an item': {
      records: [],
      write: put(
        ogc`${map}/collections/assets.points/items/${asset}`,
        body({ type: 'Feature' }, { geometry: placed, properties: body({}, { name }) }),
      ),
    },
    'change the progress of an incident': {
      records: ['incident.noted'],
      write: post(
        maps`${map}/incidents/${incident}/work`,
        body({ publicNote: 'Seen', internalNote: 'Call first' }, { id: step, assignee: name }, ['assignee']),
      ),
    },
    'change a note': {
      records: [],
      write: patch(
        maps`${map}/incidents/${incident}/notes/${step}-public`,
        body({}, { text: name }, ['text']),
      ),
    },
    'remove a note': {
      records: [],
      write: remove(maps`${map}/incidents/${incident}/notes/${step}-internal`),
    },
    'add the incident that remains': {
      records: [],
      write: post(
        maps`${map}/features`,
        body({ kind: 'incident' }, { id: other, title: name, geometry: placed }),
      ),
    },
    'merge an incident': {
      records: ['incident.merged'],
      write: post(maps`${map}/incidents/${incident}/merge`, body({}, { into: other })),
    },
    'undo a merge': {
      records: ['incident.unmerged'],
      write: post(maps`${map}/incidents/${incident}/undo-merge`),
    },
    'add a work link': {
      records: ['work-link.added'],
      write: post(maps`${map}/incidents/${incident}/work-links`, body({}, { id: link, name })),
    },
    'revoke a work link': {
      records: ['work-link.revoked'],
      write: post(maps`${map}/incidents/${incident}/work-links/${link}/revoke`),
    },
    'change an incident': {
      records: [],
      write: patch(maps`${map}/features/${incident}`, body({}, { title: name, reportedBy: name }, ['title'])),
    },
    'write down maintenance': {
      records: ['maintenance.added'],
      write: post(
        maps`${map}/features/${asset}/maintenance`,
        body(
          {},
          {
            id: entry,
            date: fc.constantFrom('2024-02-29', '2026-01-01'),
            text: name.map((text) => `Cleaned ${text}`),
            performedBy: name,
            costCents: fc.nat(),
            hours: fc.double({ min: 0, max: 100, noNaN: true }),
            nextDue: fc.constantFrom(null, '2026-12-01'),
          },
          ['id', 'date', 'text'],
        ),
      ),
    },
    'change maintenance': {
      records: ['maintenance.changed'],
      weight: 2,
      write: patch(
        maps`${map}/features/${asset}/maintenance/${entry}`,
        body({}, { text: name.map((text) => `Painted ${text}`), costCents: fc.nat() }),
      ),
    },
    'remove maintenance': {
      records: ['maintenance.removed'],
      write: remove(maps`${map}/features/${asset}/maintenance/${entry}`),
    },
    'share the calendar': { records: ['calendar.shared'], write: post(maps`${map}/maintenance-calendar`) },
    'switch the calendar off': {
      records: ['calendar.switched-off'],
      write: remove(maps`${map}/maintenance-calendar`),
    },
    'add a webhook': {
      records: ['webhook.added'],
      write: post(
        maps`${map}/webhooks`,
        body({ ...hook, kinds: ['asset'] }, { id: webhook, description: name }),
      ),
    },
    'change a webhook': {
      records: ['webhook.changed'],
      write: put(
        maps`${map}/webhooks/${webhook}`,
        body({ ...hook, kinds: [] }, { description: name, isOn: fc.boolean() }),
      ),
    },
    'change the secret of a webhook': {
      records: ['webhook.secret-changed'],
      write: post(
        maps`${map}/webhooks/${webhook}/secret`,
        body({}, { formerEnds: fc.constantFrom('at-once', 'after-a-day') }),
      ),
    },
    'remove a webhook': { records: ['webhook.removed'], write: remove(maps`${map}/webhooks/${webhook}`) },
    'change report settings': {
      records: ['report-settings.changed'],
      write: put(
        maps`${map}/report-settings`,
        body(defaultReportSettings, { publication: fc.constantFrom('immediate', 'review') }),
      ),
    },
    'report a problem': {
      records: ['report.received', 'report.published'],
      weight: 2,
      write: post(maps`${map}/reports`, reported(report)),
    },
    'change a report': {
      records: ['report.changed'],
      write: patch(maps`${map}/reports/${report}`, body({}, { title: name, severity })),
    },
    'comment on a report': {
      records: [],
      write: post(maps`${map}/reports/${report}/own/comments`, body({}, { id: step, text: name })),
    },
    'decide about a report': {
      records: ['report.decided'],
      weight: 2,
      write: put(
        maps`${map}/reports/${report}/decision`,
        body({}, { state: fc.constantFrom('accepted', 'rejected', 'hidden', 'new'), publicNote: name }),
      ),
    },
    'block the sender of a report': {
      records: ['report.sender-blocked'],
      write: put(maps`${map}/reports/${report}/block`, body({ days: 1 }, {})),
    },
    'unblock the sender of a report': {
      records: ['report.sender-unblocked'],
      write: remove(maps`${map}/reports/${report}/block`),
    },
    'report another problem': {
      records: [],
      write: post(maps`${map}/reports`, reported(withdrawn)),
    },
    'change an own report': {
      records: [],
      write: patch(maps`${map}/reports/${withdrawn}/own`, body({}, { description: name })),
    },
    'withdraw a report': {
      records: ['report.withdrawn'],
      write: post(maps`${map}/reports/${withdrawn}/own/withdraw`),
    },
    'follow an incident': {
      records: [],
      write: post(
        maps`${map}/subscriptions`,
        body(
          {},
          {
            about: body({ topic: 'incident' }, { id: incident }),
            email: fc.nat().map((number) => `ann-${number}@example.org`),
          },
        ),
      ),
    },
    'announce a file': {
      records: [],
      weight: 2,
      write: post(maps`${map}/uploads`, body({ size: pdf.length }, { id: file, featureId: asset, name })),
    },
    'send a file': {
      records: ['file.added'],
      weight: 2,
      write: fc.record({
        method: fc.constant('PUT' as const),
        url: maps`${map}/uploads/${file}?offset=0`,
        bytes: fc.constant(pdf),
      }),
    },
    'change a file': {
      records: ['file.changed'],
      write: patch(maps`${map}/files/${file}`, body({}, { caption: name, index: fc.nat(3) }, ['caption'])),
    },
    'publish a file': {
      records: ['file.published'],
      write: patch(maps`${map}/files/${file}`, body({ isPublic: true })),
    },
    'hide a file': {
      records: ['file.hidden'],
      write: patch(maps`${map}/files/${file}`, body({ isPublic: false })),
    },
    'remove a file': { records: ['file.removed'], write: remove(maps`${map}/files/${file}`) },
    'put a file back': { records: ['file.put-back'], write: post(maps`${map}/files/${file}/put-back`) },
    'remove an asset': { records: ['feature.removed'], write: remove(maps`${map}/features/${asset}`) },
    'put an asset back': {
      records: ['feature.put-back'],
      write: post(maps`${map}/removed-features/${asset}/put-back`),
    },
    'change several features': {
      records: ['features.changed'],
      write: post(
        maps`${map}/features/changes`,
        fc
          .record({
            id: fc.uuid(),
            ids: fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 3 }),
            geometry: placed,
            name,
          })
          .map(({ id, ids, ...fields }) => ({
            id,
            items: ids.map((id) => ({ action: 'add', feature: { kind: 'asset', id, ...fields } })),
          })),
      ),
    },
    'change everything under a filter': {
      records: ['features.bulk-changed'],
      write: post(
        maps`${map}/bulk-changes`,
        body({ kind: 'change' }, { id: change, patch: body({}, { description: name }), filter: someFilter }),
      ),
    },
    'stop such a change': { records: [], write: post(maps`${map}/bulk-changes/${change}/cancel`) },
    'preview such a change': {
      records: [],
      write: post(maps`${map}/bulk-changes/preview`, body({ kind: 'remove' }, { filter: someFilter })),
    },
    'preview a notice': {
      records: [],
      write: post(maps`${map}/notices/preview`, body({ meters: 50 }, { filter: someFilter })),
    },
    // Later ones are repeated requests: a map can send few notices.
    'send a notice': {
      records: [],
      write: post(
        maps`${map}/notices`,
        body({ id: 'notice', filter: {}, subject: 'Water', message: 'Off on Monday' }),
      ),
    },
    'look for features within an area': {
      records: [],
      write: post(
        maps`${map}/features-within`,
        body({}, { ring: fc.array(lngLat, { minLength: 3, maxLength: 20 }), filter: someFilter }),
      ),
    },
    'say what was read': {
      records: [],
      write: put(maps`${map}/activity/read`, body({}, { at: instant })),
    },
    'add a client': {
      records: ['client.added'],
      write: post(clients``, body({}, { name, location: name })),
    },
    'change a client': {
      records: ['client.changed'],
      write: patch(clients`/${map}`, body({}, { name, location: name }, [])),
    },
    'restore a client': {
      records: ['client.restored'],
      write: post(clients`/${archivable}/restore`),
    },
    'archive a client': {
      records: ['client.archived'],
      write: post(clients`/${archivable}/archive`),
    },
  }) satisfies Record<string, Sort>

const sorts: [string, Sort][] = Object.entries(sortsOn(anything))

export const goodWrite: fc.Arbitrary<Write> = fc.oneof(
  ...sorts.map(([, { write, weight = 1 }]) => ({ arbitrary: write, weight })),
)

export const goodWriteNames = sorts.map(([name]) => name)

export const recordedByWrites = sorts.flatMap(([, { records }]) => records)

/**
 * One change of each sort on new targets. Some do nothing or conflict with a running job; within a few rounds each
 * has succeeded.
 */
export function roundOfWrites(): [name: string, request: FuzzRequest][] {
  return Object.entries<Sort>(sortsOn(newTargets())).map(([name, { write }]) => {
    const [{ method, url, body, bytes }] = fc.sample(write, 1) as [Write]
    const type = bytes === undefined ? 'application/json' : 'application/octet-stream'
    const payload = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
    const headers = {
      'if-match': '*',
      'report-key': fuzzReportKey,
      ...(payload === undefined ? {} : { 'content-type': type }),
    }
    return [name, { method, url, isSignedIn: true, headers, ...(payload === undefined ? {} : { payload }) }]
  })
}
