import type { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { allColumnFields, columnFields } from '#domain/features/column-fields.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { featureSorts } from '#domain/features/feature-sort.ts'
import { fileVersions } from '#domain/files/file.schema.ts'
import { type BlobStore, blobKey } from '#server/blob-stores/blob-store.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anCustomField,
  anIncident,
  aParcel,
  point,
  storeChange,
  storeClient,
  storeConfiguration,
  storeFeatures,
  storeFields,
} from '#test/databases/feature-builders.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'
import { insertFile } from '../../files/files.queries.ts'
import { insertSubscription } from '../../subscriptions/subscriptions.queries.ts'
import { insertNote } from '../../work/notes.queries.ts'
import { insertWorkLink } from '../../work/work-links.queries.ts'
import { updateNextWords } from '../custom-fields/custom-fields.commands.ts'

// Hidden values leave no trace: two maps that differ only in hidden values give visitors identical responses to every
// request, search and sort.

type Person = { name: string; tax: number; paid: string; phone: string; note: string }
const ann: Person = { name: 'Ann Zabriskie', tax: 11.5, paid: '2020-01-31', phone: '555 0199', note: 'key' }
const bob: Person = { name: 'Bob Quackenbush', tax: 987_654, paid: '2026-06-02', phone: '1', note: 'alarm' }

const wordsOf = (person: Person) =>
  Object.values(person).flatMap((value) => String(value).toLowerCase().split(/[ .]/))
const words = [...new Set([...wordsOf(ann), ...wordsOf(bob)])]
const searches = [...words, 'owner', 'phone', 'published', 'told', 'lot', 'lot zabriskie']

function featuresOf({ name, tax, paid, phone, note }: Person, ownPerson: Person) {
  const metadata = [
    { name: 'Published', value: 'told to all' },
    { name: 'OwnerName', value: name },
    { name: 'Owner Phone', value: phone },
    { name: note, value: null },
  ]
  const ofOwner = { metadata, owner: name, taxInfo: { annualAmount: tax, lastPaid: paid } }
  const nobody = { metadata: [], owner: 'Middlebrook', taxInfo: null }
  return [
    aParcel({ id: 'lot-1', name: 'Lot', ...ofOwner }),
    aParcel({ id: 'lot-2', name: 'Lot', ...nobody }),
    anIncident({ id: 'fire-1', reportedBy: name, metadata, parcelId: 'lot-1' }),
    anIncident({ id: 'fire-2', reportedBy: 'Middlebrook', parcelId: 'lot-2' }),
    anAsset({
      id: 'tank',
      metadata,
      parcelId: 'lot-1',
      geometry: point(-111.08, 34.06),
      maintenancePlan: { task: ownPerson.name, everyMonths: 12, month: null, firstDue: paid },
      own: { contact: ownPerson.name, color: 'red' },
    }),
    aGeneralFeature({ id: 'spring', metadata }),
  ]
}

const mapPath = '/api/maps/oak-hills'
const eachFeature = ['lot-1', 'lot-2', 'fire-1', 'fire-2', 'tank', 'spring']
const textQueries = searches.map((text) => `?text=${encodeURIComponent(text)}`)
const sortQueries = featureSorts.map((sort) => `?sort=${sort}`)

const ofOgc = '/ogc/oak-hills'
const cql2Filters: Record<string, string[]> = {
  parcels: [
    "owner = 'Ann Zabriskie'",
    "CASEI(owner) LIKE CASEI('%zabriskie%')",
    'taxInfo.annualAmount > 100',
    "taxInfo.lastPaid < DATE('2024-01-01')",
    "name = 'Lot'",
  ],
  incidents: ["reportedBy = 'Ann Zabriskie'"],
  'assets.points': [
    "nextDue < DATE('2024-01-01')",
    "maintenancePlan.task = 'Ann Zabriskie'",
    "own.contact = 'Ann Zabriskie'",
  ],
  'items.points': ["metadata = 'key'"],
}
const filtered = (id: string) =>
  (cql2Filters[id] ?? []).map((filter) => `items?filter=${encodeURIComponent(filter)}`)
const ofEachCollection = (pathsOf: (id: string) => string[]) =>
  Object.keys(cql2Filters).flatMap((id) => pathsOf(id).map((path) => `${ofOgc}/collections/${id}${path}`))

const [shownFile, hiddenFile] = [
  '6b1d0000-0000-4000-8000-000000000001',
  '6b1d0000-0000-4000-8000-000000000002',
]

/** A public photo and a private document. Their author, sender and location are hidden in both. */
async function storeFiles(database: TestDatabase, store: BlobStore, { name, tax, note }: Person) {
  const photo = {
    kind: 'photo' as const,
    media_type: 'image/jpeg',
    large: 'b'.repeat(64),
    small: 'c'.repeat(64),
  }
  const file = { added_by: name, lat: tax / 1e5, lng: 1, taken_at: note, name: `${name}.jpg` }
  const common = {
    map_id: 'oak-hills',
    feature_id: 'lot-1',
    maintenance_id: null,
    added_by_id: name,
    version: 1,
  }
  const none = {
    list_order: 0,
    removed_at: null,
    removed_by: null,
    redacts: null,
    width: 2,
    height: 2,
    size: 5,
    added_at: 1,
  }
  const hash = name.startsWith('Ann') ? 'd' : 'e'
  const deed = {
    kind: 'pdf' as const,
    media_type: 'application/pdf',
    large: null,
    small: null,
    caption: name,
  }
  await database.write(async (transaction) => {
    const row = { ...common, ...none, ...file }
    await insertFile(transaction, {
      ...row,
      ...photo,
      id: shownFile,
      is_public: 1,
      original: hash.repeat(64),
      caption: 'Gate',
    })
    await insertFile(transaction, {
      ...row,
      ...deed,
      id: hiddenFile,
      is_public: 0,
      original: hash.repeat(64),
    })
  })
  for (const [sha256, text] of [
    [photo.large, 'large'],
    [photo.small, 'small'],
    [hash.repeat(64), name],
  ] as const)
    await store.put(blobKey('oak-hills', sha256), Buffer.from(text))
}

async function storeCustomFields(database: TestDatabase, { name }: Person) {
  const contact = anCustomField('contact', { label: `Contact ${name}`, visibleTo: 'staff' })
  const asset = [anCustomField('color'), contact]
  await storeFields(
    database,
    'oak-hills',
    { asset },
    { removed: { parcel: asset }, by: name, wordsAfter: '' },
  )
  await updateNextWords(database, 'oak-hills')
}

const waitingReport = 'ab'.repeat(16)

/** Everything in a report is hidden until it is accepted. */
async function storeReport(app: TestApp, { name }: Person) {
  const payload = {
    id: waitingReport,
    key: 'ab'.repeat(16),
    type: 'flood',
    place: { lat: 34, lng: -111 },
    description: name,
    email: `${name.replaceAll(/\W/g, '')}@example.org`,
  }
  const { statusCode } = await app.send({ method: 'POST', url: `${mapPath}/reports`, payload })
  expect(statusCode).toBe(201)
}

/** Notes are for staff until they publish them, and links for those who have the key. */
async function storeWork(database: TestDatabase, { name, note }: Person) {
  const ofIncident = { map_id: 'oak-hills', incident_id: 'fire-1' }
  const common = {
    ...ofIncident,
    at: 1,
    author: name,
    state: null,
    is_waiting: 0,
    report_id: null,
    original_text: note,
  } as const
  const link = { revoked_at: null, done_at: null, mailed_at: null, mail_problem: null, instructions: note }
  await database.write(async (transaction) => {
    const email = `${name.replaceAll(/\W/g, '')}@example.org`
    await insertSubscription(transaction, aSubscriptionRow({ email }))
    const shown = { id: 'shown', source: 'staff', text: 'Repair on Monday', is_public: 1 } as const
    await insertNote(transaction, { ...common, ...shown })
    const hidden = { id: 'hidden', source: 'reporter', text: name, is_public: 0 } as const
    await insertNote(transaction, { ...common, ...hidden })
    await insertWorkLink(transaction, {
      ...{ ...ofIncident, ...link, id: 'contract', name, email: `${note}@example.org`, secret: note },
      ...{ created_by: name, created_at: 1, expires_at: Date.now() + 86_400_000 },
    })
  })
}

const open311 = '/api/maps/:mapId/open311/v2'
const ofOpen311 = (path: string, ...queries: string[]) =>
  ['json', 'xml'].flatMap((format) =>
    (queries.length > 0 ? queries : ['']).map((query) => `${mapPath}/open311/v2/${path}.${format}${query}`),
  )

/** The requests of each public route. Add new public routes here. */
const addresses: Record<string, string[]> = {
  '/api/openapi.json': ['/api/openapi.json'],
  '/api/session': ['/api/session'],
  '/api/settings': ['/api/settings'],
  '/api/clients': ['', ...textQueries].map((query) => `/api/clients${query}`),
  '/api/clients/:mapId': ['/api/clients/oak-hills'],
  '/api/clients/:mapId/thumbnail': ['/api/clients/oak-hills/thumbnail'],
  '/api/maps/:mapId': [mapPath],
  '/api/maps/:mapId/configuration': [`${mapPath}/configuration`],
  '/api/maps/:mapId/fields': [`${mapPath}/fields`],
  '/api/maps/:mapId/counts': [`${mapPath}/counts`],
  '/api/maps/:mapId/filter-counts': ['', ...textQueries].map((query) => `${mapPath}/filter-counts${query}`),
  '/api/maps/:mapId/features': [
    ...['', ...textQueries, ...sortQueries, '?text=zabriskie&sort=name', '?text=quackenbush&sort=-date'],
    ...[...allColumnFields(columnFields(noCustomFields)).keys(), 'own.color', 'own.contact'].map(
      (path) => `?fields=${path}`,
    ),
    ...['owner,taxInfo.annualAmount,taxInfo.lastPaid', 'reportedBy,nextDue,maintenancePlan.task'].map(
      (fields) => `?fields=${fields}&sort=name`,
    ),
    ...['?offset=1&limit=1', '?bbox=-112,34,-111,35', '?bbox=-112,34,-111,35&text=zabriskie', '?at=lot-1'],
  ].map((query) => `${mapPath}/features${query}`),
  '/api/maps/:mapId/features.geojson': ['', ...textQueries].map(
    (query) => `${mapPath}/features.geojson${query}`,
  ),
  '/api/maps/:mapId/export': [
    ...['csv', 'gpx', 'geojsonl'].map((format) => `?format=${format}`),
    ...['', ...textQueries.map((query) => query.replace('?', '&'))].map((query) => `?format=geojson${query}`),
    '?format=geojson&columns=owner,taxInfo.lastPaid,reportedBy,nextDue,metadata,maintenancePlan.task',
    '?format=csv&form=reading',
    '?format=geojson&columns=own.color',
    '?format=geojson&columns=own.contact',
  ].map((query) => `${mapPath}/export${query}`),
  '/api/maps/:mapId/features/:id': eachFeature.map((id) => `${mapPath}/features/${id}`),
  '/api/maps/:mapId/features/:id/position': [
    ...eachFeature.flatMap((id) => sortQueries.map((query) => `${mapPath}/features/${id}/position${query}`)),
    ...['', ...textQueries].map((query) => `${mapPath}/features/lot-1/position${query}`),
  ],
  '/api/maps/:mapId/features/:id/files': [`${mapPath}/features/lot-1/files`],
  '/api/maps/:mapId/files/:id/:version': [shownFile, hiddenFile].flatMap((id) =>
    fileVersions.map((version) => `${mapPath}/files/${id}/${version}`),
  ),
  '/api/maps/:mapId/incidents/:id/notes': ['fire-1', waitingReport].map(
    (id) => `${mapPath}/incidents/${id}/notes`,
  ),
  '/api/maps/:mapId/work-links/:linkId': [`${mapPath}/work-links/contract`],
  '/api/maps/:mapId/work-links/:linkId/photos/:photoId/:version': [
    `${mapPath}/work-links/contract/photos/${shownFile}/small`,
  ],
  '/api/maps/:mapId/report-form': [`${mapPath}/report-form`],
  '/api/maps/:mapId/reports/similar': [`${mapPath}/reports/similar?lat=34&lng=-111`],
  '/api/maps/:mapId/subscriptions/:id': [`${mapPath}/subscriptions/follower`],
  '/api/maps/:mapId/reports/:id/own': [`${mapPath}/reports/${waitingReport}/own`],
  '/api/maps/:mapId/reports/:id/photos/:photoId/:version': [
    `${mapPath}/reports/${waitingReport}/photos/${shownFile}/small`,
  ],
  [`${open311}/discovery.:format`]: ofOpen311('discovery'),
  [`${open311}/services.:format`]: ofOpen311('services'),
  [`${open311}/services/:code.:format`]: ofOpen311('services/fire'),
  [`${open311}/requests.:format`]: ofOpen311(
    'requests',
    '',
    `?service_request_id=${eachFeature},${waitingReport}`,
  ),
  [`${open311}/requests/:id.:format`]: ['fire-1', waitingReport].flatMap((id) => ofOpen311(`requests/${id}`)),
  '/api/calendars/:name': ['/api/calendars/none.ics'],
  '/api/maps/:mapId/tiles.json': [`${mapPath}/tiles.json`],
  '/api/maps/:mapId/tiles/:z/:x/:y.mvt': ['0/0/0', '12/784/1635', '17/25089/52336', '17/25092/52324'].map(
    (tile) => `${mapPath}/tiles/${tile}.mvt`,
  ),
  '/ogc': ['/ogc'],
  '/ogc/:mapId': [ofOgc],
  '/ogc/:mapId/': [`${ofOgc}/`],
  '/ogc/:mapId/api': [`${ofOgc}/api`],
  '/ogc/:mapId/conformance': [`${ofOgc}/conformance`],
  '/ogc/:mapId/collections': [`${ofOgc}/collections`],
  '/ogc/:mapId/collections/:collectionId': ofEachCollection(() => ['']),
  '/ogc/:mapId/collections/:collectionId/schema': ofEachCollection(() => ['/schema']),
  '/ogc/:mapId/collections/:collectionId/queryables': ofEachCollection(() => ['/queryables']),
  '/ogc/:mapId/collections/:collectionId/items': ofEachCollection((id) =>
    ['items', ...filtered(id)].map((path) => `/${path}`),
  ),
  '/ogc/:mapId/collections/:collectionId/items/:featureId': [
    ['parcels', 'lot-1'],
    ['incidents', 'fire-1'],
    ['assets.points', 'tank'],
    ['items.points', 'spring'],
  ].map(([id, feature]) => `${ofOgc}/collections/${id}/items/${feature}`),
  '/api/events': [],
}

onEachEngine('data hidden from the public', (createDatabase, { engine }) => {
  const isOnSqlite = engine === 'sqlite'
  async function start(person: Person, configuration: Record<string, unknown> | null, ownPerson = person) {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, featuresOf(person, ownPerson))
    await storeCustomFields(database, ownPerson)
    if (configuration) await storeConfiguration(database, 'oak-hills', 1, configuration)
    const routes: string[] = []
    const app = await startTestApp(database, {
      onRoute: ({ method, url, config }) => {
        if ([method].flat().includes('GET') && config?.access === 'public') routes.push(url)
      },
    })
    await storeFiles(database, app.store, person)
    await storeReport(app, ownPerson)
    await storeWork(database, ownPerson)
    async function readAll(paths = Object.values(addresses).flat()) {
      const responses = new Map<string, string>()
      for (const address of paths) {
        const { statusCode, headers, rawPayload } = await app.get(address)
        const { etag = '', ...rest } = headers
        // Timestamps and the repeated query do not depend on the map.
        const body = rawPayload.toString('latin1').replace(/"(timeStamp|instance)":"[^"]+"/, '')
        responses.set(address, `${statusCode} ${etag} ${rest['content-type']} ${body}`)
      }
      const events = await app.app.inject({ url: '/api/events?map=oak-hills', payloadAsStream: true })
      let received = ''
      events.stream().on('data', (chunk: Buffer) => {
        received += chunk.toString()
      })
      await app.changes.poll()
      await storeChange(database, 'oak-hills', [
        anAsset({ id: 'late', metadata: [{ name: 'by', value: person.name }] }),
      ])
      const headers = { ...(await signIn(database, ['editor:oak-hills'])), 'if-match': '"1"' }
      const url = `${mapPath}/features/fire-1/status`
      const change = await app.send({ method: 'PUT', url, headers, payload: { status: 'resolved' } })
      expect(change.statusCode).toBe(200)
      await app.changes.poll()
      expect(received).toContain('fire-1')
      responses.set('/api/events', received.replaceAll(/^id: .*$/gm, ''))
      ;(events.stream() as Readable).destroy()
      return responses
    }
    return { app, database, routes, readAll }
  }

  async function expectNoTrace(configuration: Record<string, unknown> | null, paths?: string[]) {
    const [one, other] = [await start(ann, configuration), await start(bob, configuration)]
    const [annResponses, bobResponses] = [await one.readAll(paths), await other.readAll(paths)]
    for (const [address, response] of annResponses) {
      expect(response, address).toBe(bobResponses.get(address))
      expect(response, address).not.toMatch(/zabriskie|middlebrook|555 0199|owner ?phone|ownername/i)
    }
    return [...annResponses.values()].filter((response) => response.includes('told to all')).length
  }

  it('leaves no trace on a map that publishes one column of metadata', async () => {
    expect(await expectNoTrace({ publicMetadata: ['Published', 'gone'] })).toBeGreaterThanOrEqual(4)
  })

  if (isOnSqlite)
    it.each<[string, Record<string, unknown> | null]>([
      ['a map that nobody has configured', null],
      ['a map that hides it', { showPersonalData: false }],
      ['a map whose configuration cannot be read', { showPersonalData: true, startZoom: 'far' }],
    ])('leaves no trace on %s', async (_map, configuration) => {
      const details = eachFeature.map((id) => `${mapPath}/features/${id}`)
      const perRoute = Object.values(addresses).flatMap((paths) => paths.slice(0, 1))
      const searches = ['features', 'features.geojson', 'features/lot-1/position'].map(
        (path) => `${mapPath}/${path}?text=zabriskie`,
      )
      expect(await expectNoTrace(configuration, [...details, ...perRoute, ...searches])).toBe(0)
    })

  if (isOnSqlite)
    it('is checked on every public route', async () => {
      const { routes } = await start(ann, null)
      const own = routes.filter((url) => /^\/(api|ogc)(\/|$)/.test(url) && !url.startsWith('/api/docs'))
      expect(new Set(own)).toEqual(new Set(Object.keys(addresses)))
    })

  if (isOnSqlite)
    it('is compared: two maps that show it differ, except in custom fields for staff', async () => {
      const shown = { showPersonalData: true, publicMetadata: ['OwnerName'] }
      const one = await start(ann, shown)
      const [ownOther, other] = [await start(ann, shown, bob), await start(bob, shown)]
      const annResponses = await one.readAll()
      expect(await ownOther.readAll()).toEqual(annResponses)
      const staff = await signIn(ownOther.database, ['editor:oak-hills'])
      expect((await ownOther.app.get(`${mapPath}/features/tank`, staff)).body).toContain(bob.name)
      const bobResponses = await other.readAll()
      const differing = [...annResponses]
        .filter(([address, responses]) => responses !== bobResponses.get(address))
        .map(([address]) => address)
      const details = ['lot-1', 'fire-1', 'tank', 'spring'].map((id) => `${mapPath}/features/${id}`)
      const lists = [...annResponses, ...bobResponses].flatMap(([address, responses]) =>
        /features(\?|$)/.test(address) && /[[,]\{"id":"lot-1"/.test(responses) ? [address] : [],
      )
      expect(lists).toContain(`${mapPath}/features`)
      expect(lists).toContain(`${mapPath}/features?text=zabriskie`)
      const searched = ['ann', 'zabriskie', 'bob', 'quackenbush', 'lot%20zabriskie'].flatMap((text) => [
        `${mapPath}/features/lot-1/position?text=${text}`,
        `${mapPath}/features.geojson?text=${text}`,
        `${mapPath}/filter-counts?text=${text}`,
      ])
      const collections = [
        ...['parcels/items', 'parcels/items/lot-1', 'incidents/items', 'incidents/items/fire-1'],
        ...filtered('parcels').map((path) => `parcels/${path}`),
        ...filtered('incidents').map((path) => `incidents/${path}`),
      ].map((path) => `${ofOgc}/collections/${path}`)
      const exported = differing.filter((address) => address.startsWith(`${mapPath}/export`))
      for (const format of ['csv', 'gpx', 'geojsonl', 'geojson'])
        expect(exported).toContain(`${mapPath}/export?format=${format}`)
      expect(new Set(differing)).toEqual(
        new Set([...details, ...lists, ...searched, ...collections, ...exported]),
      )
    })

  it('is found by users who may see it: staff of the map, or everyone if the map shows it', async () => {
    const { app, database } = await start(ann, null)
    const staff = await signIn(database, ['editor:oak-hills'])
    const others = await signIn(database, ['manager:elsewhere'])
    const find = async (text: string, headers: Record<string, string> = {}) => {
      const query = `text=${encodeURIComponent(text)}`
      const list = (await app.get(`${mapPath}/features?${query}`, headers)).json()
      const { position } = (await app.get(`${mapPath}/features/lot-1/position?${query}`, headers)).json()
      return { ids: list.items.map(({ id }: { id: string }) => id), total: list.total, position }
    }
    const nothing = { ids: [], total: 0, position: null }
    const both = { ids: ['tank', 'lot-1'], total: 2, position: 1 }
    const lot = { ids: ['lot-1'], total: 1, position: 0 }
    for (const [text, found] of [
      ['zabriskie', both],
      ['ZABR', both],
      ['lot ann', lot],
    ] as const) {
      expect(await find(text, staff), text).toEqual(found)
      expect(await find(text), text).toEqual(nothing)
      expect(await find(text, others), text).toEqual(nothing)
    }
    expect((await find('middlebrook', staff)).ids).toEqual(['lot-2'])
    expect(await find('0199', staff)).toEqual(nothing)
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData: true })
    expect((await find('zabriskie')).ids).toEqual(['lot-1'])
  })
})
