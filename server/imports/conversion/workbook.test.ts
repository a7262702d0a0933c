import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { cellOf, numberCellOf, workbookOf } from '#test/spreadsheets.ts'
import { zipOf } from '#test/zip-of.ts'
import { makeReadable } from './readable-file.ts'

/** What our own reader gets of the cells of one column below its name. */
async function columnOf(
  values: readonly (string | { text: string } | { result: string })[],
  format = 'General',
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'lots.xlsx')
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
  writeFileSync(
    path,
    workbookOf(`<row r="1">${cellOf('A1', 'value')}</row>${rows.join('')}`, { formats: [format] }),
  )
  const { layers, chosen } = await makeReadable([path], join(folder, 'out'), {
    layer: null,
    projection: null,
  })
  expect(layers).toMatchObject([{ id: 'lots.xlsx/Lots', label: 'Lots' }])
  const [, ...lines] = readFileSync(chosen?.file?.path ?? '', 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => line.replaceAll('"', ''))
}

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
  ['00000', '2138', '02138'],
  ['00000', '17.5', '17.5'],
])('a number in the format %s is read: %s is %s', async (format, value, text) => {
  expect(await columnOf([value], format)).toEqual([text])
})

it('reads two workbooks of the same name in an archive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'poa-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const book = (value: string) =>
    workbookOf(`<row r="1">${cellOf('A1', 'at')}</row><row r="2">${numberCellOf('A2', value, 1)}</row>`, {
      formats: ['h:mm'],
    })
  const path = join(folder, 'both.zip')
  writeFileSync(
    path,
    zipOf([
      { name: 'a/lots.xlsx', bytes: book('0.25') },
      { name: 'b/lots.xlsx', bytes: book('0.5') },
    ]),
  )
  const read = async (layer: string) => {
    const { chosen } = await makeReadable([path], join(folder, 'out'), { layer, projection: null })
    return readFileSync(chosen?.file?.path ?? '', 'utf8')
  }
  expect(await read('a/lots.xlsx/Lots')).toContain('06:00:00')
  expect(await read('b/lots.xlsx/Lots')).toContain('12:00:00')
})

it('keeps every digit of whole numbers, also beside texts', async () => {
  expect(await columnOf(['12345678901234567', '9223372036854775807'], '0')).toEqual([
    '12345678901234567',
    '9223372036854775807',
  ])
  expect(await columnOf(['123456789012345678', { text: 'A-1' }], '0')).toEqual(['123456789012345678', 'A-1'])
})

it('keeps every digit of whole numbers that no number type holds', async () => {
  expect(await columnOf(['1', '123456789012345678901'], '0')).toEqual(['1', '123456789012345678901'])
  expect(await columnOf(['1.23456789012345E+17', { text: 'A-1' }])).toEqual(['123456789012345000', 'A-1'])
})

it.each(['017', '1e5', '123456789012345678'])('keeps the text %s that a formula results in', async (text) => {
  expect(await columnOf([{ result: text }, { result: 'A' }])).toEqual([text, 'A'])
  expect(await columnOf([{ result: text }])).toEqual([text])
})

it('keeps zeros of numbers beside texts', async () => {
  expect(await columnOf(['17', { text: 'A-1' }], '00000')).toEqual(['00017', 'A-1'])
})
