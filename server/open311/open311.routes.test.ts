import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import type { Report } from '#domain/reports/report.schema.ts'
import { defaultReportSettings, type ReportSettings } from '#domain/reports/report-settings.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anIncident,
  aParcel,
  point,
  storeChange,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { aPdf, aPhoto } from '#test/imports/file-bytes.ts'
import { times } from '#test/random/how-much.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'
import { storeReportSettings } from '../reports/report-settings.queries.ts'
import { insertNote } from '../work/notes.queries.ts'
import type { ServiceRequest } from './open311.schema.ts'

const mapId = 'oak-hills'
const base = `/api/maps/${mapId}/open311/v2`
const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const xmlType = 'text/xml; charset=utf-8'
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const jsonType = 'application/json; charset=utf-8'

onEachEngine('Open311', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  let apiKey: string
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId, { name: 'Oak Hills' })
    await storeClient(database, 'elm-park')
    await storeChange(database, mapId, [
      aParcel({ id: 'lot-12', name: 'Lot 12', mapId }),
      anIncident({
        ...{
          id: 'tree.1',
          mapId,
          title: 'Oak & <ash>',
          description: 'Across\r\nthe road',
          type: 'fallen_tree',
        },
        ...{ date: daysAgo(3), parcelId: 'lot-12', reportedBy: 'Ann Zabriskie', due: '2030-01-02' },
        ...{ assignee: 'Pat Quackenbush', workState: 'in_progress', geometry: point(-111.09, 34.05) },
      }),
      anIncident({
        ...{ id: 'flood', mapId, type: 'flood', date: daysAgo(5), resolved: true, resolvedDate: daysAgo(1) },
      }),
      anIncident({ id: 'untyped', mapId, type: null, date: daysAgo(6) }),
      anIncident({ id: 'undated', mapId, type: 'other', date: null }),
      anIncident({ id: 'old', mapId, type: 'fire', date: daysAgo(200) }),
    ])
    app = await startTestApp(database)
    rosa = await signIn(database, [`editor:${mapId}`])
    apiKey = (await makeToken(database, { scopes: ['write'] })).secret
    return () => app.close()
  })

  const read = (path: string) => app.get(`${base}/${path}`)
  const list = async (query = ''): Promise<ServiceRequest[]> => {
    const response = await read(`requests.json${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const idsOf = async (query?: string) => (await list(query)).map((one) => one.service_request_id)
  const post = (fields: Record<string, string>, { format = 'json', headers = {} } = {}) =>
    app.post(`${base}/requests.${format}`, `${new URLSearchParams(fields)}`, { ...formType, ...headers })
  const aRequest = () => ({ api_key: apiKey, service_code: 'flood', lat: '34.05', long: '-111.09' })
  const add = async (fields: Record<string, string> = {}): Promise<string> => {
    const response = await post({ ...aRequest(), ...fields })
    expect(response.statusCode, response.body).toBe(200)
    return response.json()[0].service_request_id
  }
  const reports = async (state = 'new'): Promise<Report[]> =>
    (await app.get(`/api/maps/${mapId}/reports?state=${state}`, rosa)).json().items
  const decide = async (id: string, payload: object, version = 1) => {
    const url = `/api/maps/${mapId}/reports/${id}/decision`
    const response = await app.put(url, payload, { ...rosa, 'if-match': `"${version}"` })
    expect(response.statusCode, response.body).toBe(200)
  }
  const expectErrors = (response: Awaited<ReturnType<typeof read>>, status: number, text: RegExp) => {
    expect(response.statusCode, response.body).toBe(status)
    expect(response.headers['content-type']).toBe(jsonType)
    expect(response.json()).toEqual([{ code: status, description: expect.stringMatching(text) }])
  }

  it('describes the server in both formats', async () => {
    const response = await read('discovery.json')
    expect(response.headers['content-type']).toBe(jsonType)
    expect(response.json()).toMatchObject({
      contact: expect.stringContaining('Oak Hills'),
      endpoints: [
        {
          specification: 'http://wiki.open311.org/GeoReport_v2',
          url: `http://localhost:80${base}`,
          type: 'production',
          formats: ['text/xml', 'application/json'],
        },
      ],
    })
    const xml = await read('discovery.xml')
    expect(xml.headers['content-type']).toBe(xmlType)
    expect(xml.headers['access-control-allow-origin']).toBe('*')
    expect(xml.body).toMatch(
      /^<\?xml version="1.0" encoding="utf-8"\?>\n<discovery>.*<endpoints><endpoint>.*<formats><format>text\/xml<\/format>/,
    )
  })

  it('lists the services, and their definitions', async () => {
    const services = (await read('services.json')).json()
    expect(services).toHaveLength(4)
    expect(services[0]).toMatchObject({
      service_code: 'fire',
      metadata: false,
      type: 'realtime',
      group: null,
    })
    expect((await read('services.xml')).body).toMatch(
      /<services><service><service_code>fire<.*<metadata>false<\/metadata><type>realtime<\/type><keywords\/>/,
    )
    expect((await read('services/fire.json')).json()).toEqual({ service_code: 'fire', attributes: [] })
    expect((await read('services/fire.xml')).body).toContain(
      '<service_definition><service_code>fire</service_code><attributes/></service_definition>',
    )
    expectErrors(await read('services/pothole.json'), 404, /service_code.*pothole/)
  })

  it('lists the types that the form offers, by the labels and with the notices of the association', async () => {
    const { types, ...others } = defaultReportSettings
    const settings: ReportSettings = {
      ...others,
      types: {
        ...types,
        flood: { ...types.flood, label: 'Blocked ditch', notice: 'Call the county about rivers.' },
        fallen_tree: { ...types.fallen_tree, isOffered: false },
      },
    }
    await database.write((transaction) =>
      storeReportSettings(transaction, {
        map_id: mapId,
        version: 1,
        settings: JSON.stringify(settings),
        changed_at: Date.now(),
        changed_by: 'Maya Ortiz',
      }),
    )
    const services: { service_code: string }[] = (await read('services.json')).json()
    expect(services.map(({ service_code }) => service_code)).toEqual(['fire', 'flood', 'other'])
    expect(services[1]).toMatchObject({
      service_name: 'Blocked ditch',
      description: expect.stringContaining('Call the county about rivers.'),
    })
    expect((await read('services/fallen_tree.json')).statusCode).toBe(200)
  })

  it('gets a request with everything that visitors see of its incident, and nothing else', async () => {
    const notes: [text: string, isPublic: 0 | 1][] = [
      ['Crew ordered', 1],
      ['Crew comes on Monday', 1],
      ['Crew costs $900', 0],
    ]
    await database.write(async (transaction) => {
      for (const [at, [text, is_public]] of notes.entries())
        await insertNote(transaction, {
          ...{ map_id: mapId, incident_id: 'tree.1', id: `n${at}`, at, text, is_public, is_waiting: 0 },
          ...{ source: 'staff', author: 'Rosa', report_id: null, original_text: null, state: null },
        })
    })
    const [request] = (await read('requests/tree.1.json')).json()
    expect(request).toEqual({
      service_request_id: 'tree.1',
      status: 'open',
      status_notes: 'In progress\nCrew comes on Monday',
      service_name: 'Fallen tree',
      service_code: 'fallen_tree',
      description: 'Oak & <ash>\nAcross\r\nthe road',
      agency_responsible: 'Oak Hills',
      service_notice: null,
      requested_datetime: expect.stringMatching(/Z$/),
      updated_datetime: expect.stringMatching(/Z$/),
      expected_datetime: null,
      address: 'Lot 12',
      address_id: 'lot-12',
      zipcode: null,
      lat: 34.05,
      long: -111.09,
      media_url: null,
    })
    const xml = await read('requests/tree.1.xml')
    expect(xml.headers['content-type']).toBe(xmlType)
    expect(xml.body).toContain('<service_requests><request><service_request_id>tree.1</service_request_id>')
    expect(xml.body).toContain('<description>Oak &amp; &lt;ash&gt;\nAcross&#13;\nthe road</description>')
    expect(xml.body).toContain('<expected_datetime/>')
    expect(xml.body).not.toMatch(/Zabriskie|Quackenbush|2030|\$900/)
    // A token of staff sees the same.
    const { bearer } = await makeToken(database)
    expect((await app.get(`${base}/requests/tree.1.json`, bearer)).json()).toEqual([request])
  })

  it('lists the last 90 days, newest first', async () => {
    expect(await idsOf()).toEqual(['undated', 'tree.1', 'flood', 'untyped'])
  })

  it.each([
    ['?service_code=flood', ['flood']],
    ['?service_code=flood, fallen_tree', ['tree.1', 'flood']],
    ['?service_code=other', ['undated', 'untyped']],
    ['?service_code=&status=&start_date=&end_date=', ['undated', 'tree.1', 'flood', 'untyped']],
    ['?service_code=,', ['undated', 'tree.1', 'flood', 'untyped']],
    ['?status=closed', ['flood']],
    ['?status=open,closed', ['undated', 'tree.1', 'flood', 'untyped']],
    ['?status=open', ['undated', 'tree.1', 'untyped']],
    [`?start_date=${daysAgo(4)}`, ['undated', 'tree.1']],
    [`?end_date=${daysAgo(4)}`, ['flood', 'untyped']],
    [`?start_date=${daysAgo(5.5).replace('Z', '%2B00:00')}&end_date=${daysAgo(4)}`, ['flood']],
    [`?start_date=${daysAgo(5.5).replace('Z', '+00:00')}&end_date=${daysAgo(4)}`, ['flood']],
    [`?start_date=${daysAgo(210)}`, ['old']],
    ['?service_request_id=old,missing,flood,%00&status=nonsense&start_date=never', ['flood', 'old']],
    ['?page=2&extensions=true&jurisdiction_id=oak-hills&status=closed', ['flood']],
  ])('filters by %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })

  it.each([
    ['requests.json?status=done', 400, /status.*open, closed/],
    ['requests.json?service_code=pothole', 404, /service_code.*pothole/],
    ['requests.json?start_date=2026-05-24', 400, /start_date.*time zone/],
    ['requests.json?end_date=2026-02-31T25:00:00Z', 400, /end_date/],
    ['requests.json?start_date=2026-01-01T00:00:00Z&end_date=2026-05-01T00:00:00Z', 400, /90 days/],
    ['requests.json?start_date=2026-05-02T00:00:00Z&end_date=2026-05-01T00:00:00Z', 400, /after end_date/],
    ['requests.json?status=open&status=closed', 400, /status/],
    [`requests.json?service_request_id=${Array.from({ length: 1_001 }, (_, id) => id)}`, 400, /1000 ids/],
    ['requests.csv', 400, /format/],
    ['requests/missing.json', 404, /missing/],
    ['requests/lot-12.json', 404, /lot-12/],
    ['discovery.json?jurisdiction_id=elm-park', 404, /jurisdiction_id/],
    ['services.json?jurisdiction_id=elm-park', 404, /jurisdiction_id/],
    ['requests.json?jurisdiction_id=elm-park', 404, /jurisdiction_id/],
  ])('rejects %s', async (path, status, text) => {
    expectErrors(await read(path), status, text)
  })

  it('lists at most 1,000 requests', async () => {
    const many = Array.from({ length: 1_001 }, (_, at) =>
      anIncident({ id: `i${at}`, mapId, date: daysAgo(7) }),
    )
    await storeFeatures(database, many)
    expect(await list()).toHaveLength(1_000)
  })

  it('writes errors as XML, also those of an unknown map', async () => {
    const response = await app.get('/api/maps/nowhere/open311/v2/requests.xml')
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe(xmlType)
    expect(response.body).toMatch(
      /<errors><error><code>404<\/code><description>.*nowhere.*<\/description><\/error><\/errors>\n$/,
    )
    const malformed = await app.post(`${base}/requests.xml`, '{', { 'content-type': 'application/json' })
    expect(malformed.statusCode).toBe(400)
    expect(malformed.body).toContain('<errors><error><code>400</code>')
  })

  it('is not available for archived associations', async () => {
    await storeClient(database, 'closed', { archived: true })
    const response = await app.get('/api/maps/closed/open311/v2/requests.json')
    expectErrors(response, 404, /closed/)
  })

  it('adds a report that waits for review, with its private parts for staff', async () => {
    const photo = 'https://photos.example.org/1.jpg'
    const id = await add({
      ...{ description: 'Deep <water>', email: 'neighbor@example.org', media_url: photo },
      ...{ address_string: '12 Oak Road', first_name: 'Ann', last_name: 'Zabriskie', phone: '555 0199' },
    })
    expect(await reports()).toMatchObject([
      { id, type: 'flood', description: 'Deep <water>', email: 'neighbor@example.org', number: 1 },
    ])
    const notes = await app.get(`/api/maps/${mapId}/incidents/${id}/notes`, rosa)
    expect(notes.json().items).toMatchObject([
      { text: `Address: 12 Oak Road\nMedia: ${photo}`, isPublic: false, isWaiting: true },
    ])
    expectErrors(await read(`requests/${id}.json`), 404, /once staff accept/)
    expect(await idsOf(`?service_request_id=${id}`)).toEqual([])

    await decide(id, { state: 'accepted' })
    const accepted = await read(`requests/${id}.json`)
    expect(accepted.json()).toMatchObject([{ service_request_id: id, status: 'open', service_code: 'flood' }])
    expect(accepted.body).not.toMatch(/neighbor@|photos\.example|12 Oak Road|Ann|555/)
    const rows = await database.read.selectFrom('reports').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/Zabriskie|555 0199/)

    await decide(id, { state: 'hidden' }, 2)
    expectErrors(await read(`requests/${id}.json`), 404, /was not found/)
    expect(await idsOf()).not.toContain(id)
    await decide(id, { state: 'rejected' }, 3)
    expectErrors(await read(`requests/${id}.json`), 404, /was not found/)
  })

  it('closes duplicates with the id of the other request, and hides their text', async () => {
    const id = await add({ description: 'Secret gate code', lat: '34.06' })
    await decide(id, { state: 'duplicate', duplicateOf: 'tree.1' })
    const response = await read(`requests/${id}.json`)
    expect(response.json()).toMatchObject([
      { status: 'closed', status_notes: 'Duplicate of tree.1', service_code: 'fallen_tree', lat: 34.05 },
    ])
    expect(response.body).not.toContain('Secret')
    expect(await idsOf('?status=closed')).toEqual([id, 'flood'])
    expect(await idsOf('?service_code=flood')).toEqual(['flood'])
    expect(await idsOf('?status=open')).not.toContain(id)
    // Without the incident it would name something that visitors cannot see.
    const headers = { ...rosa, 'if-match': '"1"' }
    await app.send({ method: 'DELETE', url: `/api/maps/${mapId}/features/tree.1`, headers })
    expectErrors(await read(`requests/${id}.json`), 404, /was not found/)
  })

  it('forgets erased incidents', async () => {
    const headers = { ...rosa, 'if-match': '"1"' }
    await app.send({ method: 'DELETE', url: `/api/maps/${mapId}/features/flood`, headers })
    expect(await idsOf()).not.toContain('flood')
  })

  it('takes the closing date of closed requests', async () => {
    const [flood] = await list('?status=closed')
    expect(Date.parse(flood?.updated_datetime ?? '')).toBeLessThan(Date.now() - dayMs / 2)
  })

  it('finds the place of a parcel', async () => {
    const { lat, long, ...fields } = aRequest()
    const response = await post({ ...fields, address_id: 'lot-12', lat: '', long: '' }, { format: 'xml' })
    expect(response.body).toMatch(
      /<service_requests><request><service_request_id>[\w-]+<\/service_request_id><service_notice\/><account_id\/>/,
    )
    const [report] = await reports()
    const lot = (await app.get(`/api/maps/${mapId}/features/lot-12`)).json()
    expect(report?.place).toEqual(lot.location)
  })

  it.each([
    [{ service_code: '' }, 400, /service_code: is required/],
    [{ service_code: 'pothole' }, 404, /service_code/],
    [{ long: '' }, 400, /long: is required/],
    [{ lat: '', long: '' }, 400, /lat: and long are required, or address_id/],
    [{ lat: '', long: '', address_string: '12 Oak Road' }, 400, /address_string: cannot be located/],
    [{ lat: '', long: '', address_id: 'tree.1' }, 400, /address_id: must be the id of a parcel/],
    [{ lat: '', long: '', address_id: '\0' }, 400, /address_id/],
    [{ lat: '91' }, 400, /lat/],
    [{ lat: 'north' }, 400, /lat/],
    [{ lat: 'Infinity' }, 400, /lat/],
    [{ description: 'x'.repeat(1_001) }, 400, /description/],
    [{ description: 'a\0b' }, 400, /description/],
    [{ email: 'nobody' }, 400, /email/],
    [{ media_url: 'javascript:alert(1)' }, 400, /media_url/],
    [{ jurisdiction_id: 'elm-park' }, 404, /jurisdiction_id/],
    [{ api_key: '' }, 403, /api_key: is required/],
    [{ api_key: 'wrong' }, 403, /access token is invalid/],
  ])('rejects a report with %o', async (fields, status, text) => {
    expectErrors(await post({ ...aRequest(), ...fields }), status, text)
    expect(await reports()).toEqual([])
  })

  it('checks the jurisdiction in the query of a report, too', async () => {
    const url = `${base}/requests.json?jurisdiction_id=elm-park`
    expectErrors(await app.post(url, aRequest()), 404, /jurisdiction_id/)
  })

  it('requires a token for this map that may write', async () => {
    const { secret } = await makeToken(database, { scopes: ['read'] })
    expectErrors(await post({ ...aRequest(), api_key: secret }), 403, /lacks the scope 'write'/)
    const other = await makeToken(database, { mapIds: ['elm-park'] })
    expectErrors(await post({ ...aRequest(), api_key: other.secret }), 403, /not valid for the map oak-hills/)
    // A session is no key: a form of another site could use it.
    const { api_key, ...fields } = aRequest()
    expectErrors(await post(fields, { headers: rosa }), 403, /api_key/)
    expect(await reports()).toEqual([])
    const headers = { authorization: `Bearer ${api_key}` }
    expect((await post(fields, { headers })).statusCode).toBe(200)
  })

  it('refuses other bodies', async () => {
    const send = (type: string, payload: string) =>
      app.post(`${base}/requests.json`, payload, { 'content-type': type })
    expectErrors(await send('multipart/form-data; boundary=x', '--x'), 400, /form is malformed/)
    expectErrors(await send('text/plain', 'x'), 415, /\S/)
    expectErrors(await send('application/x-www-form-urlencoded', 'x'.repeat(70_000)), 413, /\S/)
    expectErrors(await send('application/json', '[]'), 400, /\S/)
    expectErrors(await post({ ...aRequest(), media: 'x' }), 400, /media: must be a file/)
  })

  type SentFile = readonly [field: string, name: string, bytes: Uint8Array]
  const postForm = async (files: readonly SentFile[], fields: object = {}, to = app) => {
    const form = new FormData()
    for (const [field, name, bytes] of files) form.append(field, new File([new Uint8Array(bytes)], name))
    for (const [name, value] of Object.entries({ ...aRequest(), ...fields })) form.append(name, value)
    const sent = new Response(form)
    const headers = { 'content-type': `${sent.headers.get('content-type')}` }
    const payload = Buffer.from(await sent.arrayBuffer())
    return to.post(`${base}/requests.json`, payload, headers)
  }
  const expectNothing = async () => {
    expect(await reports()).toEqual([])
    expect(await database.read.selectFrom('blobs').selectAll().execute()).toEqual([])
    for await (const { key } of app.store.list()) expect(key).not.toContain(mapId)
  }

  it('adds the photos of a form, which are public after the review, without metadata', async () => {
    const response = await postForm([
      ['media', 'ditch.jpg', await aPhoto()],
      ['media[]', 'ditch.png', await aPhoto({ format: 'png' })],
      ['photo', 'ditch.webp', await aPhoto({ format: 'webp' })],
      // An empty input of a web page, and a field that is ignored.
      ['media', '', Buffer.of()],
      ['deed', 'deed.pdf', aPdf()],
    ])
    expect(response.statusCode, response.body).toBe(200)
    const id: string = response.json()[0].service_request_id
    const photos = (await reports())[0]?.photos
    expect(photos).toMatchObject(Array(3).fill({ name: 'Photo', isPublic: false, addedBy: 'A resident' }))
    const first = `/api/maps/${mapId}/files/${photos?.[0]?.id}/large`
    expect((await app.get(first)).statusCode).toBe(404)

    await decide(id, { state: 'accepted', publishesPhotos: true })
    expect((await list(`?service_request_id=${id}`))[0]?.media_url).toBe(`http://localhost:80${first}`)
    expect((await app.get(first)).rawPayload.toString('latin1')).toMatch(/^\u00ff\u00d8(?!.*(Brownie|Exif))/s)
  })

  const aFile = (field: string, name: string, bytes: Uint8Array): SentFile[] => [[field, name, bytes]]
  const largeFile = aFile('media', 'a.jpg', Buffer.alloc(26_214_401))
  const half = Buffer.of(0xff, 0xd8, 0xff)
  it.each([
    ['a text', aFile('media', 'a.txt', Buffer.from('Hello')), {}, 400, /media: ‘a.txt’ is of an unknown/],
    [
      'a PDF',
      aFile('photo', 'deed.pdf', aPdf()),
      {},
      400,
      /photo: ‘deed.pdf’ is a PDF. Upload a photo \(JPEG, PNG, or WebP\)/,
    ],
    ['half a photo', aFile('media[]', 'half.jpg', half), {}, 400, /media\[\]: ‘half.jpg’ /],
    ['a large file', largeFile, {}, 400, /‘a.jpg’ is larger than 25 MB/],
    ['4 photos', Array(3).fill(['media', 'a.jpg', half]), {}, 400, /media: a report can have at most 3/],
    ['a long text', [], { description: 'x'.repeat(70_000) }, 400, /description: is too long/],
    ['an unknown code', [], { service_code: 'pothole' }, 404, /service_code/],
    ['a wrong key', [], { api_key: 'wrong' }, 403, /access token is invalid/],
  ])('refuses all of a form with %s', async (_, files: SentFile[], fields: object, status, text) => {
    expectErrors(await postForm([['media', 'good.jpg', await aPhoto()], ...files], fields), status, text)
    await expectNothing()
  })

  it('refuses all of a form whose photos exceed the quota of the map', async () => {
    await using small = await startTestApp(database, { settings: { FILE_QUOTA_MB: '1' } })
    const photo = await aPhoto({ width: 2_000, height: 2_000, noise: true })
    expectErrors(await postForm([['media', 'noise.jpg', photo]], {}, small), 400, /limit is 1 MB/)
    await expectNothing()
  })

  const announce = (to: TestApp, bytes: number, ip: string) => {
    const payload = new PassThrough()
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(bytes),
      'x-forwarded-for': ip,
    }
    return { payload, answer: to.post(`${base}/requests.json`, payload, headers) }
  }

  it('limits the forms that are in memory at once, and to one of each network', async () => {
    await using proxied = await startTestApp(database, { settings: { TRUSTED_PROXIES: '1' } })
    const largest = 3 * 26_214_400
    const waiting = [1, 2].map((number) => announce(proxied, largest, `192.0.2.${number}`))
    await new Promise(setImmediate)
    const send = (ip: string) => {
      const { payload, answer } = announce(proxied, 7, ip)
      payload.end('--x--\r\n')
      return answer
    }
    expectErrors(await send('192.0.2.1'), 429, /one at a time/)
    expectErrors(await send('192.0.2.3'), 403, /api_key/)
    const { payload, answer } = announce(proxied, largest, '192.0.2.4')
    payload.end()
    expectErrors(await answer, 503, /busy/)
    for (const one of waiting) one.payload.end()
    for (const one of waiting) expectErrors(await one.answer, 400, /./)
    expectErrors(await send('192.0.2.1'), 403, /api_key/)
  })

  it('refuses a form of unannounced length', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' }
    const payload = new PassThrough()
    expectErrors(await app.post(`${base}/requests.json`, payload, headers), 411, /Content-Length/)
  })

  it('takes the key from the query, and refuses a wrong one before the body is read', async () => {
    const send = (query: string, payload?: PassThrough) => {
      const form = new URLSearchParams({ service_code: 'flood', lat: '34.05', long: '-111.09' })
      return app.post(`${base}/requests.json?${query}`, payload ?? `${form}`, formType)
    }
    expect((await send(`api_key=${apiKey}`)).statusCode).toBe(200)
    expectErrors(await send('api_key=wrong', new PassThrough()), 403, /access token is invalid/)
    expectErrors(await send('api_key=', new PassThrough()), 403, /api_key: is required/)
  })

  it('answers random input without a server error', async () => {
    const dates = ['start_date', 'end_date']
    const names = ['service_request_id', 'service_code', ...dates, 'status', 'jurisdiction_id']
    const fields = [...names, 'api_key', 'lat', 'long', 'address_id', 'address_string', 'media_url', 'email']
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', ',', 'open', 'flood', '-91', '1e999', '__proto__'),
      fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '+275760-09-13T00:00:00Z'),
      fc.constantFrom(mapId, 'tree.1', 'lot-12', randomUUID()),
    )
    const pairs = (of: readonly string[]) =>
      fc.array(fc.tuple(fc.constantFrom(...of, '__proto__', 'attribute[a][]'), value), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('json', 'xml', 'csv'),
        pairs(names),
        pairs(fields),
        fc.boolean(),
        async (format, query, body, isAllowed) => {
          const search = new URLSearchParams(query.map(([name, text]) => [name, text.toWellFormed()]))
          const form = Object.fromEntries(body.map(([name, text]) => [name, text.toWellFormed()]))
          const responses = [
            await read(`requests.${format}?${search}`),
            await post({ ...(isAllowed ? aRequest() : {}), ...form }, { format }),
          ]
          for (const { statusCode, body: text, headers } of responses) {
            expect(statusCode, text).toBeLessThan(500)
            expect(headers['content-type']).toBe(format === 'xml' ? xmlType : jsonType)
          }
        },
      ),
      { numRuns: times(60) },
    )
  })
})
