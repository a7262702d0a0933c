import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { quoteCell } from '#domain/exports/csv-cell.ts'
import {
  type ExportFormat,
  formatFacts,
  identityColumns,
  isConverted,
} from '#domain/exports/export-format.ts'
import { type CustomFields, noCustomFields } from '#domain/features/custom-fields.ts'
import { type NewFeature, newFeature } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { incidentTypes, knownSeverityLabels } from '#domain/incidents/incident-types.ts'
import { isStorableText } from '#domain/values/text.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  squareRing,
  storeClient,
  storeFeatures,
  storeFields,
} from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { times } from '#test/random/how-much.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'
import { makeReadable } from '../imports/conversion/readable-file.ts'
import { chunksOfFile } from '../imports/formats/read-records.ts'
import { importFeatures } from '../imports/import-features.ts'
import { toWkt } from './export-columns.ts'

// Importing an export again gives the same rows, in each lossless format.

const holdsEverything = ['geojson', 'geojsonl', 'csv', 'gpkg', 'fgb'] as const satisfies ExportFormat[]

const field = { choices: [], isRequired: false, visibleTo: 'everyone' as const, help: null }
const own: CustomFields[keyof CustomFields] = [
  { ...field, key: 'gateCode', label: 'Gate code', type: 'line', visibleTo: 'staff' as const },
  { ...field, key: 'height', label: 'Height', type: 'number' },
  { ...field, key: 'checked', label: 'Checked', type: 'day' },
  { ...field, key: 'isOpen', label: 'Is open', type: 'flag' },
  { ...field, key: 'manual', label: 'Manual', type: 'link' },
  {
    ...field,
    key: 'color',
    label: 'Color',
    type: 'choice',
    choices: [{ key: 'safetyYellow', label: 'Safety yellow' }],
  },
]
const customFields: CustomFields = { ...noCustomFields, incident: own, asset: own, parcel: own, feature: own }

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
const fraction = fc.integer({ min: 2 ** 50, max: 2 ** 53 }).map((part) => part / 2 ** 53)
const position: fc.Arbitrary<Position> = fc.oneof(
  fc.tuple(double(-112, -110), double(33, 35)),
  fc.tuple(fraction, fraction),
)
const line = fc.uniqueArray(position, { minLength: 2, maxLength: 5, selector: String })

const polygon = fc
  .tuple(double(-112, -110), double(33, 35), double(0.01, 0.1), fc.boolean(), fc.boolean())
  .map(([west, south, side, isTurned, isHoleTurned]): Position[][] => {
    const outer = squareRing(west, south, side)
    const hole = squareRing(west + side / 3, south + side / 3, side / 3)
    return [isTurned ? outer.toReversed() : outer, isHoleTurned ? hole.toReversed() : hole]
  })
const away = (rings: Position[][]) => rings.map((ring) => ring.map(([lng, lat]): Position => [lng + 5, lat]))

const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  line.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  position.map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates: [coordinates] })),
  line.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  fc
    .array(line, { minLength: 1, maxLength: 2 })
    .map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  polygon.map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
  polygon.map((coordinates): Geometry => ({ type: 'MultiPolygon', coordinates: [coordinates] })),
  polygon.map(
    (coordinates): Geometry => ({ type: 'MultiPolygon', coordinates: [coordinates, away(coordinates)] }),
  ),
)

const tricky = [
  '=1+1',
  "'=1",
  "''-x",
  '+5',
  '@x',
  '\tx',
  '-12',
  '007',
  '1e5',
  'true',
  'null',
  '2020/01/02',
  '2026-05-20T08:30:00Z',
  '{"a":1}',
  '[]',
  'a "quoted", text',
  'two\r\nlines',
  'one\nmore',
  '  spaces  ',
  "it's",
  '水',
  'POINT (1 2)',
  ' ',
  '<&>',
]
const prose = fc.oneof(
  fc.constantFrom('', ...tricky),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isStorableText),
)
const name = prose.filter((text) => text.trim() !== '')
const words = fc.option(name)
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const instant = fc.oneof(
  fc.constantFrom('1969-12-31T23:59:59.999Z', '2026-01-01T00:00:00.001Z'),
  fc
    .date({ min: new Date('1900-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
)
const metadata = fc.uniqueArray(
  fc.record({
    name: fc.oneof(fc.constantFrom('id', 'kind', 'name', 'owner', 'zoning.type'), name),
    value: fc.oneof(prose, double(-1e9, 1e9), fc.boolean(), fc.constant(null)),
  }),
  { maxLength: 4, selector: (one) => one.name },
)
const ownValues = fc.option(
  fc.record(
    {
      gateCode: name,
      height: double(-1e6, 1e6),
      checked: day,
      isOpen: fc.boolean(),
      manual: fc.constant('https://example.com/?a=1,2'),
      color: fc.constant('safetyYellow'),
    },
    { requiredKeys: [] },
  ),
)

const shared = { mapId: fc.constant('oak-hills'), metadata, description: prose, own: ownValues }
const incident = fc.record({
  ...shared,
  kind: fc.constant('incident'),
  geometry: position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  title: name,
  type: fc.option(fc.constantFrom(...incidentTypes)),
  severity: fc.option(fc.constantFrom(...Object.keys(knownSeverityLabels))),
  date: fc.option(instant),
  resolved: fc.boolean(),
  resolvedDate: fc.option(instant),
  reportedBy: words,
  parcelId: fc.option(fc.constantFrom('f0', 'f1')),
})
const asset = fc.record({
  ...shared,
  kind: fc.constant('asset'),
  geometry,
  name,
  type: fc.option(fc.constantFrom(...assetTypes)),
  status: fc.constantFrom('operational', 'maintenance', 'offline'),
  installDate: fc.option(day),
  lastMaintenance: fc.option(day),
  maintenancePlan: fc.option(
    fc.record({
      task: words,
      everyMonths: fc.constant(12),
      month: fc.constant(null),
      firstDue: fc.option(day),
    }),
  ),
  maintenanceHistory: fc.array(fc.record({ date: day, description: name }), { maxLength: 4 }),
  parcelId: fc.option(fc.constantFrom('f0', 'f1')),
})
const parcel = fc.record({
  ...shared,
  kind: fc.constant('parcel'),
  geometry,
  name,
  owner: words,
  area: fc.option(double(0, 1e6)),
  buildings: fc.option(fc.nat(50)),
  purchaseDate: fc.option(day),
  zoning: fc.option(fc.record({ type: fc.oneof(fc.constant(''), name), restrictions: words })),
  taxInfo: fc.option(fc.record({ annualAmount: fc.option(double(0, 1e6)), lastPaid: fc.option(day) })),
})
const general = fc.record({
  ...shared,
  kind: fc.constant('feature'),
  geometry,
  name,
  status: fc.constantFrom('operational', 'offline'),
  featureType: fc.constantFrom('asset', 'incident', 'parcel', 'water'),
  type: fc.constant(null),
  date: fc.option(instant),
})
const features = fc
  .array(fc.oneof(incident, asset, parcel, general), { minLength: 1, maxLength: 20 })
  .map((some): NewFeature[] => some.map((one, index) => newFeature.parse({ ...one, id: `f${index}` })))

const points = fc
  .array(
    incident.map((one) => ({ ...one, title: `${one.title} and ${'long '.repeat(55)}` })),
    { minLength: 1, maxLength: 10 },
  )
  .map((some): NewFeature[] => some.map((one, index) => newFeature.parse({ ...one, id: `f${index}` })))

onEngine('sqlite', 'an export that is imported again', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFields(database, 'oak-hills', customFields)
    const settings = { DATA_DIR: database.location.dataDirectory }
    const app = await startTestApp(database, { settings })
    return { database, app, staff: await signIn(database, ['editor:oak-hills']) }
  }

  it.each([
    ...holdsEverything.map((format) => [format, features, times(isConverted(format) ? 2 : 8)] as const),
    // A workbook quotes no formulas, but an import removes quotes.
    ['xlsx', features.filter((some) => !/"'+[=+\-@＝＋－＠\\]/.test(JSON.stringify(some))), times(4)],
    ['kml', features, times(2)],
    // Without what the format cannot store.
    ['shp', points, times(2)],
  ] as const)('changes nothing as %s', async (format, any, numRuns) => {
    const { database, app, staff } = await start()
    await using _ = app
    await fc.assert(
      fc.asyncProperty(any, async (some) => {
        const rows = await storeAnew(database, some)
        const result = await exportAndImport({ database, app, format, headers: staff })
        expect(await rowsOf(database)).toEqual(rows)
        expect(result).toMatchObject({ rows: some.length, unchanged: some.length, refused: 0, repaired: 0 })
      }),
      { numRuns, endOnFailure: true },
    )
  })

  it('has equal rows without some of its columns', async () => {
    const { database, app, staff } = await start()
    await using _ = app
    const most = 60
    const dropped = fc.array(fc.boolean(), { minLength: most, maxLength: most })
    await fc.assert(
      fc.asyncProperty(features, dropped, async (some, isDropped) => {
        const rows = await storeAnew(database, some)
        const answer = await app.get('/api/maps/oak-hills/export?format=csv', staff)
        const table: string[][] = parse(answer.body, { bom: true })
        expect(table[0]?.length).toBeLessThan(most)
        const [header = []] = table
        const things = header.map((name) => (name === 'longitude' ? 'latitude' : name.replace(/\..*/, '')))
        const isLeft = (_: string, index: number) =>
          [...identityColumns, 'featureType'].includes(header[index] ?? '') ||
          !isDropped[things.indexOf(things[index] ?? '')]
        const remaining = table.map((cells) => cells.filter(isLeft))
        const text = remaining.map((cells) => cells.map(quoteCell).join(',')).join('\n')
        const result = await importWhole(database, inputOf(text, 'table.csv'))
        expect(result).toMatchObject({ rows: some.length, unchanged: some.length, refused: 0 })
        expect(await rowsOf(database)).toEqual(rows)
      }),
      { numRuns: times(12), endOnFailure: true },
    )
  })
})

const rowsOf = ({ read }: TestDatabase) => read.selectFrom('features').selectAll().orderBy('id').execute()

async function storeAnew(database: TestDatabase, some: readonly NewFeature[]) {
  await database.write((transaction) => transaction.deleteFrom('features').execute())
  await database.write((transaction) => transaction.deleteFrom('maintenance_entries').execute())
  await storeFeatures(database, some)
  return rowsOf(database)
}

async function importWhole(database: TestDatabase, input: Parameters<typeof importFeatures>[1]) {
  const reported: unknown[] = []
  const options = { mapId: 'oak-hills', kind: 'asset', source: 'anything' } as const
  const result = await importFeatures(database, input, options, { onRow: (row) => reported.push(row) })
  expect(reported).toEqual([])
  return result
}

type Trip = { database: TestDatabase; app: TestApp; format: ExportFormat; headers: Record<string, string> }

async function exportAndImport({ database, app, format, headers }: Trip) {
  const answer = await app.get(`/api/maps/oak-hills/export?format=${format}`, headers)
  expect(answer.statusCode, answer.body).toBe(200)
  const folder = await mkdtemp(join(tmpdir(), 'poa-round-trip-'))
  try {
    const path = join(folder, `file.${formatFacts[format].ending}`)
    await writeFile(path, answer.rawPayload)
    const { chosen } = await makeReadable([path], folder, { layer: null, projection: null })
    if (!chosen?.file) throw new Error('There are several layers, or no projection.')
    // Not as a file, which would be read in a thread of its own.
    const input = { name: basename(path), chunks: chunksOfFile(chosen.file.path) }
    return await importWhole(database, input)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const placeOf = (row: Awaited<ReturnType<typeof rowsOf>>[number] | undefined) => {
  const { geometry, lng, lat, west, south, east, north, size, shape } = row ?? {}
  return { geometry, lng, lat, west, south, east, north, size, shape }
}

onEachEngine('an edited table that is imported again', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({
        id: 'lot',
        name: 'Lot',
        owner: 'Ann',
        metadata: [
          { name: 'Ward', value: 7 },
          { name: 'Zone', value: 'R1' },
        ],
      }),
      anAsset({ id: 'tank', name: '=Tank', description: 'Steel', status: 'offline' }),
    ])
    const importFile = (text: string, mapId = 'oak-hills') =>
      importFeatures(database, inputOf(text, 'table.csv'), { mapId, kind: 'asset', source: 'anything' })
    const read = async (id: string) => (await rowsOf(database)).find((row) => row.id === id)
    return { database, importFile, read }
  }

  it('changes the fields of its columns only', async () => {
    const { database, importFile, read } = await start()
    const before = await rowsOf(database)
    const same = await importFile(
      "id,kind,mapId,name,latitude,longitude\ntank,asset,oak-hills,'=Tank,34.05,-111.09\n",
    )
    expect(same).toMatchObject({ unchanged: 1, updated: 0, kept: [] })
    expect(await rowsOf(database)).toEqual(before)
    const changed = await importFile(
      'id,kind,mapId,name,status,latitude,longitude\ntank,asset,oak-hills,Old tank,,34.05,-111.09\n',
    )
    expect(changed).toMatchObject({ unchanged: 0, updated: 1 })
    expect(await read('tank')).toMatchObject({
      name: 'Old tank',
      description: 'Steel',
      status: 'operational',
    })
    expect(await read('tank')).toMatchObject({ search_text: expect.stringContaining('old tank') })
  })

  it('keeps locations that it has no columns for', async () => {
    const { database, importFile, read } = await start()
    const before = await rowsOf(database)
    const same = await importFile(
      "id,kind,mapId,name\nlot,parcel,oak-hills,Lot\ntank,asset,oak-hills,'=Tank\n",
    )
    expect(same).toMatchObject({ unchanged: 2, refused: 0, kept: [] })
    expect(await rowsOf(database)).toEqual(before)
    const table = 'id,kind,mapId,name,latitude,longitude,wkt\nlot,parcel,oak-hills,North lot,,,\n'
    expect(await importFile(table)).toMatchObject({ updated: 1 })
    expect(await read('lot')).toMatchObject({ name: 'North lot', ...placeOf(before[0]) })
  })

  it('rejects rows without a location if no such feature exists', async () => {
    const { database } = await start()
    const reported: [number, string][] = []
    const rows = ['tank,asset,oak-hills,New', ',asset,oak-hills,Shed', 'shed,asset,oak-hills,Shed']
    const result = await importFeatures(
      database,
      inputOf(['id,kind,mapId,name', ...rows].join('\n')),
      { mapId: 'oak-hills', kind: 'asset', source: 'any' },
      { onRow: ({ rowNumber, reason }) => reported.push([rowNumber, reason]) },
    )
    expect(result).toMatchObject({ rows: 3, updated: 1, refused: 2 })
    expect(reported).toEqual([
      [2, 'it has no latitude and no longitude'],
      [3, 'it has no location, and the map has no feature shed with a location'],
    ])
    expect((await rowsOf(database)).map(({ name }) => name)).toEqual(['Lot', 'New'])
  })

  it('is rejected if a feature whose location a row keeps is removed meanwhile', async () => {
    const { database } = await start()
    const rows = ['tank,asset,oak-hills,New,,', 'far,asset,oak-hills,Far,-34,111']
    const table = ['id,kind,mapId,name,latitude,longitude', ...rows].join('\n')
    const importing = importFeatures(
      database,
      inputOf(table, 'table.csv'),
      {
        mapId: 'oak-hills',
        kind: 'asset',
        source: 'any',
      },
      {
        async confirm() {
          await database.write((transaction) =>
            transaction.deleteFrom('features').where('id', '=', 'tank').execute(),
          )
          return true
        },
      },
    )
    await expect(importing).rejects.toThrow('tank was removed during the import. Import the file again.')
    expect((await rowsOf(database)).map(({ id }) => id)).toEqual(['lot'])
  })

  it('is rejected if two columns contradict each other: the last maintenance is the newest of the history', async () => {
    const { database, importFile } = await start()
    const maintenanceHistory = [{ date: '2025-05-01', description: 'Painted.' }]
    await storeFeatures(database, [
      anAsset({ id: 'gate', lastMaintenance: '2025-05-01', maintenanceHistory }),
    ])
    const row = 'gate,asset,oak-hills,2025-05-01,34.05,-111.09'
    const same = await importFile(`id,kind,mapId,lastMaintenance,latitude,longitude\n${row}\n`)
    expect(same).toMatchObject({ unchanged: 1, updated: 0 })
  })

  it('adds metadata from columns, and a feature for a row without an id', async () => {
    const { database, importFile, read } = await start()
    const { geometry = '' } = (await read('lot')) ?? {}
    const shape = `"${toWkt(JSON.parse(geometry))}"`
    const metadata = `"[{""name"":""Zone"",""value"":""R2""}]"`
    const rows = [
      'id,kind,mapId,metadata,Pump,latitude,longitude,wkt',
      `lot,parcel,oak-hills,${metadata},9,,,${shape}`,
      ',,,,,34,-111,',
    ]
    expect(await importFile(rows.join('\n'))).toMatchObject({ created: 1, updated: 1, refused: 0 })
    const { metadata: kept = '', fields = '' } = (await read('lot')) ?? {}
    expect(JSON.parse(kept)).toEqual([
      { name: 'Ward', value: 7 },
      { name: 'Zone', value: 'R2' },
      { name: 'Pump', value: '9' },
    ])
    expect(JSON.parse(fields)).toMatchObject({ owner: 'Ann', area: 2.5 })
    expect(await rowsOf(database)).toHaveLength(3)
  })

  it('adds features with new ids on another map', async () => {
    const { database, importFile } = await start()
    await storeClient(database, 'elm-park')
    const table = 'id,kind,mapId,name,latitude,longitude\ntank,asset,oak-hills,Tank,34,-111\n'
    expect(await importFile(table, 'elm-park')).toMatchObject({ created: 1 })
    const made = (await rowsOf(database)).find((row) => row.map_id === 'elm-park')
    expect(made?.id).toMatch(/^asset-[0-9a-f]{16}$/)
  })

  it('is rejected if a feature would change its kind', async () => {
    const { database, importFile } = await start()
    const before = await rowsOf(database)
    const row = 'lot,asset,oak-hills,,34,-111'
    await expect(importFile(`id,kind,mapId,name,latitude,longitude\n${row}\n`)).rejects.toThrow(
      'lot is an asset in the file, but a parcel on the map.',
    )
    expect(await rowsOf(database)).toEqual(before)
  })

  it.each([
    ['asset,broken,,34,-111,', 'status "broken" is not one of operational, maintenance, offline'],
    ['asset,,Ward: 7,34,-111,', 'its metadata "Ward: 7" is not a list of names and values'],
    ['asset,,,,,CIRCLE (1 2)', 'its shape "CIRCLE (1 2)" is not WKT, WKB, GeoJSON, or coordinates'],
  ])('rejects rows with their errors: %s', async (cells, reason) => {
    const { database } = await start()
    const reported: { reason: string }[] = []
    const text = `mapId,id,kind,status,metadata,latitude,longitude,wkt\noak-hills,tank,${cells}\n`
    const options = { mapId: 'oak-hills', kind: 'asset', source: 'any' } as const
    const watch = { onRow: (row: { reason: string }) => reported.push(row) }
    expect(await importFeatures(database, inputOf(text), options, watch)).toMatchObject({ refused: 1 })
    expect(reported.map((row) => row.reason)).toEqual([reason])
  })
})
