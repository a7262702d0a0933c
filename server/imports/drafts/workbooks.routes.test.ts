import { expect, it } from 'vitest'
import { onEngine } from '#test/databases.ts'
import { startImports } from '#test/import-drafts.ts'
import { cellOf, workbookOf } from '#test/spreadsheets.ts'

const number = (at: string, value: string) => `<c r="${at}"><v>${value}</v></c>`
const rowOf = (row: number, ...cells: string[]) => `<row r="${row}">${cells.join('')}</row>`
const headOf = (row: number) =>
  rowOf(
    row,
    ...['id', 'Parcel No', 'Name', 'Lat', 'Lon', 'Date'].map((name, index) =>
      cellOf(`${'ABCDEF'[index]}${row}`, name),
    ),
  )

const titled = workbookOf(
  [
    rowOf(1, cellOf('A1', 'Oak Hollow Owners Association')),
    rowOf(2, cellOf('A2', 'Incidents as of 5/1/2025')),
    headOf(4),
    rowOf(
      5,
      number('A5', '7'),
      cellOf('B5', '25341830000000011'),
      cellOf('C5', 'Fence'),
      number('D5', '42.391'),
      number('E5', '-71.099'),
      number('F5', '44196'),
    ),
    rowOf(
      6,
      number('A6', '8'),
      cellOf('B6', '00123'),
      cellOf('C6', 'Gate'),
      number('D6', '42.392'),
      number('E6', '-71.098'),
      number('F6', '44197.25'),
    ),
  ].join(''),
)

onEngine('sqlite', 'the outcome of an import', (createDatabase) => {
  it('has the notes of its rows', async () => {
    const { bring, done, good, step } = await startImports(await createDatabase())
    const id = await bring(
      'poles.csv',
      Buffer.from('id,lat,lng,installDate,owner\n1,34,-111,2020-12,Se\u00f1or\n', 'latin1'),
    )
    await done(id)
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    const notes = [
      'Some text is not valid UTF-8 and was read as Windows-1252.',
      'No column fills the name. Choose the column that holds it.',
      expect.stringContaining('Dates of the column installDate that name no day are not read: "2020-12".'),
    ]
    expect((await step(id, 'try')).outcome).toMatchObject({ notes })
    expect((await step(id, 'import')).outcome).toMatchObject({ notes })
  }, 60_000)
})

onEngine('sqlite', 'a workbook', (createDatabase) => {
  it('is read below its titles, with days as Excel counts them and every digit of its numbers', async () => {
    const database = await createDatabase()
    const { bring, done, good, step } = await startImports(database)
    const id = await bring('incidents.xlsx', titled)
    await done(id)
    await good('PATCH', `/${id}/settings`, { kind: 'incident', type: 'other' })
    expect((await step(id, 'try')).outcome).toMatchObject({ created: 2, refused: 0 })
    await step(id, 'import')
    const rows = await database.read
      .selectFrom('features')
      .select(['name', 'date', 'metadata'])
      .where('kind', '=', 'incident')
      .orderBy('name')
      .execute()
    const read = rows.map(({ metadata, ...row }) => ({ ...row, metadata: JSON.parse(metadata) }))
    const of = (name: string, date: string, parcel: string, ownId: string) => ({
      name,
      date: Date.parse(date),
      metadata: [
        { name: 'id', value: ownId },
        { name: 'Parcel No', value: parcel },
      ],
    })
    expect(read).toEqual([
      of('Fence', '2020-12-31T00:00:00Z', '25341830000000011', '7'),
      of('Gate', '2021-01-01T06:00:00Z', '00123', '8'),
    ])
  }, 60_000)
})
