import { expect, it } from 'vitest'
import { detectedLayout } from '#domain/imports/import-layout.schema.ts'
import type { TrialPlaces } from '#domain/imports/import-trial.schema.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { dxfOf } from '#test/imports/file-bytes.ts'
import { startImports } from '#test/imports/import-drafts.ts'
import { cellOf, odsOf, workbookOf } from '#test/imports/spreadsheets.ts'
import { expectProblem } from '#test/server/test-app.ts'

onEngine('sqlite', 'files with places and dates', (createDatabase) => {
  it('examines, previews and imports an extent across the date line', async () => {
    const { good, prepare, change, step } = await startImports(await createDatabase())
    const places = '1,Naitaba,-179.27,-17.02\n2,Taveuni,179.98,-16.85\n3,Rabi,179.97,-16.5\n'
    const crossing = { west: 179.97, south: -17.02, east: -179.27, north: -16.5 }
    const id = await prepare('islands.csv', `id,name,longitude,latitude\n${places}`)
    expect((await good('GET', `/${id}`)).found?.extent).toEqual(crossing)
    await change(id, { kind: 'asset', type: 'water' })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 3, extent: crossing })
    expect((await step(id, 'import')).outcome).toMatchObject({ created: 3, extent: crossing })
  })

  it('detects a layout, asks for unclear dates, takes overrides, and keeps them for the next edition', async () => {
    const { ask, good, upload, prepare, change, done, step } = await startImports(await createDatabase())
    const table = `Oak Hollow;;;;
No;Name;Place;Seen;Street
1;Gate;POINT (-111.3 34.2);01/02/2021;Elm St
2;Pond;POINT (-111.31 34.21);03/04/2021;Oak St
3;Mill;POINT (-111.32 34.22);soon;Oak St
`
    const id = await prepare('trees-2025.csv', table)
    const { found } = await good('GET', `/${id}`)
    expect(found?.layout).toMatchObject({
      headerRow: 2,
      geometryColumn: { name: 'Place', notation: 'wkt', isOfPoints: true },
      dates: [{ column: 'Seen', order: null, examples: ['01/02/2021', '03/04/2021'] }],
    })
    expect(found?.layout?.firstRows.slice(0, 2)).toEqual([
      ['Oak Hollow', '', '', '', ''],
      ['No', 'Name', 'Place', 'Seen', 'Street'],
    ])
    await change(id, { kind: 'incident' })
    expect((await change(id, { columns: { id: 'No' } })).matches).toMatchObject({
      No: 'id',
      Name: 'title',
      Place: 'wkt',
    })

    await change(id, { columns: { id: 'No', date: 'Seen' } })
    expect((await step(id, 'try')).outcome).toMatchObject({
      created: 0,
      refused: 3,
      unclearDates: [{ column: 'Seen' }],
      doubts: [expect.stringContaining('could be day first or month first')],
      filled: expect.arrayContaining([
        expect.objectContaining({
          column: 'Seen',
          notUnderstood: 3,
          unknownRows: expect.arrayContaining([{ row: 3, value: 'soon' }]),
        }),
      ]),
    })
    const layout = {
      ...detectedLayout,
      dates: { Seen: 'day-first' },
      joined: { title: ['Name', 'Street'] },
      constants: { severity: 'low' },
    }
    await change(id, { layout })
    const decided = { created: 2, refused: 1, doubts: [], unclearDates: [] }
    expect((await step(id, 'try')).outcome).toMatchObject(decided)
    await step(id, 'import')

    const next = await upload('trees-2026.csv', table.replace('Gate', 'Door'))
    expect((await done(next)).settings.layout).toEqual(layout)
    expect((await step(next, 'try')).outcome).toMatchObject({ updated: 1, unchanged: 1 })

    expect(await change(next, { layout: { ...layout, headerRow: 3 } })).toMatchObject({
      state: 'examining',
    })
    expect((await done(next)).found?.columns.map(({ name }) => name)[1]).toBe('Door')
    const wrong = { ...detectedLayout, constants: { owner: 'Ann' } }
    expectProblem(await ask('PATCH', `/${next}/settings`, { layout: wrong }), 400)
  })

  it('reads an OpenDocument spreadsheet, whose first row names the columns', async () => {
    const { good, prepare, change, step, trialRows } = await startImports(await createDatabase())
    const table = [
      ['No', 'Label', 'Lat', 'Lon'],
      ['007', 'Élan pond', '34.2', '-111.3'],
      ['8', 'Gate', '', ''],
    ]
    const id = await prepare('lots.ods', await odsOf(table))
    const { found } = await good('GET', `/${id}`)
    expect(found).toMatchObject({ layers: [{ label: 'Lots', rows: 2 }] })
    expect(found?.columns.map(({ name }) => name)).toEqual(table[0])
    await change(id, { kind: 'asset', type: 'water', columns: { id: 'No', name: 'Label' } })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 1, refused: 1 })
    expect((await trialRows(id)).items).toMatchObject([
      { name: 'Élan pond', place: { lat: 34.2, lng: -111.3 } },
      { sourceId: '8', reason: 'it has no latitude and no longitude' },
    ])
  })

  it('suggests projections of a DXF drawing by the land of the map, and reads the layer of each line', async () => {
    const { ask, good, prepare, change, done, step, trialRows } = await startImports(await createDatabase())
    const square = (x: number, y: number) =>
      [
        [x, y],
        [x + 200, y],
        [x + 200, y + 200],
        [x, y + 200],
      ] as const
    const lots = { LOTS: square(949_000, 1_110_000), POOL: square(949_500, 1_110_200) }
    const id = await prepare('land.dxf', dxfOf(lots))
    expect((await good('GET', `/${id}`)).found).toMatchObject({
      layer: null,
      layers: [{ needsProjection: true, rows: 2 }],
      suggested: expect.arrayContaining([
        expect.objectContaining({ projection: 'EPSG:2223', kilometersOff: 0 }),
      ]),
    })
    await change(id, { projection: 'EPSG:2223' })
    await done(id)
    await change(id, { kind: 'asset', type: 'facility', columns: { name: 'Layer' } })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 2, refused: 0, doubts: [] })
    const { items } = await trialRows(id)
    expect(items.map(({ name }) => name)).toEqual(['LOTS', 'POOL'])
    expect(items[0]?.place?.lng).toBeCloseTo(-111.09, 1)
    expect((await ask('GET', `/${id}/sample`)).json().features).toHaveLength(2)
  })

  it('reads a workbook below its titles, with the days of Excel and every digit of its numbers', async () => {
    const database = await createDatabase()
    const { prepare, step } = await startImports(database)
    const cells = (row: number, values: readonly (string | number)[]) =>
      `<row r="${row}">${values
        .map((value, index) => {
          const at = `${'ABCDEF'[index]}${row}`
          return typeof value === 'number' ? `<c r="${at}"><v>${value}</v></c>` : cellOf(at, value)
        })
        .join('')}</row>`
    const workbook = workbookOf(
      [
        cells(1, ['Oak Hollow Owners Association']),
        cells(2, ['Incidents as of 5/1/2025']),
        cells(4, ['id', 'Parcel No', 'Name', 'Lat', 'Lon', 'Date']),
        cells(5, [7, '25341830000000011', 'Fence', 42.391, -71.099, 44196]),
        cells(6, [8, '00123', 'Gate', 42.392, -71.098, 44197.25]),
      ].join(''),
    )
    const id = await prepare('incidents.xlsx', workbook, { kind: 'incident', type: 'other' })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 2, refused: 0 })
    await step(id, 'import')
    const rows = await database.read
      .selectFrom('features')
      .select(['name', 'date', 'metadata'])
      .where('kind', '=', 'incident')
      .orderBy('name')
      .execute()
    const expected = (name: string, date: string, parcel: string, id: string) => ({
      name,
      date: Date.parse(date),
      metadata: JSON.stringify([
        { name: 'id', value: id },
        { name: 'Parcel No', value: parcel },
      ]),
    })
    expect(rows).toEqual([
      expected('Fence', '2020-12-31T00:00:00Z', '25341830000000011', '7'),
      expected('Gate', '2021-01-01T06:00:00Z', '00123', '8'),
    ])
  })

  it('has the notes of the rows in the outcome', async () => {
    const { prepare, step } = await startImports(await createDatabase())
    const poles = Buffer.from('id,lat,lng,installDate,owner\n1,34,-111,2020-12,Se\u00f1or\n', 'latin1')
    const id = await prepare('poles.csv', poles, { kind: 'asset' })
    const notes = [
      'Some text is not valid UTF-8 and was read as Windows-1252.',
      'No column for the name. Choose one.',
      expect.stringContaining('Dates without a day in installDate were not imported: "2020-12".'),
    ]
    expect((await step(id, 'try')).outcome).toMatchObject({ notes })
    expect((await step(id, 'import')).outcome).toMatchObject({ notes })
  })
})

onEachEngine('an export without places', (createDatabase) => {
  it('updates features without moving them, and refuses rows of features that do not exist', async () => {
    const database = await createDatabase()
    const { app, good, prepare, change, step, trial, trialRows } = await startImports(database)
    const place = await database.read
      .selectFrom('features')
      .select(['geometry', 'lng', 'lat', 'west', 'size', 'shape'])
      .executeTakeFirstOrThrow()
    const rows = ['tank,asset,oak-hills,North tank', ',asset,oak-hills,Shed', 'shed,asset,oak-hills,Shed']
    const id = await prepare('assets.csv', ['id,kind,mapId,name', ...rows].join('\n'))
    expect((await good('GET', `/${id}`)).found).toMatchObject({ extent: null, suggested: [] })
    await change(id, { kind: 'asset' })
    expect((await step(id, 'try')).outcome).toMatchObject({
      updated: 1,
      refused: 2,
      created: 0,
      doubts: [],
    })
    const { items } = await trialRows(id)
    const { lng, lat } = place
    expect(items).toMatchObject([
      {
        rowNumber: 1,
        outcome: 'updated',
        place: { lng, lat },
        changes: [{ field: 'name', after: 'North tank' }],
      },
      {
        rowNumber: 2,
        outcome: 'refused',
        name: 'Shed',
        place: null,
        reason: 'it has no latitude and no longitude',
      },
      {
        rowNumber: 3,
        outcome: 'refused',
        place: null,
        reason: 'it has no location, and the map has no feature shed with a location',
        columns: expect.arrayContaining([['name', 'Shed']]),
      },
    ])
    expect(items[0]?.changes).toHaveLength(1)
    const { features } = (await app.send(trial(id, '/places?bbox=-180,-90,180,90'))).json<TrialPlaces>()
    expect(features).toMatchObject([{ geometry: JSON.parse(place.geometry), properties: { rowNumber: 1 } }])

    expect(await step(id, 'import')).toMatchObject({
      state: 'imported',
      outcome: { updated: 1, refused: 2 },
    })
    const stored = await database.read.selectFrom('features').selectAll().execute()
    expect(stored).toMatchObject([{ ...place, name: 'North tank', version: 2 }])
  })
})

onEngine('sqlite', 'a column called problem', (createDatabase) => {
  const metadataOf = async (database: Awaited<ReturnType<typeof createDatabase>>, name: string) => {
    const { metadata } = await database.read
      .selectFrom('features')
      .select('metadata')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return JSON.parse(metadata)
  }

  it('is left out of a file of refused rows, unless it is chosen', async () => {
    const database = await createDatabase()
    const { app, good, prepare, change, step, trial } = await startImports(database)
    const settings = { kind: 'asset', type: 'water', columns: { id: 'Nr', name: 'Label' } }
    const rows = 'Nr,Label,Ward,Lat,Lon\n1,Pond,North,,\n2,Gate,South,34.2,-111.3\n'
    const id = await prepare('hydrants.csv', rows, settings)
    await step(id, 'try')
    const refused = (await app.send(trial(id, '/refused'))).body
    expect(refused).toContain('Lon,problem\r\n')

    const fixed = refused.replace('North,,', 'North,34.21,-111.31')
    const next = await prepare('hydrants.csv', fixed, settings)
    expect((await good('GET', `/${next}`)).matches).not.toHaveProperty('problem')
    expect((await step(next, 'try')).outcome).toMatchObject({ created: 1, refused: 0, kept: ['Ward'] })
    await change(next, { keptFor: { problem: 'staff' } })
    expect((await step(next, 'try')).outcome).toMatchObject({ kept: ['Ward', 'problem'] })
    await change(next, { keptFor: {} })
    await step(next, 'try')
    await step(next, 'import')
    const metadata: { name: string }[] = await metadataOf(database, 'Pond')
    expect(metadata.map(({ name }) => name)).toEqual(['Nr', 'Ward'])
  })

  it('in the file itself stays, and problems of refused rows get another column', async () => {
    const { app, prepare, step, trial } = await startImports(await createDatabase())
    const settings = { kind: 'incident', type: 'fallen_tree', columns: { title: 'problem' } }
    const rows = 'Nr,problem,Lat,Lon\n1,Leans,,\n2,Fell,34.2,-111.3\n'
    const id = await prepare('trees.csv', rows, settings)
    await step(id, 'try')
    const { body } = await app.send(trial(id, '/refused'))
    expect(body).toContain(
      'Nr,problem,Lat,Lon,problem of import\r\n1,Leans,,,it has no latitude and no longitude\r\n',
    )
  })

  it('in the metadata of an exported feature stays', async () => {
    const database = await createDatabase()
    const { prepare, step } = await startImports(database)
    const { name } = await database.read.selectFrom('features').select('name').executeTakeFirstOrThrow()
    const metadata = [{ name: 'problem', value: 'Leaks' }]
    const quoted = JSON.stringify(JSON.stringify(metadata)).replaceAll('\\"', '""')
    const table = `id,kind,mapId,metadata\ntank,asset,oak-hills,${quoted}\n`
    const id = await prepare('assets.csv', table, { kind: 'asset' })
    await step(id, 'try')
    await step(id, 'import')
    expect(await metadataOf(database, name)).toEqual(metadata)
  })
})
