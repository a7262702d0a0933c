import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BookType, utils, write } from '@e965/xlsx'
import { expect, it, onTestFinished } from 'vitest'
import { makeReadable } from './readable-file.ts'

async function read(name: string, bytes: Buffer | string) {
  const folder = mkdtempSync(join(tmpdir(), 'poa-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const { layers, chosen } = await makeReadable([path], join(folder, 'out'), {
    layer: null,
    projection: null,
  })
  return { layers, text: readFileSync(chosen?.file?.path ?? '', 'utf8') }
}

const rows = [
  ['Parcel', 'Owner', 'Built', 'Inspected', 'Opens', 'Open for', 'Latitude'],
  ['001234567890123456', 'Müller & Söhne', 44196, 44196.75, 0.3125, 1.5, 34.0389123456789],
  [],
  ['2', '北', null, null, null, null, -0.5],
]

function workbook(bookType: BookType): Buffer {
  const sheet = utils.aoa_to_sheet(rows)
  sheet.C2.z = 'm/d/yy'
  sheet.D2.z = 'd.m.yyyy h:mm'
  sheet.E2.z = 'h:mm AM/PM'
  sheet.F2.z = '[h]:mm'
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Lots')
  return write(book, { type: 'buffer', bookType })
}

it.each<BookType>(['biff8', 'xlsb', 'xlml'])('reads a workbook in the format %s', async (type) => {
  const { layers, text } = await read('lots.xls', workbook(type))
  expect(layers).toMatchObject([{ id: 'lots.xls/Lots', label: 'Lots', rows: 3 }])
  expect(text.replaceAll('"', '').trimEnd().split('\n')).toEqual([
    'Parcel,Owner,Built,Inspected,Opens,Open for,Latitude',
    '001234567890123456,Müller & Söhne,2020/12/31,2020/12/31 18:00:00,07:30:00,1.5,34.0389123456789',
    ',,,,,,',
    '2,北,,,,,-0.5',
  ])
})

it.each<BookType>(['biff8', 'xlsb', 'xlml'])(
  'keeps zeros and digits of numbers in the format %s',
  async (type) => {
    const sheet = utils.aoa_to_sheet([
      ['Zip', 'Account'],
      [2138, 1234567890123456],
      [17, 'A-1'],
    ])
    sheet.A2.z = '00000'
    sheet.A3.z = '00000'
    const book = utils.book_new()
    utils.book_append_sheet(book, sheet, 'Lots')
    const { text } = await read('lots.xls', write(book, { type: 'buffer', bookType: type }))
    expect(text.replaceAll('"', '')).toBe('Zip,Account\n02138,1234567890123456\n00017,A-1\n')
  },
)

it('reads a web page that Excel opens, and leaves its texts as they are', async () => {
  const page = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table>
    <tr><th>Parcel</th><th>Built</th></tr><tr><td>007</td><td>03/04/2021</td></tr></table></body></html>`
  const { text } = await read('report.xls', page)
  expect(text.replaceAll('"', '')).toBe('Parcel,Built\n007,03/04/2021\n')
})

it('says what helps with another file of Office, and with one that is cut off', async () => {
  const start = workbook('biff8').subarray(0, 3_000)
  await expect(read('lots.xls', start)).rejects.toThrow(
    'The workbook cannot be read. Open it in Excel or LibreOffice',
  )
})
