import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ImportDrafts } from '#domain/imports/import-draft.schema.ts'
import type { TrialPlaces } from '#domain/imports/import-trial.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { filesBelow } from '#test/imports/file-bytes.ts'
import { base, startImports } from '#test/imports/import-drafts.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem } from '#test/server/test-app.ts'
import { workingFolder } from './working-folder.ts'

const hydrants = (rows: readonly string[]) => `Nr,Label,Lat,Lon\n${rows.join('\n')}\n`
const three = hydrants(['1,North gate,34.2,-111.3', '2,Pond,34.21,-111.31', '3,Nowhere,,'])

const asHydrants = { kind: 'asset', type: 'water', columns: { id: 'Nr', name: 'Label' } }

const expectRefusal = (answer: Parameters<typeof expectProblem>[0], status: number, words: RegExp) =>
  expect(expectProblem(answer, status).detail).toMatch(words)

const namesOf = async ({ read }: TestDatabase) =>
  (await read.selectFrom('features').select('name').orderBy('name').execute()).map(({ name }) => name)

onEachEngine('an import in the page', (createDatabase) => {
  it('examines, previews, imports and undoes', async () => {
    const database = await createDatabase()
    const { app, ask, good, upload, prepare, change, done, step } = await startImports(database)
    const id = await upload('hydrants.csv', three)
    expect(await done(id)).toMatchObject({
      state: 'examined',
      settings: { kind: null, source: 'hydrants' },
      found: {
        layer: 'hydrants.csv',
        columns: [
          { name: 'Nr', examples: ['1', '2', '3'] },
          { name: 'Label', examples: ['North gate', 'Pond', 'Nowhere'] },
          { name: 'Lat', examples: ['34.2', '34.21'] },
          { name: 'Lon', examples: ['-111.3', '-111.31'] },
        ],
        extent: { west: -111.31, south: 34.2, east: -111.3, north: 34.21 },
      },
      matches: {},
    })
    const sample = await ask('GET', `/${id}/sample`)
    expect(sample.json().features).toMatchObject([
      { geometry: { type: 'Point', coordinates: [-111.3, 34.2] } },
      { geometry: { type: 'Point', coordinates: [-111.31, 34.21] } },
    ])
    const matched = await change(id, { kind: 'asset', columns: { id: 'Nr' } })
    expect(matched.matches).toEqual({ Nr: 'id', Label: 'name', Lat: 'latitude', Lon: 'longitude' })
    await change(id, asHydrants)
    const before = await namesOf(database)
    expect(await step(id, 'try')).toMatchObject({
      state: 'tried',
      problem: null,
      outcome: { rows: 3, created: 2, updated: 0, unchanged: 0, refused: 1, reported: [{ rowNumber: 3 }] },
    })
    expect(await namesOf(database)).toEqual(before)

    const ben = await signIn(database, ['editor:oak-hills'], { id: 'ben', name: 'Ben' })
    expect((await ask('POST', `/${id}/import`, undefined, ben)).statusCode).toBe(200)
    const imported = await done(id)
    expect(imported).toMatchObject({ state: 'imported', outcome: { created: 2, refused: 1 } })
    expect(await namesOf(database)).toEqual(['North gate', 'Pond', ...before].toSorted())
    const headers = await signIn(database)
    const { items } = (await app.get(`${base}/activity`, headers)).json()
    expect(items[0]).toMatchObject({
      action: 'features.imported',
      actor: 'Ben',
      details: { created: 2 },
    })

    const next = await upload(
      'hydrants.csv',
      hydrants(['1,North gate,34.2,-111.3', '2,Lake,34.21,-111.31', '4,Mill,34.22,-111.3']),
    )
    await done(next)
    await change(next, asHydrants)
    expect(await step(next, 'try')).toMatchObject({
      outcome: { created: 1, updated: 1, unchanged: 1, refused: 0 },
    })
    expect(await step(next, 'import')).toMatchObject({ state: 'imported', undoFirst: [] })

    const same = await prepare(
      'hydrants.csv',
      hydrants(['2,Lake,34.21,-111.31', '4,Mill,34.22,-111.3']),
      asHydrants,
    )
    await step(same, 'try')
    const nothing = { state: 'imported', outcome: { created: 0, updated: 0, unchanged: 2, gone: 0 } }
    expect(await step(same, 'import')).toMatchObject(nothing)
    expectRefusal(await ask('POST', `/${same}/undo`), 409, /changed nothing, so there is nothing to undo/)
    expect(await good('GET', `/${same}`)).toMatchObject(nothing)

    expect(await good('GET', `/${id}`)).toMatchObject({
      undoFirst: [{ source: 'hydrants', files: ['hydrants.csv'], features: 1 }],
    })
    const refused = await ask('POST', `/${id}/undo`)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().detail).toMatch(/\(hydrants\.csv, .* UTC\)\. Undo those imports first\./)
    expect(await step(next, 'undo')).toMatchObject({ state: 'undone', undone: { removed: 1, restored: 1 } })
    expect(await step(id, 'undo')).toMatchObject({ state: 'undone', undone: { removed: 2, kept: 0 } })
    expect(await namesOf(database)).toEqual(before)
  })
})

const inFeet = [
  [949_000, 1_110_000],
  [949_500, 1_110_200],
  [950_000, 1_110_900],
]

onEngine('sqlite', 'coordinates of a file', (createDatabase) => {
  const rows = (places: readonly (readonly number[])[]) =>
    `Nr,X,Y\n${places.map(([x, y], index) => `${index},${x},${y}`).join('\n')}\n`

  it('in feet get suggested projections, and a chosen one', async () => {
    const database = await createDatabase()
    const { ask, upload, change, done, step } = await startImports(database)
    const id = await upload('lots.csv', rows(inFeet))
    const examined = await done(id)
    expect(examined.found).toMatchObject({
      layers: [{ needsProjection: true, projection: null }],
      // A slow machine finds no others in the time for it.
      suggested: expect.arrayContaining([
        expect.objectContaining({
          projection: 'EPSG:2223',
          name: 'NAD83 / Arizona Central (ft)',
          kilometersOff: 0,
        }),
      ]),
      isSwapSuggested: false,
    })
    const { extent } = examined.found ?? {}
    expect(extent?.west).toBeCloseTo(-111.09, 1)
    expect((await ask('GET', `/${id}/sample`)).json().features).toHaveLength(3)

    await change(id, { projection: 'EPSG:26749' })
    expect((await done(id)).found?.layers).toMatchObject([
      { projection: 'NAD27 / Arizona Central', notices: [expect.stringContaining('off by up to 70 m')] },
    ])
    await change(id, { projection: 'EPSG:2223' })
    expect(await change(id, { kind: 'parcel' })).toMatchObject({ state: 'examining' })
    const placed = await done(id)
    expect(placed).toMatchObject({ state: 'examined', settings: { kind: 'parcel', projection: 'EPSG:2223' } })
    expect(placed.found).toMatchObject({
      extent,
      layers: [{ projection: 'NAD83 / Arizona Central (ft)' }],
    })
    await change(id, { kind: 'asset', type: 'water', columns: { name: 'Nr' } })
    const { outcome } = await step(id, 'try')
    expect(outcome).toMatchObject({ created: 3, refused: 0, doubts: [] })
    expect(outcome?.extent).toEqual(extent)

    await change(id, { projection: 'EPSG:999999' })
    expect(await done(id)).toMatchObject({ problem: 'Unknown projection EPSG:999999.' })
  })

  it('can be latitude before longitude', async () => {
    const database = await createDatabase()
    const { upload, change, done } = await startImports(database)
    const id = await upload(
      'lots.csv',
      rows([
        [34.2, -111.3],
        [34.3, -111.4],
      ]),
    )
    expect((await done(id)).found).toMatchObject({ extent: null, suggested: [], isSwapSuggested: true })
    await change(id, { areCoordinatesSwapped: true })
    expect((await done(id)).found).toMatchObject({
      extent: { west: -111.4, south: 34.2, east: -111.3, north: 34.3 },
      isSwapSuggested: false,
    })
  })
})

onEachEngine('the preview of an import', (createDatabase) => {
  it('shows the outcome, changes and place of each row', async () => {
    const database = await createDatabase()
    const { app, prepare, step, trial, trialRows } = await startImports(database)
    const first = await prepare('hydrants.csv', three, asHydrants)
    await step(first, 'try')
    await step(first, 'import')
    expectProblem(await app.send(trial(first)), 404)

    const edited = hydrants([
      '1,North gate,34.2,-111.3',
      '2,Lake,34.21,-111.32',
      '=3,Nowhere,,',
      '4,Mill,34.3,-111',
    ])
    const id = await prepare('hydrants.csv', edited, asHydrants)
    await step(id, 'try')
    const rows = await trialRows(id)
    expect(rows).toMatchObject({
      next: null,
      items: [
        { rowNumber: 1, outcome: 'unchanged', name: 'North gate', changes: [] },
        {
          rowNumber: 2,
          outcome: 'updated',
          place: { lat: 34.21, lng: -111.32 },
          changes: [
            { field: 'name', before: 'Pond', after: 'Lake' },
            { field: 'geometry', before: { place: { lng: -111.31 } }, after: { place: { lng: -111.32 } } },
          ],
        },
        {
          rowNumber: 3,
          line: 4,
          sourceId: '=3',
          outcome: 'refused',
          name: 'Nowhere',
          reason: 'it has no latitude and no longitude',
          featureId: null,
          place: null,
          columns: [
            ['Nr', '=3'],
            ['Label', 'Nowhere'],
            ['Lat', null],
            ['Lon', null],
          ],
        },
        { rowNumber: 4, outcome: 'created', changes: [{ field: 'type', before: null, after: 'water' }] },
      ],
    })
    const numbers = async (query: string) => {
      const { items, next } = await trialRows(id, query)
      return [items.map(({ rowNumber }) => rowNumber), next]
    }
    expect(await numbers('?outcome=created')).toEqual([[4], null])
    expect(await numbers('?limit=2')).toEqual([[1, 2], 2])
    expect(await numbers('?limit=2&after=2')).toEqual([[3, 4], null])

    const places = async (query: string) =>
      (await app.send(trial(id, `/places?bbox=${query}`))).json<TrialPlaces>()
    const { features, isWhole } = await places('-111.5,34,-111.2,34.25')
    expect(isWhole).toBe(true)
    expect(features.toSorted((a, b) => a.properties.rowNumber - b.properties.rowNumber)).toMatchObject([
      { geometry: { coordinates: [-111.3, 34.2] }, properties: { rowNumber: 1, outcome: 'unchanged' } },
      { geometry: { coordinates: [-111.32, 34.21] }, properties: { rowNumber: 2, name: 'Lake' } },
    ])
    expect((await places('-180,-90,180,90&outcome=created')).features).toHaveLength(1)
    expectProblem(await app.send(trial(id, '/places?bbox=1,2,3')), 400)

    const refused = await app.send(trial(id, '/refused'))
    expect(refused.headers['content-disposition']).toBe("attachment; filename*=UTF-8''hydrants.csv")
    expect(refused.body).toBe(
      '\uFEFFNr,Label,Lat,Lon,problem\r\n=3,Nowhere,,,it has no latitude and no longitude\r\n',
    )
  })
})

onEngine('sqlite', 'the preview of an import', (createDatabase) => {
  it('must be repeated after rows were fixed or left out', async () => {
    const database = await createDatabase()
    const { ask, prepare, change, step } = await startImports(database)
    const id = await prepare('hydrants.csv', three, asHydrants)
    await step(id, 'try')
    const settings = { leftOut: [1], mended: { 3: { Lat: '34.22', Lon: '-111.3', Label: 'Found' } } }
    expect(await change(id, settings)).toMatchObject({
      state: 'tried',
      outcome: { isStale: true },
    })
    expectRefusal(await ask('POST', `/${id}/import`), 409, /Preview the import again/)
    expect(await step(id, 'try')).toMatchObject({
      outcome: { rows: 3, created: 2, refused: 0, leftOut: 1, isStale: false },
    })
    const before = await namesOf(database)
    await step(id, 'import')
    expect(await namesOf(database)).toEqual([...before, 'Found', 'Pond'].toSorted())
    expectProblem(await ask('PATCH', `/${id}/settings`, { leftOut: [0] }), 400)
  })

  it('works on a server without the files, and refuses unknown fields to update', async () => {
    const database = await createDatabase()
    const { ask, prepare, change, step } = await startImports(database)
    const id = await prepare('hydrants.csv', three)
    await change(id, { ...asHydrants, onlyFields: ['name'] })
    expectRefusal(
      await ask('PATCH', `/${id}/settings`, { onlyFields: ['owner'] }),
      400,
      /owner is not a field of asset/,
    )
    rmSync(workingFolder(database.location.dataDirectory, { mapId: 'oak-hills', id }), { recursive: true })
    expect(await step(id, 'try')).toMatchObject({ state: 'tried', outcome: { created: 2 } })
    const other = await change(id, { kind: 'parcel', type: null, columns: {} })
    expect(other).toMatchObject({ state: 'examined', settings: { onlyFields: null } })
  })

  it('offers refused rows as GeoJSON', async () => {
    const database = await createDatabase()
    const { app, prepare, step, trial } = await startImports(database)
    const feature = (id: number, coordinates: unknown) => ({
      type: 'Feature',
      id: `h${id}`,
      properties: { id, name: `Hydrant ${id}` },
      geometry: { type: 'Point', coordinates },
    })
    const features = [feature(1, [-111, 34]), feature(2, [-111, 134])]
    const id = await prepare('hydrants.geojson', JSON.stringify({ type: 'FeatureCollection', features }), {
      kind: 'asset',
      type: 'water',
    })
    await step(id, 'try')
    const file = (await app.send(trial(id, '/refused'))).json()
    expect(file.features).toEqual([
      {
        ...feature(2, [-111, 134]),
        properties: { id: 2, name: 'Hydrant 2', problem: expect.stringMatching(/134/) },
      },
    ])
  })
})

onEngine('sqlite', 'the files of an import', (createDatabase) => {
  it('are uploaded in pieces, which can be repeated', async () => {
    const database = await createDatabase()
    const { app, ask, good, announce, done } = await startImports(database)
    const bytes = Buffer.from(three)
    const id = await announce({ name: 'hydrants.csv', size: bytes.length })
    const put = (offset: number, piece: Buffer) => ask('PUT', `/${id}/files/0?offset=${offset}`, piece)
    await good('PUT', `/${id}/files/0?offset=0`, bytes.subarray(0, 10))
    expect((await good('PUT', `/${id}/files/0?offset=0`, bytes.subarray(0, 10))).files).toMatchObject([
      { received: 10, size: bytes.length },
    ])
    expectRefusal(await put(20, bytes.subarray(20)), 409, /Continue at byte 10/)
    expectRefusal(await put(10, Buffer.alloc(bytes.length)), 400, /exceed its size/)
    expectRefusal(await ask('PUT', `/${id}/files/1?offset=0`, bytes), 404, /not found/)
    expect(
      await good('POST', '', { id, files: [{ name: 'hydrants.csv', size: bytes.length }] }),
    ).toMatchObject({
      state: 'receiving',
      files: [{ received: 10 }],
    })
    expectRefusal(
      await ask('POST', '', { id, files: [{ name: 'other.csv', size: 4 }] }),
      409,
      /belongs to another/,
    )
    await good('PUT', `/${id}/files/0?offset=10`, bytes.subarray(10))
    expect(await done(id)).toMatchObject({ state: 'examined' })
    expect(existsSync(workingFolder(database.location.dataDirectory, { mapId: 'oak-hills', id }))).toBe(true)
    expect(filesBelow(app.store.place)).toHaveLength(2)
  })

  it('are whole if two senders upload different pieces at once', async () => {
    const database = await createDatabase()
    const { ask, good, announce, done } = await startImports(database)
    const bytes = Buffer.from(three)
    for (let round = 0; round < 5; round++) {
      const id = await announce({ name: 'hydrants.csv', size: bytes.length })
      for (let received = 0; received < bytes.length; ) {
        const cuts = [3, 17, 17, bytes.length].map((length) => bytes.subarray(received, received + length))
        const answers = await Promise.all(
          cuts.map((piece) => ask('PUT', `/${id}/files/0?offset=${received}`, piece)),
        )
        for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode)
        received = (await good('GET', `/${id}`)).files[0]?.received ?? 0
      }
      expect(await done(id)).toMatchObject({
        state: 'examined',
        found: {
          columns: expect.arrayContaining([
            expect.objectContaining({ name: 'Nr', examples: ['1', '2', '3'] }),
          ]),
        },
      })
    }
  })

  it('can have any name', async () => {
    const database = await createDatabase()
    const { good, announce, done } = await startImports(database)
    const bytes = Buffer.from(three)
    for (const name of ['..', '.', '../../x.csv', 'a/b.csv', 'Grundstücke.csv', `${'x'.repeat(251)}.csv`]) {
      const id = await announce({ name, size: bytes.length })
      await good('PUT', `/${id}/files/0?offset=0`, bytes)
      expect(await done(id), name).toMatchObject({ state: 'examined', files: [{ name }] })
    }
  })

  it('are refused when the map has 50 imports', async () => {
    const database = await createDatabase()
    const { ask, announce } = await startImports(database)
    for (let count = 0; count < 50; count++) await announce({ name: 'hydrants.csv', size: 1 })
    const body = { id: randomUUID(), files: [{ name: 'hydrants.csv', size: 1 }] }
    expectRefusal(await ask('POST', '', body), 409, /has 50 imports, which is the limit/)
  })

  it('are limited in bytes and rows', async () => {
    const database = await createDatabase()
    const { ask, prepare, step } = await startImports(database, { maxFeatures: 2 })
    const files = [1, 2].map((part) => ({ name: `lots-${part}.csv`, size: 101 * 1024 ** 2 }))
    const announced = await ask('POST', '', { id: randomUUID(), files })
    expectRefusal(announced, 400, /at most 200 MB in total/)
    const id = await prepare('hydrants.csv', three, { kind: 'asset' })
    expect(await step(id, 'try')).toMatchObject({
      state: 'examined',
      problem: 'The file has more than 2 rows, the limit for one import. Split the file.',
    })
  })

  it('are listed without their columns', async () => {
    const database = await createDatabase()
    const { ask, upload, done } = await startImports(database)
    const columns = Array.from({ length: 2_000 }, (_, number) => `column ${number}`).join()
    const rows = Array.from({ length: 20 }, (_, row) =>
      `${`${row + 10}`.repeat(20)},`.repeat(2_000).slice(0, -1),
    )
    const id = await upload('wide.csv', [columns, ...rows].join('\n'))
    const draft = await done(id)
    expect(draft.found?.columns).toHaveLength(2_000)
    expect(draft.found?.columns[0]?.examples).toHaveLength(3)
    expect(JSON.stringify(draft).length).toBeLessThan(1.1 * 2 ** 20)
    const [listed] = (await ask('GET', '')).json<ImportDrafts>().items
    expect(listed).toMatchObject({ id, state: 'examined', outcome: null })
    expect(listed).not.toHaveProperty('found')
  })

  it('are refused if they cannot be read, and deleted with the draft', async () => {
    const database = await createDatabase()
    const { app, ask, good, upload, done } = await startImports(database)
    const id = await upload('plan.pdf', '%PDF-1.4 nothing')
    expect(await done(id)).toMatchObject({ state: 'refused', problem: expect.stringContaining('a PDF') })
    expectRefusal(await ask('POST', `/${id}/try`), 409, /This import was rejected/)
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
    expectRefusal(await ask('GET', `/${id}`), 404, /no import/)
    expect(filesBelow(app.store.place)).toEqual([])
    expect(await good('GET', '')).toEqual({ items: [], mostBytes: 200 * 1024 ** 2 })
  })

  it('are refused after a time without progress', async () => {
    const database = await createDatabase()
    const { upload, done } = await startImports(database, { hasProcesses: true, maxSilentMs: 1 })
    const id = await upload('hydrants.csv', three)
    expect(await done(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('made no progress'),
    })
  })

  it('are previewed after they are examined again', async () => {
    const database = await createDatabase()
    const { ask, good, prepare, change, done } = await startImports(database)
    const id = await prepare('hydrants.csv', three)
    expectRefusal(await ask('POST', `/${id}/try`), 400, /kind/)
    const set = (settings: object) => change(id, settings)
    expect(await set({ kind: 'asset' })).toMatchObject({ state: 'examined', isExaminedAgain: false })
    const swapped = { areCoordinatesSwapped: true }
    expect(await set(swapped)).toMatchObject({ state: 'examining', isExaminedAgain: true })
    expect(await good('POST', `/${id}/try`)).toMatchObject({ state: 'examining' })
    expect(await done(id)).toMatchObject({ state: 'tried', outcome: { rows: 3 } })
    expect(await set({ areCoordinatesSwapped: false })).toMatchObject({ state: 'examining' })
    await good('POST', `/${id}/try`)
    await good('POST', `/${id}/cancel`)
    expect(await done(id)).toMatchObject({ state: 'examined', outcome: null })
  })

  it('need a layer for a preview that was requested while they were examined', async () => {
    const database = await createDatabase()
    const { good, announce, change, done } = await startImports(database)
    const names = ['a.csv', 'b.csv']
    const id = await announce(...names.map((name) => ({ name, size: three.length })))
    for (const index of names.keys()) await good('PUT', `/${id}/files/${index}?offset=0`, Buffer.from(three))
    await change(id, { kind: 'asset' })
    await good('POST', `/${id}/try`)
    expect(await done(id)).toMatchObject({
      state: 'examined',
      problem: expect.stringContaining('layer: is required'),
    })
  })

  it('can be canceled and previewed again; a failed preview has its reason', async () => {
    const database = await createDatabase()
    const { ask, good, prepare, change, done, step } = await startImports(database)
    const id = await prepare('hydrants.csv', 'Nr,Label\n1,North gate\n')
    expectRefusal(await ask('POST', `/${id}/try`), 400, /kind/)
    const set = (settings: object) => ask('PATCH', `/${id}/settings`, settings)
    expectRefusal(await set({ kind: 'asset', type: 'fire' }), 400, /fire is not a type of asset/)
    expectRefusal(await set({ kind: 'asset', columns: { owner: 'Nr' } }), 400, /is not a field of asset/)
    expectRefusal(await set({ type: 'fire' }), 400, /is required for these settings/)
    await change(id, { kind: 'asset' })
    expect(await step(id, 'try')).toMatchObject({
      state: 'examined',
      problem: expect.stringMatching(
        /no column for latitude and longitude\. .* Choose a column for latitude and longitude/,
      ),
    })
    await good('POST', `/${id}/try`)
    expect(await good('POST', `/${id}/cancel`)).toMatchObject({ state: 'examined', problem: null })
    expect(await done(id)).toMatchObject({ state: 'examined', outcome: null })
    expectRefusal(await ask('POST', `/${id}/import`), 409, /has no preview yet/)
  })
})
