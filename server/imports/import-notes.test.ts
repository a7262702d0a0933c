import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { summarizeImport } from './cli/report.ts'
import { type ImportOptions, importFeatures } from './import-features.ts'

onEngine('sqlite', 'the notes of an import', (createDatabase) => {
  async function run(
    content: string,
    {
      name = 'poles.csv',
      kind = 'asset',
      columns = {},
    }: { name?: string; kind?: ImportOptions['kind']; columns?: Record<string, string> } = {},
  ) {
    const database = await createDatabase()
    const options: ImportOptions = {
      mapId: 'oak-hill',
      kind,
      source: 'poles',
      client: { name: 'Oak Hill', location: '' },
      columns: new Map(Object.entries(columns)),
    }
    const result = await importFeatures(database, inputOf(content, name), options)
    const row = await database.read
      .selectFrom('features')
      .select(['name', 'fields', 'metadata'])
      .executeTakeFirst()
    const summary = summarizeImport(result, { options, shown: [], seconds: 1, reportPath: null })
    for (const note of result.notes) expect(summary).toContain(note)
    return { notes: result.notes, row, result }
  }

  it('report that no column fills the name', async () => {
    expect((await run('id,lat,lng\n1,34,-111\n')).notes).toEqual(['No column for the name. Choose one.'])
    expect((await run('id,name,lat,lng\n1,A,34,-111\n')).notes).toEqual([])
  })

  const withoutId = (start: string, help: string) =>
    `${start}. When you import the file again, changed rows will be added as new features. ${help}`

  it.each([
    ['Lot No,Owner Id,name,lat,lng\n1,7,A,34,-111\n2,7,B,34,-111\n', 'Lot No'],
    ['House No,APN,name,lat,lng\n1,a,A,34,-111\n2,b,A,34,-111\n', 'APN'],
    ['Tag #,Number,name,lat,lng\n1,a,A,34,-111\n1,b,B,34,-111\n', 'Number'],
    ['Asset ID,name,lat,lng\n1,A,34,-111\n,B,34,-111\n', null],
    ['title,name,lat,lng\n1,A,34,-111\n', null],
  ])('report that no column has the id, and which one looks like it, in %j', async (content, likely) => {
    const help = 'Choose the column with the id.'
    const found = likely === null ? '' : ` It may be ‘${likely}’, which has a different value in each row.`
    const { notes, result } = await run(content)
    expect(notes).toEqual([withoutId('No column has ids', `${help}${found}`)])
    expect(result.likelyId).toBe(likely)
  })

  it('count the rows without an id if others have one', async () => {
    const { notes } = await run('id,Lot No,name,lat,lng\n1,1,A,34,-111\n,2,B,34,-111\n')
    expect(notes).toEqual([withoutId('1 row has no id', 'Give each row an id in the file.')])
  })

  it('omit the name if every row was refused', async () => {
    const columns = { type: 'sort' }
    const { notes, result } = await run('id,sort,name,other,lat,lng\n1,?,A,x,34,-111\n', { columns })
    expect(result).toMatchObject({ refused: 1, kept: ['other'] })
    expect(notes).toEqual([])
  })

  it('name dates that programs write for empty cells', async () => {
    const dates = ['1899-12-31', '1/1/1900', '1970-01-01', '0', '1971-01-01', '']
    const rows = dates.map((date, index) => `${index},A${index},34,-111,${date}`)
    const { notes } = await run(`id,name,lat,lng,installDate\n${rows.join('\n')}\n`)
    expect(notes).toEqual([
      '4 dates in installDate may be empty, as programs write them for empty cells: ' +
        'row 1 (1899-12-31), row 2 (1/1/1900), row 3 (1970-01-01), row 4 (0).',
    ])
  })

  it('name dates without a day, which are not read', async () => {
    const dates = ['2020-12', '2020', 'Dec 2020', '12/2020']
    const rows = dates.map((date, index) => `${index},A${index},34,-111,${date}`)
    const { notes, row } = await run(`id,name,lat,lng,installDate\n${rows.join('\n')}\n`)
    expect(notes).toEqual([
      'Dates without a day in installDate were not imported: "2020-12", "2020", "Dec 2020". Add the day in the file, such as 2020-12-01.',
    ])
    expect(JSON.parse(row?.fields ?? '{}').installDate).toBeNull()
    expect(row?.metadata).toContain('2020-12')
  })

  const long = '0.12345678901234567890'

  it('count rounded numbers, which text fields store exactly', async () => {
    const table = `id,name,lat,lng,Acres,code,other\n${long},A,34,-111,${long},${long},${long}\n`
    const json = JSON.stringify([
      { id: 'X', name: 'A', lat: 34, lng: -111, Acres: 'X', code: 'X', other: 'X' },
    ])
    for (const [content, name] of [
      [table, 'poles.csv'],
      [json.replaceAll('"X"', long), 'poles.json'],
    ] as const) {
      const columns = { area: 'Acres', owner: 'code' }
      const { notes, row } = await run(content, { name, kind: 'parcel', columns })
      expect(notes).toEqual([
        `1 number in Acres was rounded, because ‘Area’ stores fewer digits: row 1 (${long}).`,
      ])
      expect(JSON.parse(row?.fields ?? '{}')).toMatchObject({ owner: long, area: 0.123_456_789_012_345_68 })
      expect(row?.metadata).toContain(`"value":"${long}"`)
    }
  })

  it('name numbers with the other decimal mark', async () => {
    const rows = ['1,A,34.1,-111.2,1.5', '2,B,34.1,-111.2,"2,55"']
    const { notes } = await run(`id,name,lat,lng,area\n${rows.join('\n')}\n`, { kind: 'parcel' })
    expect(notes).toEqual([
      'Numbers with a decimal comma in area were not imported, because other numbers in the file use the other mark: "2,55".',
    ])
  })
})
