import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createExactCells, hasInexactCell, readDigitsOfStyles, withExactCells } from './convert-workbook.ts'

const digits = new Map([['5', 5]])

describe('cells of a worksheet', () => {
  it.each([
    ['<c r="A2" s="5"><v>2138</v></c>', '<c r="A2" s="5" t="inlineStr"><is><t>02138</t></is></c>'],
    ['<c r="A2" t="n" s="5"><v>17.0</v></c>', '<c r="A2" s="5" t="inlineStr"><is><t>00017</t></is></c>'],
    [
      "<x:c s='5' r='A2'><x:v> -17 </x:v></x:c>",
      `<x:c s='5' r='A2' t="inlineStr"><x:is><x:t>-00017</x:t></x:is></x:c>`,
    ],
    ['<c s="5"><f>A1+1</f><v>17</v></c>', '<c s="5" t="inlineStr"><f>A1+1</f><is><t>00017</t></is></c>'],
    [
      '<c s="5"><f t="shared" si="0"/><v>17</v></c>',
      '<c s="5" t="inlineStr"><f t="shared" si="0"/><is><t>00017</t></is></c>',
    ],
    ['<c s="5"><v>1234567</v></c>', '<c s="5" t="inlineStr"><is><t>1234567</t></is></c>'],
    ['<c r="A2"><v>1234567890123456</v></c>', '<c r="A2" t="inlineStr"><is><t>1234567890123456</t></is></c>'],
    [
      '<c r="A2"><v>-1.234567890123450E+17</v></c>',
      '<c r="A2" t="inlineStr"><is><t>-123456789012345000</t></is></c>',
    ],
    ['<c><v>1e21</v></c>', `<c t="inlineStr"><is><t>1${'0'.repeat(21)}</t></is></c>`],
    [
      '<c r="A2" t="str"><f>TEXT(B2,"000")</f><v>017</v></c>',
      '<c r="A2" t="inlineStr"><f>TEXT(B2,"000")</f><is><t>017</t></is></c>',
    ],
  ])('become texts where a number would lose zeros or digits: %s', (cell, exact) => {
    expect(withExactCells(`<row>${cell}</row>`, digits)).toBe(`<row>${exact}</row>`)
  })

  it.each([
    '<c r="A2" s="4"><v>17</v></c>',
    '<c r="A2" s="5"/><c r="B2"><v>17</v></c>',
    '<c r="A2" s="5" t="s"><v>17</v></c>',
    '<c r="A2" s="5" t="b"><v>1</v></c>',
    '<c r="A2" s="5" t="inlineStr"><is><t>17</t></is></c>',
    '<c r="A2" s="5"><v>17.25</v></c>',
    '<c r="A2"><v>123456789012345</v></c>',
    '<c r="A2"><v>0.1234567890123456789</v></c>',
    '<c r="A2"><v>1E+14</v></c><c r="A2"><v>1E-17</v></c><c r="A2"><v>1E+99</v></c>',
  ])('stay unchanged: %s', (cells) => expect(withExactCells(cells, digits)).toBe(cells))

  it('are found wherever a chunk ends', async () => {
    const long = `<c r="A1" t="inlineStr"><is><t>${'&amp;é'.repeat(200)}</t></is></c>`
    const cells = `${long}<c r="A2" s="5"><f>B2</f><v>17</v></c><c r="B2"><v>12345678901234567</v></c>`
    const bytes = Buffer.from(`<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`)
    const whole = withExactCells(bytes.toString(), digits)
    expect(whole).toContain('>00017<')
    for (const size of [1, 2, 7, 100, 1_000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await text(Readable.from(chunks).pipe(createExactCells(digits)))).toBe(whole)
    }
  })

  it('are read in time proportional to their size, however they break', async () => {
    const started = performance.now()
    for (const piece of ['<', '<c ', '<c>', `<c>${' '.repeat(60_000)}`, '<c><f>', '<c><v>1', 'x', ' t="str"'])
      await text(
        Readable.from(Array(20).fill(Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length))))).pipe(
          createExactCells(digits),
        ),
      )
    for (const piece of ['<', '<c t="str">', ' t="str"', '<v>1']) hasInexactCell(piece.repeat(20_000))
    readDigitsOfStyles('<cellXfs '.repeat(400_000))
    readDigitsOfStyles('<numFmt '.repeat(400_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

it.each([
  ['00000', 5],
  ['00000;-00000', 5],
  ['[$-409]000', 3],
  ['[Red]00', 2],
  ['0', undefined],
  ['0.00', undefined],
  ['#,##0', undefined],
  ['yyyy', undefined],
  ['00.0', undefined],
  ['[&lt;=99999]00000;00000\\-0000', undefined],
])('the number format %s pads to %s digits', (code, zeros) => {
  const styles = `<numFmts><numFmt formatCode="${code}" numFmtId="164"/></numFmts><cellStyleXfs><xf numFmtId="164"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId='164'><alignment/></xf></cellXfs><dxfs><xf numFmtId="164"/></dxfs>`
  expect([...readDigitsOfStyles(styles)]).toEqual(zeros === undefined ? [] : [['1', zeros]])
})

it.each([
  ['<v>1234567890123456</v>', true],
  ['<x:v>-1234567890123456</x:v>', true],
  ['<v>1.23456789012345E+17</v>', true],
  ['<v>123456789012345</v>', false],
  ['<v>0.1234567890123456789</v>', false],
  ['<c r="A2" t="str" s="1"><f>TEXT(B2,"000")</f><v>017</v></c>', true],
  ["<c t='str'><v>1</v></c>", true],
  ['<c t="str"><f>B2</f><v>A-1</v></c>', false],
])('GDAL would change values of %s: %s', (xml, isInexact) => expect(hasInexactCell(xml)).toBe(isInexact))
