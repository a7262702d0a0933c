import { type BookType, type CellObject, utils, type WorkSheet, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { fileOf, readContent, readFiles } from '#test/imports/readable-files.ts'
import { cellOf, numberCellOf, workbookOf } from '#test/imports/spreadsheets.ts'
import { zipOf } from '#test/imports/zip-of.ts'

function bookOf(sheet: WorkSheet, formats: Record<string, string>, bookType: BookType): Buffer {
  for (const [cell, format] of Object.entries(formats)) (sheet[cell] as CellObject).z = format
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Lots')
  return write(book, { type: 'buffer', bookType })
}

const lots = (type: BookType) =>
  bookOf(
    utils.aoa_to_sheet([
      ['Parcel', 'Owner', 'Built', 'Inspected', 'Opens', 'Open for', 'Latitude'],
      ['001234567890123456', 'Müller & Söhne', 44196, 44196.75, 0.3125, 1.5, 34.0389123456789],
      [],
      ['2', '北', null, null, null, null, -0.5],
    ]),
    { C2: 'm/d/yy', D2: 'd.m.yyyy h:mm', E2: 'h:mm AM/PM', F2: '[h]:mm' },
    type,
  )

describe('a workbook in another format of Excel', () => {
  it.each<BookType>(['biff8', 'xlsb', 'xlml'])('is converted: %s', async (type) => {
    const { layers, text } = await readContent('lots.xls', lots(type))
    expect(layers).toMatchObject([{ id: 'lots.xls/Lots', label: 'Lots', rows: 3 }])
    expect(text.replaceAll('"', '').trimEnd().split('\n')).toEqual([
      'Parcel,Owner,Built,Inspected,Opens,Open for,Latitude',
      '001234567890123456,Müller & Söhne,2020/12/31,2020/12/31 18:00:00,07:30:00,1.5,34.0389123456789',
      ',,,,,,',
      '2,北,,,,,-0.5',
    ])
    const numbers = utils.aoa_to_sheet([
      ['Zip', 'Account'],
      [2138, 1234567890123456],
      [17, 'A-1'],
    ])
    const exact = await readContent('lots.xls', bookOf(numbers, { A2: '00000', A3: '00000' }, type))
    expect(exact.text.replaceAll('"', '')).toBe('Zip,Account\n02138,1234567890123456\n00017,A-1\n')
  })

  it('can be a web page that Excel opens, whose texts stay unchanged', async () => {
    const page = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table>
      <tr><th>Parcel</th><th>Built</th></tr><tr><td>007</td><td>03/04/2021</td></tr></table></body></html>`
    const { text } = await readContent('report.xls', page)
    expect(text.replaceAll('"', '')).toBe('Parcel,Built\n007,03/04/2021\n')
  })

  it('is rejected with advice if it is cut off', async () => {
    await expect(readContent('lots.xls', lots('biff8').subarray(0, 3_000))).rejects.toThrow(
      'Could not read the workbook. Open it in Excel or LibreOffice',
    )
  })
})

async function columnOf(
  values: readonly (string | { text: string } | { result: string })[],
  format = 'General',
): Promise<string[]> {
  const rows = values.map((value, index) => {
    const at = `A${index + 2}`
    const cell =
      typeof value === 'string'
        ? numberCellOf(at, value, 1)
        : 'text' in value
          ? cellOf(at, value.text)
          : `<c r="${at}" t="str"><f>B${index + 2}</f><v>${value.result}</v></c>`
    return `<row r="${index + 2}">${cell}</row>`
  })
  const sheet = `<row r="1">${cellOf('A1', 'value')}</row>${rows.join('')}`
  const { layers, text } = await readContent('lots.xlsx', workbookOf(sheet, { formats: [format] }))
  expect(layers).toMatchObject([{ id: 'lots.xlsx/Lots', label: 'Lots' }])
  return text.trimEnd().replaceAll('"', '').split('\n').slice(1)
}

describe('a cell of an xlsx file', () => {
  it.each([
    ['yyyy-mm-dd', '44196', '2020/12/31'],
    ['mmm yyyy', '44196', '2020/12/31'],
    ['[$-409]mmmm d, yyyy', '44196', '2020/12/31'],
    ['m/d/yyyy h:mm', '44196.75', '2020/12/31 18:00:00'],
    ['d.m.yy h:mm;@', '44196.75', '2020/12/31 18:00:00'],
    ['yyyy-mm-dd hh:mm:ss', '44196.75', '2020/12/31 18:00:00'],
    ['m/d/yy h:mm AM/PM', '44196.25', '2020/12/31 06:00:00'],
    ['h:mm', '0.3125', '07:30:00'],
    ['h:mm:ss AM/PM', '0.75', '18:00:00'],
    ['[h]:mm', '1.5', '1.5'],
    ['0.00%', '0.125', '0.125'],
    ['&quot;hours &quot;0', '7', '7'],
    ['#,##0.00 [$€-407]', '1234.5', '1234.5'],
    ['0000000000', '123', '0000000123'],
    ['00000', '17.5', '17.5'],
    ['0', '9223372036854775807', '9223372036854775807'],
    ['0', '123456789012345678901', '123456789012345678901'],
  ])('in the format %s is read: %s is %s', async (format, value, text) => {
    expect(await columnOf([value], format)).toEqual([text])
  })

  it.each([
    ['0', '123456789012345678', '123456789012345678'],
    ['General', '1.23456789012345E+17', '123456789012345000'],
    ['00000', '17', '00017'],
  ])('in the format %s keeps the digits of %s beside a text', async (format, value, text) => {
    expect(await columnOf([value, { text: 'A-1' }], format)).toEqual([text, 'A-1'])
  })

  it.each(['017', '1e5', '123456789012345678'])('keeps the text %s of a formula', async (text) => {
    expect(await columnOf([{ result: text }, { result: 'A' }])).toEqual([text, 'A'])
    expect(await columnOf([{ result: text }])).toEqual([text])
  })
})

it('reads two workbooks of the same name in an archive', async () => {
  const book = (value: string) =>
    workbookOf(`<row r="1">${cellOf('A1', 'at')}</row><row r="2">${numberCellOf('A2', value, 1)}</row>`, {
      formats: ['h:mm'],
    })
  const names = { a: '0.25', b: '0.5' }
  const entries = Object.entries(names).map(([name, at]) => ({ name: `${name}/lots.xlsx`, bytes: book(at) }))
  const path = fileOf('both.zip', zipOf(entries))
  expect((await readFiles([path], { layer: 'a/lots.xlsx/Lots' })).text).toContain('06:00:00')
  expect((await readFiles([path], { layer: 'b/lots.xlsx/Lots' })).text).toContain('12:00:00')
})
