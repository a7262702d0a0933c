import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  anCustomField,
  anIncident,
  aParcel,
  point,
  storeClient,
  storeFeatures,
  storeFields,
} from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { readZip } from '../imports/conversion/unpack-zip.ts'
import { importFeatures } from '../imports/import-features.ts'
import { withScratchFile } from '../processes/scratch-file.ts'

const features = [
  anIncident({
    id: 'smoke',
    title: '@Smoke at the mill',
    severity: 'high',
    date: '2026-05-20T06:30:00.000Z',
    resolved: true,
    resolvedDate: '2026-05-21T18:00:00.000Z',
    reportedBy: 'Ann Zabriskie',
    parcelId: 'lot',
  }),
  anAsset({
    id: 'tank',
    name: 'Tank',
    status: 'maintenance',
    parcelId: 'lot',
    geometry: point(-111.08, 34.06),
    own: { gate: 'north', safe: true, code: '=1+1' },
  }),
  anAsset({ id: 'gate', name: 'Gate & "fence"', installDate: '1874-05-01', own: { safe: false } }),
  aParcel({ id: 'lot', name: 'Parcel 4 - Juniper', owner: 'Ann Zabriskie', area: 2.5 }),
]

let database: TestDatabase
let app: TestApp
let staff: Record<string, string>
const ask = (query: string, headers = {}) =>
  app.get(`/api/maps/oak-hills/export?form=reading&${query}`, headers)

/** The cells of the sheet by their address, and the XML of the other parts. */
async function workbook(query: string) {
  const answer = await ask(`format=xlsx&${query}`, staff)
  expect(answer.statusCode, answer.body).toBe(200)
  const parts = new Map<string, string>()
  const limits = { maxEntries: 20, maxUnpackedBytes: 2 ** 20, maxRatio: 1_000 }
  await withScratchFile('file.xlsx', answer.rawPayload, (path) =>
    readZip(path, limits, async ({ fileName }, bytes) => void parts.set(fileName, await text(bytes))),
  )
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? ''
  const cells = [...sheet.matchAll(/<c r="(\w+)"(?: s="(\d)")?[^>]*>(?:<v>|<is><t[^>]*>)([^<]*)/g)]
  return {
    sheet,
    workbook: parts.get('xl/workbook.xml'),
    styles: parts.get('xl/styles.xml'),
    cells: new Map(cells.map(([, address, , value]) => [address, value])),
    styleOf: (address: string) => cells.find(([, one]) => one === address)?.[2],
  }
}

onEngine('sqlite', 'an export for reading', (createDatabase) => {
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFields(database, 'oak-hills', {
      asset: [
        anCustomField('gate', {
          label: 'Next gate',
          type: 'choice',
          choices: [{ key: 'north', label: 'North gate' }],
          visibleTo: 'staff',
        }),
        anCustomField('safe', { label: '=Safe', type: 'flag' }),
        anCustomField('code', { label: 'Code' }),
      ],
    })
    await storeFeatures(database, features)
    app = await startTestApp(database, { settings: { DATA_DIR: database.location.dataDirectory } })
    staff = await signIn(database, ['editor:oak-hills'])
  })
  afterAll(() => app.close())

  it('has the columns, labels, and words of the table, without geometry', async () => {
    const { headers, body } = await ask('format=csv&sort=type&columns=type,severity,status,date,parcel')
    expect(headers['content-disposition']).toMatch(/oak-hills-features-[\d-]{10}-for-reading\.csv"$/)
    expect(body.split('\r\n')).toEqual([
      '\ufeffKind,Name,Type,Severity,Status,Date,Parcel',
      "Incident,'@Smoke at the mill,Fire,High,Resolved,2026-05-19 23:30,Parcel 4 - Juniper",
      'Asset,"Gate & ""fence""",Water,,Operational,,',
      'Asset,Tank,Water,,Maintenance,,Parcel 4 - Juniper',
      'Parcel,Parcel 4 - Juniper,,,,,',
      '',
    ])
  })

  it('has the requested columns in their order, with custom fields', async () => {
    const { body } = await ask(
      'format=csv&kind=asset&sort=-name&columns=own.gate,own.safe,own.code,status,resolved,parcel,installDate',
      staff,
    )
    expect(body.split('\r\n')).toEqual([
      "\ufeffName,Next gate,'=Safe,Code,Status,Parcel,Installed",
      "Tank,North gate,Yes,'=1+1,Maintenance,Parcel 4 - Juniper,2019-04-01",
      '"Gate & ""fence""",,No,,Operational,,1874-05-01',
      '',
    ])
  })

  it('has personal data only for those who may see it', async () => {
    const { body } = await ask('format=csv&kind=parcel')
    expect(body).toMatch(/^\ufeffName,Description,Area \(acres\),Buildings,Purchased,Zoning,Restrictions/)
    expect(body).not.toContain('Zabriskie')
    expectProblem(await ask('format=csv&kind=parcel&columns=owner'), 401)
    expectProblem(await ask('format=csv&kind=asset&columns=own.gate'), 401)
    expectProblem(await ask('format=csv&columns=all'), 401)
    expect((await ask('format=csv&kind=asset')).body).not.toContain('Next due')
    const all = await ask('format=csv&columns=all', staff)
    expect(all.body).toMatch(/^.Kind,Name,Status,Severity,Type,Date,Parcel,Description,.*Next gate.*,Owner,/)
    expect(all.body).toContain('Ann Zabriskie')
  })

  it('is a workbook with dates, a fixed header, and a named sheet', async () => {
    const incidents = await workbook('kind=incident&columns=date,severity,resolvedDate')
    expect(incidents.workbook).toContain('<sheet name="Incidents"')
    expect(incidents.sheet).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    )
    expect(Object.fromEntries(incidents.cells)).toEqual({
      ...{ A1: 'Name', B1: 'Date', C1: 'Severity', D1: 'Resolved' },
      ...{ A2: '@Smoke at the mill', B2: String(46161 + 23.5 / 24), C2: 'High', D2: String(46163 + 11 / 24) },
    })
    expect(incidents.styles).toContain('numFmtId="22"')
    expect(incidents.styleOf('B2')).toBe('2')
    const widths = [...incidents.sheet.matchAll(/ width="(\d+)"/g)].map(([, width]) => Number(width))
    expect(widths).toEqual([20, 20, 10, 20])
    const assets = await workbook('kind=asset&columns=installDate&sort=name')
    // Excel has no days of the nineteenth century.
    expect([assets.cells.get('B2'), assets.styleOf('B2')]).toEqual(['1874-05-01', undefined])
    expect([assets.cells.get('B3'), assets.styleOf('B3')]).toEqual(['43556', '1'])
    expect(assets.cells.get('A2')).toBe('Gate &amp; &quot;fence&quot;')
  })

  it('is rejected in formats without a form', async () => {
    expectBadParameter(await ask('format=geojson'), 'query', 'form')
    expectBadParameter(await app.get('/api/maps/oak-hills/export?format=csv&form=words'), 'query', 'form')
  })

  it('changes no records when it is imported', async () => {
    const rows = () => database.read.selectFrom('features').selectAll().orderBy('id').execute()
    const before = await rows()
    for (const kind of ['asset', 'incident', 'parcel'] as const) {
      const { body } = await ask(`format=csv&kind=${kind}&columns=all`, staff)
      const options = { mapId: 'oak-hills', kind, source: 'anything' }
      await expect(importFeatures(database, inputOf(body, 'table.csv'), options)).rejects.toThrow(
        'The table has no column for latitude and longitude.',
      )
    }
    expect(await rows()).toEqual(before)
  })
})
