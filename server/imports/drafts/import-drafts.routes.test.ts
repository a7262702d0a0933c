import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ImportDrafts } from '#domain/imports/import-draft.schema.ts'
import type { TrialPlaces, TrialRows } from '#domain/imports/import-trial.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases.ts'
import { filesBelow } from '#test/file-bytes.ts'
import { base, startImports } from '#test/import-drafts.ts'
import { signIn } from '#test/signed-in.ts'
import { expectProblem } from '#test/test-app.ts'
import { workingFolder } from './working-folder.ts'

const hydrants = (rows: readonly string[]) => `Nr,Label,Lat,Lon\n${rows.join('\n')}\n`
const three = hydrants(['1,North gate,34.2,-111.3', '2,Pond,34.21,-111.31', '3,Nowhere,,'])

const expectRefusal = (answer: Parameters<typeof expectProblem>[0], status: number, words: RegExp) =>
  expect(expectProblem(answer, status).detail).toMatch(words)

const namesOf = async ({ read }: TestDatabase) =>
  (await read.selectFrom('features').select('name').orderBy('name').execute()).map(({ name }) => name)

onEachEngine('an import in the page', (createDatabase) => {
  it('is looked at, tried, imported and taken back', async () => {
    const database = await createDatabase()
    const { app, ask, good, bring, done, step } = await startImports(database)
    const id = await bring('hydrants.csv', three)
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
    const said = await good('PATCH', `/${id}/settings`, { kind: 'asset', columns: { id: 'Nr' } })
    expect(said.matches).toEqual({ Nr: 'id', Lat: 'latitude', Lon: 'longitude' })
    await good('PATCH', `/${id}/settings`, {
      kind: 'asset',
      type: 'water',
      columns: { id: 'Nr', name: 'Label' },
    })
    const before = await namesOf(database)
    expect(await step(id, 'try')).toMatchObject({
      state: 'tried',
      problem: null,
      outcome: { rows: 3, created: 2, updated: 0, unchanged: 0, refused: 1, reported: [{ rowNumber: 3 }] },
    })
    expect(await namesOf(database)).toEqual(before)

    // Whoever asks for it has done it.
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

    // The next edition: one the same, one with another name, one new.
    const next = await bring(
      'hydrants.csv',
      hydrants(['1,North gate,34.2,-111.3', '2,Lake,34.21,-111.31', '4,Mill,34.22,-111.3']),
    )
    await done(next)
    await good('PATCH', `/${next}/settings`, {
      kind: 'asset',
      type: 'water',
      columns: { id: 'Nr', name: 'Label' },
    })
    expect(await step(next, 'try')).toMatchObject({
      outcome: { created: 1, updated: 1, unchanged: 1, refused: 0 },
    })
    expect(await step(next, 'import')).toMatchObject({ state: 'imported', undoFirst: [] })

    // The same once more.
    const same = await bring('hydrants.csv', hydrants(['2,Lake,34.21,-111.31', '4,Mill,34.22,-111.3']))
    await done(same)
    await good('PATCH', `/${same}/settings`, {
      kind: 'asset',
      type: 'water',
      columns: { id: 'Nr', name: 'Label' },
    })
    await step(same, 'try')
    const nothing = { state: 'imported', outcome: { created: 0, updated: 0, unchanged: 2, gone: 0 } }
    expect(await step(same, 'import')).toMatchObject(nothing)
    expectRefusal(await ask('POST', `/${same}/undo`), 409, /changed nothing: there is nothing to undo/)
    expect(await good('GET', `/${same}`)).toMatchObject(nothing)

    // The older of two imports of the same features is undone after the newer one, or where somebody confirms it.
    expect(await good('GET', `/${id}`)).toMatchObject({
      undoFirst: [{ source: 'hydrants', files: ['hydrants.csv'], features: 1 }],
    })
    const refused = await ask('POST', `/${id}/undo`)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().detail).toMatch(/\(hydrants\.csv, .* UTC\)\. Undo these first\./)
    expect(await step(next, 'undo')).toMatchObject({ state: 'undone', undone: { removed: 1, restored: 1 } })
    expect(await step(id, 'undo')).toMatchObject({ state: 'undone', undone: { removed: 2, kept: 0 } })
    expect(await namesOf(database)).toEqual(before)
  }, 60_000)
})

/** A corner of each lot, as offices of Arizona have it. */
const inFeet = [
  [949_000, 1_110_000],
  [949_500, 1_110_200],
  [950_000, 1_110_900],
]

onEngine('sqlite', 'where the rows of files are', (createDatabase) => {
  const rows = (places: readonly (readonly number[])[]) =>
    `Nr,X,Y\n${places.map(([x, y], index) => `${index},${x},${y}`).join('\n')}\n`

  it('is found where coordinates are feet and nobody has said of which projection', async () => {
    const database = await createDatabase()
    const { good, bring, done, step, ask } = await startImports(database)
    const id = await bring('lots.csv', rows(inFeet))
    const looked = await done(id)
    expect(looked.found).toMatchObject({
      layers: [{ needsProjection: true, projection: null }],
      suggested: [
        { projection: 'EPSG:2223', name: 'NAD83 / Arizona Central (ft)', kilometersOff: 0 },
        { projection: 'EPSG:26749', kilometersOff: 60 },
      ],
      isSwapSuggested: false,
    })
    const { extent } = looked.found ?? {}
    expect(extent?.west).toBeCloseTo(-111.09, 1)
    expect((await ask('GET', `/${id}/sample`)).json().features).toHaveLength(3)

    await good('PATCH', `/${id}/settings`, { projection: 'EPSG:26749' })
    expect((await done(id)).found?.layers).toMatchObject([
      { projection: 'NAD27 / Arizona Central', notices: [expect.stringContaining('up to 70 m off')] },
    ])
    // Who is quick says more while it is being looked at.
    await good('PATCH', `/${id}/settings`, { projection: 'EPSG:2223' })
    expect(await good('PATCH', `/${id}/settings`, { kind: 'parcel' })).toMatchObject({ state: 'examining' })
    const placed = await done(id)
    expect(placed).toMatchObject({ state: 'examined', settings: { kind: 'parcel', projection: 'EPSG:2223' } })
    expect(placed.found).toMatchObject({
      extent,
      layers: [{ projection: 'NAD83 / Arizona Central (ft)' }],
    })
    await good('PATCH', `/${id}/settings`, { kind: 'asset', type: 'water', columns: { name: 'Nr' } })
    const { outcome } = await step(id, 'try')
    expect(outcome).toMatchObject({ created: 3, refused: 0, doubts: [] })
    expect(outcome?.extent).toEqual(extent)

    // There is none of this number.
    await good('PATCH', `/${id}/settings`, { projection: 'EPSG:999999' })
    expect(await done(id)).toMatchObject({ problem: 'The projection EPSG:999999 is not known.' })
  }, 60_000)

  it('is told where latitude stands before longitude', async () => {
    const database = await createDatabase()
    const { good, bring, done } = await startImports(database)
    const id = await bring(
      'lots.csv',
      rows([
        [34.2, -111.3],
        [34.3, -111.4],
      ]),
    )
    expect((await done(id)).found).toMatchObject({ extent: null, suggested: [], isSwapSuggested: true })
    await good('PATCH', `/${id}/settings`, { areCoordinatesSwapped: true })
    expect((await done(id)).found).toMatchObject({
      extent: { west: -111.4, south: 34.2, east: -111.3, north: 34.3 },
      isSwapSuggested: false,
    })
  }, 60_000)
})

onEachEngine('the trial of an import', (createDatabase) => {
  it('tells of each row what would become of it, field by field, and where', async () => {
    const database = await createDatabase()
    const { app, bring, done, good, step, trial } = await startImports(database)
    const settings = { kind: 'asset', type: 'water', columns: { id: 'Nr', name: 'Label' } }
    const first = await bring('hydrants.csv', three)
    await done(first)
    await good('PATCH', `/${first}/settings`, settings)
    await step(first, 'try')
    await step(first, 'import')
    expectProblem(await app.send(trial(first)), 404)

    const edited = hydrants([
      '1,North gate,34.2,-111.3',
      '2,Lake,34.21,-111.32',
      '=3,Nowhere,,',
      '4,Mill,34.3,-111',
    ])
    const id = await bring('hydrants.csv', edited)
    await done(id)
    await good('PATCH', `/${id}/settings`, settings)
    await step(id, 'try')
    const rows = (await app.send(trial(id))).json<TrialRows>()
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
        { rowNumber: 4, outcome: 'created' },
      ],
    })
    const numbers = async (query: string) => {
      const { items, next } = (await app.send(trial(id, query))).json<TrialRows>()
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
  }, 60_000)

  it('is done again with rows that were mended or left out, before they are imported', async () => {
    const database = await createDatabase()
    const { ask, bring, done, good, step } = await startImports(database)
    const id = await bring('hydrants.csv', three)
    await done(id)
    await good('PATCH', `/${id}/settings`, {
      kind: 'asset',
      type: 'water',
      columns: { id: 'Nr', name: 'Label' },
    })
    await step(id, 'try')
    const said = { leftOut: [1], mended: { 3: { Lat: '34.22', Lon: '-111.3', Label: 'Found' } } }
    expect(await good('PATCH', `/${id}/settings`, said)).toMatchObject({
      state: 'tried',
      outcome: { isStale: true },
    })
    expectRefusal(await ask('POST', `/${id}/import`), 409, /try it again/)
    expect(await step(id, 'try')).toMatchObject({
      outcome: { rows: 3, created: 2, refused: 0, leftOut: 1, isStale: false },
    })
    const before = await namesOf(database)
    await step(id, 'import')
    expect(await namesOf(database)).toEqual([...before, 'Found', 'Pond'].toSorted())
    expectProblem(await ask('PATCH', `/${id}/settings`, { leftOut: [0] }), 400)
  }, 60_000)

  it('is made on a machine that has not seen the files, and says what cannot be updated', async () => {
    const database = await createDatabase()
    const { ask, bring, done, good, step } = await startImports(database)
    const id = await bring('hydrants.csv', three)
    await done(id)
    const said = { kind: 'asset', type: 'water', columns: { id: 'Nr', name: 'Label' }, onlyFields: ['name'] }
    await good('PATCH', `/${id}/settings`, said)
    expectRefusal(
      await ask('PATCH', `/${id}/settings`, { onlyFields: ['owner'] }),
      400,
      /owner is no field of asset/,
    )
    rmSync(workingFolder(database.location.dataDirectory, { mapId: 'oak-hills', id }), { recursive: true })
    expect(await step(id, 'try')).toMatchObject({ state: 'tried', outcome: { created: 2 } })
    // Of another kind other fields are meant.
    const other = await good('PATCH', `/${id}/settings`, { kind: 'parcel', type: null, columns: {} })
    expect(other).toMatchObject({ state: 'examined', settings: { onlyFields: null } })
  }, 60_000)
})

onEngine('sqlite', 'the trial of shapes', (createDatabase) => {
  it('gives the refused ones back as GeoJSON, which can be imported when they are mended', async () => {
    const database = await createDatabase()
    const { app, bring, done, good, step, trial } = await startImports(database)
    const feature = (id: number, coordinates: unknown) => ({
      type: 'Feature',
      id: `h${id}`,
      properties: { id, name: `Hydrant ${id}` },
      geometry: { type: 'Point', coordinates },
    })
    const features = [feature(1, [-111, 34]), feature(2, [-111, 134])]
    const id = await bring('hydrants.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
    await done(id)
    await good('PATCH', `/${id}/settings`, { kind: 'asset', type: 'water' })
    await step(id, 'try')
    const file = (await app.send(trial(id, '/refused'))).json()
    expect(file.features).toEqual([
      {
        ...feature(2, [-111, 134]),
        properties: { id: 2, name: 'Hydrant 2', problem: expect.stringMatching(/134/) },
      },
    ])
  }, 60_000)
})

onEngine('sqlite', 'the files of an import', (createDatabase) => {
  it('come in pieces that may come again, and are refused in words', async () => {
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
    expectRefusal(await put(10, Buffer.alloc(bytes.length)), 400, /exceed the announced/)
    expectRefusal(await ask('PUT', `/${id}/files/1?offset=0`, bytes), 404, /no such upload/)
    // Announced again it has what came.
    expect(
      await good('POST', '', { id, files: [{ name: 'hydrants.csv', size: bytes.length }] }),
    ).toMatchObject({
      state: 'receiving',
      files: [{ received: 10 }],
    })
    expectRefusal(await ask('POST', '', { id, files: [{ name: 'other.csv', size: 4 }] }), 409, /has this id/)
    await good('PUT', `/${id}/files/0?offset=10`, bytes.subarray(10))
    expect(await done(id)).toMatchObject({ state: 'examined' })
    expect(existsSync(workingFolder(database.location.dataDirectory, { mapId: 'oak-hills', id }))).toBe(true)
    expect(filesBelow(app.store.place)).toHaveLength(2)
  })

  it('are whole, however two senders cut them at the same time', async () => {
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

  it('may be called anything', async () => {
    const database = await createDatabase()
    const { good, announce, done } = await startImports(database)
    const bytes = Buffer.from(three)
    for (const name of ['..', '.', '../../x.csv', 'a/b.csv', 'Grundstücke.csv', `${'x'.repeat(251)}.csv`]) {
      const id = await announce({ name, size: bytes.length })
      await good('PUT', `/${id}/files/0?offset=0`, bytes)
      expect(await done(id), name).toMatchObject({ state: 'examined', files: [{ name }] })
    }
  })

  it('are at most so many', async () => {
    const database = await createDatabase()
    const { ask, announce } = await startImports(database)
    for (let count = 0; count < 50; count++) await announce({ name: 'hydrants.csv', size: 1 })
    const body = { id: randomUUID(), files: [{ name: 'hydrants.csv', size: 1 }] }
    expectRefusal(await ask('POST', '', body), 409, /There are 50 imports of this map/)
  })

  it('are no larger than the operator lets them be', async () => {
    const database = await createDatabase()
    const { ask, bring, done, good, step } = await startImports(database, { mostFeatures: 2 })
    const files = [1, 2].map((part) => ({ name: `lots-${part}.csv`, size: 101 * 1024 ** 2 }))
    const announced = await ask('POST', '', { id: randomUUID(), files })
    expectRefusal(announced, 400, /at most 200 MB together/)
    const id = await bring('hydrants.csv', three)
    await done(id)
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    expect(await step(id, 'try')).toMatchObject({
      state: 'examined',
      problem: 'The file has more than 2 rows, which are the most that come in at once. Divide it.',
    })
  })

  it('are listed without what was found in them, however much that is', async () => {
    const database = await createDatabase()
    const { ask, bring, done } = await startImports(database)
    const columns = Array.from({ length: 2_000 }, (_, number) => `column ${number}`).join()
    const rows = Array.from({ length: 20 }, (_, row) =>
      `${`${row + 10}`.repeat(20)},`.repeat(2_000).slice(0, -1),
    )
    const id = await bring('wide.csv', [columns, ...rows].join('\n'))
    const draft = await done(id)
    expect(draft.found?.columns).toHaveLength(2_000)
    expect(draft.found?.columns[0]?.examples).toHaveLength(3)
    expect(JSON.stringify(draft).length).toBeLessThan(1.1 * 2 ** 20)
    const [listed] = (await ask('GET', '')).json<ImportDrafts>().items
    expect(listed).toMatchObject({ id, state: 'examined', outcome: null })
    expect(listed).not.toHaveProperty('found')
  })

  it('are refused where nothing can be read from them, and forgotten with the draft', async () => {
    const database = await createDatabase()
    const { app, ask, bring, done, good } = await startImports(database)
    const id = await bring('plan.pdf', '%PDF-1.4 nothing')
    expect(await done(id)).toMatchObject({ state: 'refused', problem: expect.stringContaining('a PDF') })
    expectRefusal(await ask('POST', `/${id}/try`), 409, /It is refused/)
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
    expectRefusal(await ask('GET', `/${id}`), 404, /no import/)
    expect(filesBelow(app.store.place)).toEqual([])
    expect(await good('GET', '')).toEqual({ items: [], mostBytes: 200 * 1024 ** 2 })
  })

  it('that keep their reader busy forever are stopped', async () => {
    const database = await createDatabase()
    const { bring, done } = await startImports(database, { mostSilentMs: 1 })
    const id = await bring('hydrants.csv', three)
    expect(await done(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('made no progress'),
    })
  })

  it('are tried as soon as they have been examined again, and a change of settings says that they are', async () => {
    const database = await createDatabase()
    const { ask, bring, done, good } = await startImports(database)
    const id = await bring('hydrants.csv', three)
    await done(id)
    expectRefusal(await ask('POST', `/${id}/try`), 400, /kind/)
    const say = (settings: object) => good('PATCH', `/${id}/settings`, settings)
    expect(await say({ kind: 'asset' })).toMatchObject({ state: 'examined', isExaminedAgain: false })
    const swapped = { areCoordinatesSwapped: true }
    expect(await say(swapped)).toMatchObject({ state: 'examining', isExaminedAgain: true })
    expect(await good('POST', `/${id}/try`)).toMatchObject({ state: 'examining' })
    expect(await done(id)).toMatchObject({ state: 'tried', outcome: { rows: 3 } })
    expect(await say({ areCoordinatesSwapped: false })).toMatchObject({ state: 'examining' })
    await good('POST', `/${id}/try`)
    await good('POST', `/${id}/cancel`)
    expect(await done(id)).toMatchObject({ state: 'examined', outcome: null })
  })

  it('say that their layer must be chosen when a trial was asked for while they were examined', async () => {
    const database = await createDatabase()
    const { announce, done, good } = await startImports(database)
    const names = ['a.csv', 'b.csv']
    const id = await announce(...names.map((name) => ({ name, size: three.length })))
    for (const index of names.keys()) await good('PUT', `/${id}/files/${index}?offset=0`, Buffer.from(three))
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    await good('POST', `/${id}/try`)
    expect(await done(id)).toMatchObject({
      state: 'examined',
      problem: expect.stringContaining('layer: must be chosen'),
    })
  })

  it('can be cancelled and tried anew; a trial that fails says why', async () => {
    const database = await createDatabase()
    const { ask, bring, done, good, step } = await startImports(database)
    const id = await bring('hydrants.csv', 'Nr,Label\n1,North gate\n')
    await done(id)
    expectRefusal(await ask('POST', `/${id}/try`), 400, /kind/)
    const say = (settings: object) => ask('PATCH', `/${id}/settings`, settings)
    expectRefusal(await say({ kind: 'asset', type: 'fire' }), 400, /fire is no type of asset/)
    expectRefusal(await say({ kind: 'asset', columns: { owner: 'Nr' } }), 400, /is no field of asset/)
    expectRefusal(await say({ type: 'fire' }), 400, /must be said before/)
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    expect(await step(id, 'try')).toMatchObject({
      state: 'examined',
      problem: expect.stringMatching(
        /no column for latitude and longitude; .* Say among the columns which is the/,
      ),
    })
    await good('POST', `/${id}/try`)
    expect(await good('POST', `/${id}/cancel`)).toMatchObject({ state: 'examined', problem: null })
    // Whoever takes up the job of what was cancelled does nothing.
    expect(await done(id)).toMatchObject({ state: 'examined', outcome: null })
    expectRefusal(await ask('POST', `/${id}/import`), 409, /waiting for what it is/)
  })
})
