import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportFormats, formatFacts, isConverted, maxInBackground } from '#domain/exports/export-format.ts'
import { type CreateDatabase, onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { aQueueClient } from '#test/databases/endless-query.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeClient,
  storeConfiguration,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { readExportedRows } from './export-rows.queries.ts'

const features = [
  anIncident({ id: 'smoke', title: 'Smoke at the mill', date: '2026-05-20T08:30:00.000Z', parcelId: 'lot' }),
  anAsset({ id: 'tank', name: '=1+1', status: 'offline', geometry: point(-111.08, 34.06) }),
  anAsset({ id: 'gate', name: 'Gate 10', geometry: point(-111.07, 34.06) }),
  anAsset({ id: 'pump', name: 'Gate 2', geometry: point(-0.5, -34.06) }),
  aParcel({
    id: 'lot',
    name: 'Mill "lot", north',
    description: 'two\nlines',
    owner: 'Ann Zabriskie',
    geometry: square(-111, 34, 0.5),
    metadata: [
      { name: 'OwnerName', value: 'Ann' },
      { name: 'Ward', value: 7 },
    ],
  }),
]

type Exported = { features: { id: string; geometry: unknown; properties: Record<string, unknown> }[] }

let database: TestDatabase
let app: TestApp
let staff: Record<string, string>

/** One app for the tests of an engine. */
function startOnce(createDatabase: CreateDatabase) {
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    app = await startTestApp(database, { settings: { DATA_DIR: database.location.dataDirectory } })
    staff = await signIn(database, ['editor:oak-hills'])
  })
  afterAll(() => app.close())
}

const ask = (query: string, headers = {}) => app.get(`/api/maps/oak-hills/export?${query}`, headers)

onEachEngine('an export', (createDatabase) => {
  startOnce(createDatabase)
  const idsOf = (body: string) => (JSON.parse(body) as Exported).features.map(({ id }) => id)

  it.each([
    '',
    'kind=asset',
    'kind=asset&sort=name',
    'sort=-name',
    'sort=parcel',
    'sort=-status&kind=incident,asset',
    'text=mill&sort=date',
    'bbox=-111.085,34.05,-111,34.07',
    'status=offline',
    'shape=polygon',
    'text=nothing',
  ])('has the same rows as the list, in the same order: %s', async (query) => {
    const list = await app.getJson<{ items: { id: string }[] }>(`/api/maps/oak-hills/features?${query}`)
    const answer = await ask(`format=geojson&${query}`)
    expect(answer.statusCode).toBe(200)
    expect(idsOf(answer.body)).toEqual(list.items.map(({ id }) => id))
  })

  it('continues in batches to the end, in each order', async () => {
    await storeMap(database, 'crowded')
    const many = Array.from({ length: 700 }, (_, index) =>
      anAsset({ id: `a${index}`, mapId: 'crowded', name: `Sign ${index % 90}` }),
    )
    await storeFeatures(database, [...many, anIncident({ id: 'last', mapId: 'crowded' })])
    for (const query of ['', 'sort=-name', 'text=sign']) {
      const lines = (await app.get(`/api/maps/crowded/export?format=geojsonl&${query}`)).body
        .trimEnd()
        .split('\n')
      const ids = lines.map((line) => JSON.parse(line).id)
      expect(new Set(ids).size, query).toBe(query === 'text=sign' ? 700 : 701)
      const list = await app.getJson<{ items: { id: string }[] }>(
        `/api/maps/crowded/features?limit=500&${query}`,
      )
      expect(ids.slice(0, 500), query).toEqual(list.items.map(({ id }) => id))
    }
  })

  it('contains only selected features, in the order of the table', async () => {
    const send = (query: string, payload: object, headers = staff) =>
      app.send({
        method: 'POST',
        url: `/api/maps/oak-hills/export?format=geojson&${query}`,
        payload,
        headers,
      })
    const chosen = await send('sort=name', { ids: ['tank', 'pump', 'nobody'] })
    expect(chosen.statusCode).toBe(200)
    expect(idsOf(chosen.body)).toEqual(['tank', 'pump'])
    expect(idsOf((await send('kind=asset&sort=name', { except: ['tank'] })).body)).toEqual(['pump', 'gate'])
    for (const bad of [{}, { ids: [] }, { ids: ['a'], except: [] }, { ids: ['not an id'] }])
      expectProblem(await send('', bad), 400)
    expectProblem(await send('', { ids: ['lot'] }, {}), 401)
    expectProblem(await send('', { ids: ['lot'] }, await signIn(database, ['editor:elsewhere'])), 403)
  })
})

onEngine('sqlite', 'an export', (createDatabase) => {
  startOnce(createDatabase)
  const propertiesOf = (body: string) =>
    (JSON.parse(body) as Exported).features.map(({ properties }) => properties)

  it('is quoted CSV with a byte order mark, and without formulas', async () => {
    const { headers, body } = await ask(
      'format=csv&columns=name,description,area&sort=name&kind=asset,parcel',
    )
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="oak-hills-features-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(body.split('\r\n')).toEqual([
      '\ufeffid,kind,mapId,name,description,area,latitude,longitude,wkt',
      "tank,asset,oak-hills,'=1+1,,,34.06,-111.08,",
      'pump,asset,oak-hills,Gate 2,,,-34.06,-0.5,',
      'gate,asset,oak-hills,Gate 10,,,34.06,-111.07,',
      'lot,parcel,oak-hills,"Mill ""lot"", north","two\nlines",2.5,,,"POLYGON ((-111 34, -110.5 34, -110.5 34.5, -111 34.5, -111 34))"',
      '',
    ])
  })

  it('is named after the map, the kind and the day', async () => {
    const { headers } = await ask('format=shp&kind=parcel')
    expect(headers['content-disposition']).toMatch(/oak-hills-parcels-\d{4}-\d\d-\d\d\.shp\.zip"$/)
  })

  it('has only columns that the caller may see', async () => {
    const personal = [
      'owner',
      'taxInfo.annualAmount',
      'reportedBy',
      'nextDue',
      'maintenancePlan.task',
      'metadata',
    ]
    const [visitorExport, staffExport] = [await ask('format=geojson'), await ask('format=geojson', staff)]
    const columnsOf = (body: string) => Object.keys(propertiesOf(body)[0] ?? {})
    expect(columnsOf(staffExport.body)).toEqual(expect.arrayContaining(personal))
    for (const column of personal) expect(columnsOf(visitorExport.body)).not.toContain(column)
    expect(visitorExport.body).not.toContain('Zabriskie')
    const [lot] = propertiesOf((await ask('format=geojson&kind=parcel', staff)).body)
    expect(lot).toMatchObject({ owner: 'Ann Zabriskie', 'taxInfo.annualAmount': 1234.5 })
  })

  it.each([
    ...['owner', 'taxInfo.lastPaid', 'reportedBy', 'nextDue', 'metadata', 'maintenancePlan.task'],
    ...['own.gateCode', 'own.nothing'],
  ])('rejects the column %s by name for a caller who may not see it', async (column) => {
    const query = `format=geojson&columns=name,${column}`
    const visitor = expectProblem(await ask(query), 401)
    expect(visitor.detail).toContain(`The column ‘${column}’ is only for staff of the map.`)
    const stranger = await signIn(database, ['manager:elsewhere'])
    expect(expectProblem(await ask(query, stranger), 403).detail).toContain(`‘${column}’`)
    const { statusCode } = await ask(query, staff)
    expect(statusCode).toBe(column.startsWith('own.') ? 400 : 200)
  })

  it('has all columns of staff, or is rejected, if a caller requires all', async () => {
    expectProblem(await ask('format=geojson&columns=all'), 401)
    const everything = await ask('format=geojson', staff)
    expect((await ask('format=geojson&columns=all', staff)).body).toBe(everything.body)
  })

  it('rejects a selection and a filter by due date without a session', async () => {
    const url = '/api/maps/oak-hills/export?format=csv'
    const headers = { 'sec-fetch-site': 'same-origin' }
    expectProblem(await app.send({ method: 'POST', url, headers, payload: { except: [] } }), 401)
    expectProblem(await ask('format=csv&due=overdue'), 401)
  })

  it('shows published data to the public', async () => {
    const shown = { showPersonalData: true, publicMetadata: ['Ward'] }
    await storeConfiguration(database, 'oak-hills', 1, shown)
    const [lot] = propertiesOf((await ask('format=geojson&kind=parcel')).body)
    expect(lot).toMatchObject({ owner: 'Ann Zabriskie', metadata: [{ name: 'Ward', value: 7 }] })
    expect((await ask('format=csv&columns=owner,metadata')).statusCode).toBe(200)
    expectProblem(await ask('format=csv&columns=nextDue'), 401)
    await storeConfiguration(database, 'oak-hills', 2, {})
  })

  it('rejects invalid parameters', async () => {
    for (const query of [
      '',
      'format=doc',
      'format=csv&columns=nothing',
      'format=csv&status=broken',
      'format=csv&limit=1',
    ])
      expectProblem(await ask(query), 400)
    expectProblem(await ask('format=csv&due=due'), 401)
    expectProblem(await app.get('/api/maps/nowhere/export?format=csv'), 404)
  })

  it.each(exportFormats)('is a complete file as %s, even without features', async (format) => {
    // The round trip of each format, and the export of drawings, have features.
    for (const query of isConverted(format) ? ['&text=nothing'] : ['', '&text=nothing']) {
      const answer = await ask(`format=${format}${query}`, staff)
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.headers['content-type']).toContain(formatFacts[format].mediaType)
      if (format !== 'geojsonl' || query === '') expect(answer.rawPayload.length).toBeGreaterThan(0)
    }
  })

  it('is rejected if it is too large to convert, but not as a stream', async () => {
    await storeMap(database, 'vast')
    await storeFeatures(database, [anAsset({ id: 'one', mapId: 'vast' })])
    await database.write((transaction) =>
      transaction
        .updateTable('feature_counts')
        .set({ count: 100_001 })
        .where('map_id', '=', 'vast')
        .execute(),
    )
    const refused = expectProblem(await app.get('/api/maps/vast/export?format=gpkg'), 400)
    expect(refused.detail).toBe(
      'format: GeoPackage downloads have at most 100,000 features, but 100,001 match. ' +
        'Staff can export them in the background: POST /api/maps/{mapId}/exports with the same query. ' +
        'Or use GeoJSON, GeoJSON lines, or CSV, or narrow the filter.',
    )
    expect((await app.get('/api/maps/vast/export?format=csv')).statusCode).toBe(200)
    const headers = await signIn(database, ['editor:vast'])
    const url = '/api/maps/vast/export?format=gpkg'
    const chosen = await app.send({ method: 'POST', url, headers, payload: { ids: ['one'] } })
    expect(chosen.statusCode).toBe(200)
    expectProblem(await app.send({ method: 'POST', url, headers, payload: { except: ['one'] } }), 400)
  })

  it('leaves no temporary files of GDAL', async () => {
    await ask('format=gpkg')
    const remaining = () => readdir(join(database.location.dataDirectory, 'exports'))
    await expect.poll(remaining).toEqual([])
  })

  it('has points and lines as GPX, and no areas', async () => {
    const { body } = await ask('format=gpx')
    expect(body.match(/<wpt lat="[-\d.]+" lon="[-\d.]+"><name>/g)).toHaveLength(4)
    expect(body).not.toContain('<poa:id>lot<')
  })

  it('escapes names that GDAL would mistake for JSON-FG', async () => {
    await storeMap(database, 'general')
    await storeFeatures(database, [
      aGeneralFeature({ id: 'one', mapId: 'general' }),
      aGeneralFeature({ id: 'two', mapId: 'general' }),
    ])
    const { body } = await app.get('/api/maps/general/export?format=geojsonl')
    expect(body).not.toContain('"featureType"')
    expect(
      body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).properties.featureType),
    ).toEqual(['asset', 'asset'])
  })

  it('lets other requests run between two batches, however fast its reader is', async () => {
    await storeMap(database, 'many')
    const many = Array.from({ length: 1_500 }, (_, index) => anAsset({ id: `many${index}`, mapId: 'many' }))
    await storeFeatures(database, many)
    let [turns, parts, isOver] = [0, 0, false]
    const take = () => {
      turns++
      if (!isOver) setImmediate(take)
    }
    setImmediate(take)
    for await (const rows of readExportedRows(database, aQueueClient('many'), {
      filter: {},
      sort: undefined,
    }))
      parts += rows.length > 0 ? 1 : 0
    isOver = true
    expect(parts).toBeGreaterThan(3)
    expect(turns).toBeGreaterThanOrEqual(parts)
  })

  it('ends when its client disconnects, and releases everything', async () => {
    await storeMap(database, 'long')
    const many = Array.from({ length: 2_000 }, (_, index) =>
      anAsset({ id: `long${index}`, mapId: 'long', name: 'Sign', description: 'x'.repeat(5_000) }),
    )
    await storeFeatures(database, many)
    const served = await startTestApp(database)
    await using _ = served
    await served.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = served.app.server.address() as AddressInfo
    const closed = new Promise<void>((resolve) => {
      served.app.server.on('connection', (socket) => socket.once('close', () => resolve()))
    })
    const asking = request({ port, path: '/api/maps/long/export?format=geojsonl' }, (answer) => {
      answer.once('data', () => answer.destroy())
    })
    asking.on('error', () => {})
    asking.end()
    await closed
    expect((await served.app.inject('/health/live')).statusCode).toBe(200)
  })
})

it('every format is described for its users', async () => {
  const text = await readFile('docs/exporting.md', 'utf8')
  for (const format of exportFormats) {
    const { label } = formatFacts[format]
    expect(text).toContain(`**${label}**`)
    if (!isConverted(format)) continue
    const most = maxInBackground[format].toLocaleString('en-US')
    expect(text, label).toMatch(new RegExp(`^\\|[^|]*${label}[^|]*\\| ${most} \\|`, 'm'))
  }
})
