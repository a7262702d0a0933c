import { expect, it } from 'vitest'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { contentOf, options, table } from '#test/imports/hydrant-imports.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { importFeatures } from './import-features.ts'
import type { ReportedRow } from './import-watch.ts'

const namesOf = async (database: TestDatabase) =>
  (await contentOf(database)).features.map(({ name, version }) => `${name} v${version}`)

onEachEngine('an import', (createDatabase, { engine }) => {
  it('creates the client, its map and the features, and records it', async () => {
    const database = await createDatabase()
    const result = await importFeatures(database, table('1,A,34,-111,x', '2,B,35,-110,y'), {
      ...options,
      actor: { id: null, name: 'ann' },
    })
    expect(result).toEqual({
      importId: result.importId,
      rows: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 0,
      repaired: 0,
      leftOut: 0,
      removedHere: 0,
      gone: 0,
      editsKept: 0,
      filled: ['id', 'latitude', 'longitude', 'name'].map((field) => ({
        field,
        column: { latitude: 'lat', longitude: 'lng' }[field] ?? field,
        rows: 2,
        notUnderstood: 0,
      })),
      kept: ['note'],
      unclearDates: [],
      likelyId: null,
      notes: [],
    })
    const { clients, features, staged, imports, changes, activity } = await contentOf(database)
    expect(clients).toMatchObject([
      { map_id: 'oak-hill', name: 'Oak Hill', location: 'Payson, AZ', archived_at: null },
    ])
    expect(features).toMatchObject([
      { name: 'A', version: 1, import_id: result.importId },
      { name: 'B', version: 1, import_id: result.importId },
    ])
    expect(staged).toEqual([])
    expect(imports).toMatchObject([
      {
        id: result.importId,
        source: 'hydrants',
        kind: 'asset',
        state: 'done',
        created_count: 2,
        updated_count: 0,
        refused_count: 0,
      },
    ])
    expect(changes).toEqual([
      { import_id: result.importId, previous: null },
      { import_id: result.importId, previous: null },
    ])
    expect(activity).toMatchObject([
      {
        action: 'features.imported',
        actor: 'ann',
        subject: result.importId,
        west: -111,
        south: 34,
        east: -110,
        north: 35,
      },
    ])
    expect(JSON.parse(activity[0]?.details ?? '')).toEqual({
      importId: result.importId,
      source: 'hydrants',
      kind: 'asset',
      created: 2,
      updated: 0,
      refused: 0,
      removed: 0,
    })
  })

  it('is found by search and by place', async () => {
    const database = await createDatabase()
    await importFeatures(database, table('1,Hydrant Maple,34,-111,x'), options)
    const find = database.read.selectFrom('features').select('name')
    const box = { west: -112, south: 33, east: -110, north: 35 }
    expect(await find.where(database.dialect.matchesWords(options.mapId, ['map'])).execute()).toHaveLength(1)
    expect(await find.where(database.dialect.intersects(options.mapId, box)).execute()).toHaveLength(1)
  })

  it('changes nothing the second time', async () => {
    const database = await createDatabase()
    const rows = ['1,A,34,-111,x', '2,B,35,-110,']
    await importFeatures(database, table(...rows), options)
    const before = await contentOf(database)
    const again = await importFeatures(database, table(...rows), options)
    expect(again).toMatchObject({ importId: null, created: 0, updated: 0, unchanged: 2 })
    expect(await contentOf(database)).toEqual(before)
  })

  it('updates changed features, adds new ones, and keeps the rest', async () => {
    const database = await createDatabase()
    await importFeatures(database, table('1,A,34,-111,x', '2,B,35,-110,y'), options)
    const before = await contentOf(database)
    const result = await importFeatures(
      database,
      table('3,C,36,-109,z', '2,B,10,-108,y', '1,A,34,-111,x'),
      options,
    )
    expect(result).toMatchObject({ created: 1, updated: 1, unchanged: 1 })
    const after = await contentOf(database)
    expect(await namesOf(database)).toEqual(['A v1', 'B v2', 'C v1'])
    expect(after.features[0]).toEqual(before.features[0])
    expect(after.features[1]?.created_at).toBe(before.features[1]?.created_at)
    expect(after.activity[1]).toMatchObject({ west: -110, south: 10, east: -108, north: 36 })
  })

  it('stages and publishes more rows than one batch', async () => {
    const database = await createDatabase()
    const rows = (name: string) =>
      table(...Array.from({ length: 4_321 }, (_, index) => `${index},${name} ${index},34,-111,x`))
    const seen: string[] = []
    const result = await importFeatures(database, rows('A'), options, {
      onProgress: ({ phase, rows }) => seen.push(`${phase} ${rows}`),
    })
    expect(result).toMatchObject({ created: 4_321 })
    expect(seen).toEqual(
      expect.arrayContaining([
        'reading 500',
        'reading 4000',
        'reading 4321',
        ...(engine === 'postgres' ? ['publishing 2000'] : []),
        'publishing 4321',
      ]),
    )
    expect(await importFeatures(database, rows('B'), options)).toMatchObject({ updated: 4_321 })
  })
})

onEngine('sqlite', 'an import', (createDatabase) => {
  it('detects that a value was added or removed', async () => {
    const database = await createDatabase()
    const rows = (type: string) => inputOf(`id,name,lat,lng,type\n1,A,34,-111,${type}`)
    await importFeatures(database, rows(''), options)
    expect(await importFeatures(database, rows('water'), options)).toMatchObject({ updated: 1 })
    expect(await importFeatures(database, rows(''), options)).toMatchObject({ updated: 1 })
  })

  it('keeps other kinds and other sources apart', async () => {
    const database = await createDatabase()
    await importFeatures(database, table('1,A,34,-111,x'), options)
    await importFeatures(database, table('1,B,34,-111,x'), { ...options, source: 'poles' })
    await importFeatures(database, table('1,C,34,-111,x'), { ...options, kind: 'parcel' })
    expect(await namesOf(database)).toEqual(['A v1', 'B v1', 'C v1'])
  })

  it('refuses rows with a reason, and imports the others', async () => {
    const database = await createDatabase()
    const reported: ReportedRow[] = []
    const input = table(
      '1,A,34,-111,x',
      '1,B,34,-111,x',
      '2,C,,-111,x',
      '3,D,34',
      ',E,34,-111,x',
      ',E,34,-111,x',
    )
    const result = await importFeatures(database, input, options, { onRow: (row) => reported.push(row) })
    expect(result).toMatchObject({ rows: 6, created: 2, refused: 4 })
    expect(reported).toMatchObject([
      {
        rowNumber: 2,
        line: 3,
        sourceId: '1',
        outcome: 'refused',
        reason: 'id "1" is already used in row 1',
      },
      { rowNumber: 3, line: 4, sourceId: '2', outcome: 'refused', reason: 'it has no latitude' },
      {
        rowNumber: 4,
        line: 5,
        sourceId: '3',
        outcome: 'refused',
        reason: 'it has 3 cells, but the header has 5',
      },
      {
        rowNumber: 6,
        line: 7,
        sourceId: undefined,
        outcome: 'refused',
        reason: 'it is the same as row 5 and has no id',
      },
    ])
  })

  it('refuses only the row whose short link to a map contains no place', async () => {
    const reported: ReportedRow[] = []
    const links = 'id,Map\n1,https://maps.app.goo.gl/AbC\n2,"42.39,-71.09"\n'
    const watch = { onRow: (row: ReportedRow) => reported.push(row) }
    const result = await importFeatures(await createDatabase(), inputOf(links), options, watch)
    expect(result).toMatchObject({ created: 1, refused: 1 })
    expect(reported).toMatchObject([{ rowNumber: 1, reason: expect.stringContaining('its short link') }])
  })

  it('creates nothing, not even a client, if every row is refused', async () => {
    const database = await createDatabase()
    const before = await contentOf(database)
    expect(await importFeatures(database, table('1,A,95,-111,x'), options)).toMatchObject({
      importId: null,
      refused: 1,
    })
    expect(await contentOf(database)).toEqual(before)
  })

  it('repairs polygons and reports them', async () => {
    const database = await createDatabase()
    const reported: ReportedRow[] = []
    const bowTie = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    }
    const input = inputOf(JSON.stringify([{ type: 'Feature', id: 9, properties: {}, geometry: bowTie }]))
    const result = await importFeatures(database, input, options, { onRow: (row) => reported.push(row) })
    expect(result).toMatchObject({ created: 1, repaired: 1, refused: 0 })
    expect(reported).toEqual([
      {
        rowNumber: 1,
        line: undefined,
        sourceId: '9',
        name: 'Asset 9',
        outcome: 'repaired',
        reason: 'its polygon crosses itself near 0.500000, 0.500000',
      },
    ])
  })
})
