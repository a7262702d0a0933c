import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { escapeXml } from '#domain/values/xml.ts'
import type { ColumnType, ExportColumn, Exporter, ExportItem } from './export-columns.ts'

// Streams an Excel workbook with one sheet (ECMA-376, SpreadsheetML). Texts are inline, so that only one batch of rows is
// in memory.

export function writeWorkbook<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): Readable {
  const zip = new ZipFile()
  const sheet = Readable.from(sheetOf(exporter, parts))
  // The types say less than Node: it is a PassThrough.
  const output = Readable.from(zip.outputStream)
  zip.on('error', (error) => output.destroy(new Error('Could not write the workbook.', { cause: error })))
  output.once('close', () => sheet.destroy())
  for (const [path, text] of Object.entries(partsAround(exporter.title)))
    zip.addBuffer(Buffer.from(`${declaration}${text}`), path)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  return output
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const documents = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const maxInSheetName = 31

const sheetName = (title: string) => escapeXml(title.replace(/[\\/?*[\]:']/g, ' ').slice(0, maxInSheetName))

const partsAround = (title: string) => ({
  '[Content_Types].xml':
    `<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${documents}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${documents}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${documents}.styles+xml"/></Types>`,
  '_rels/.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets>` +
    `<sheet name="${sheetName(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml':
    `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${formats.length}">${formats.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
})

const formatted = (numberFormat: number, font = 0) =>
  `<xf numFmtId="${numberFormat}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`

/** 14 and 22 are the short date, and the short date with time, of the user's language. */
const formats = [formatted(0), formatted(14), formatted(22), formatted(0, 1)]
const [dayStyle, timeStyle, headingStyle] = [1, 2, 3]

async function* sheetOf<Item extends ExportItem>(
  { columns, valuesOf }: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => lettersOf(index))
  let row = 1
  const lineOf = (cellAt: (index: number) => string | null) => {
    const number = row++
    const cells = letters.map((letter, index) => {
      const cell = cellAt(index)
      return cell === null ? '' : `<c r="${letter}${number}"${cell}</c>`
    })
    return `<row r="${number}">${cells.join('')}</row>`
  }
  const head = (first: readonly (readonly unknown[])[]) =>
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.map((column, index) => widthOf(column, index, first)).join('')}</cols><sheetData>` +
    lineOf((index) => textCell(columns[index]?.name ?? '', headingStyle))
  let isFirst = true
  for await (const rows of parts) {
    const values = rows.map(valuesOf)
    const lines = () =>
      values.map((cells) => lineOf((index) => cellOf(columns[index]?.type ?? 'text', cells[index])))
    yield `${isFirst ? head(values) : ''}${lines().join('')}`
    isFirst = false
  }
  yield `${isFirst ? head([]) : ''}</sheetData></worksheet>`
}

/** 'A' to 'Z', then 'AA'. */
function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : `${lettersOf(Math.floor(index / 26) - 1)}${last}`
}

/** Characters. */
const [narrowest, widest] = [8, 60]
const usualWidths: Partial<Record<ColumnType, number>> = { day: 12, instant: 18, local: 18 }

/** From the first batch of rows, as widths precede all cells. */
function widthOf({ name, type }: ExportColumn, index: number, rows: readonly (readonly unknown[])[]): string {
  const lengthOf = (cells: readonly unknown[]) => String(cells[index] ?? '').length
  const content = usualWidths[type] ?? rows.reduce((most, cells) => Math.max(most, lengthOf(cells)), 0)
  const width = Math.min(widest, Math.max(narrowest, content, name.length) + 2)
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
}

function cellOf(type: ColumnType, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return `><v>${value}</v>`
  if (typeof value === 'boolean') return ` t="b"><v>${value ? 1 : 0}</v>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (type === 'day' || type === 'instant' || type === 'local') {
    const days = excelDays(type === 'local' ? `${text}Z` : text)
    if (days !== null) return ` s="${type === 'day' ? dayStyle : timeStyle}"><v>${days}</v>`
  }
  return textCell(text)
}

const excelEpochMs = Date.UTC(1899, 11, 30)
const dayMs = 86_400_000
/** 1900-03-01: Excel has a February 29 in 1900, and no earlier century. */
const firstExactDay = 61

function excelDays(time: string): number | null {
  const ms = Date.parse(time)
  // GDAL reads a time that is a millisecond from a whole second as that second.
  if ([1, 999].includes(Math.abs(ms % 1000))) return null
  const days = (ms - excelEpochMs) / dayMs
  return days >= firstExactDay ? days : null
}

const maxInCell = 32_767

/** Null if it does not fit: a truncated text would look complete. */
function textCell(text: string, style?: number): string | null {
  if (text === '' || text.length > maxInCell) return null
  const styled = style === undefined ? '' : ` s="${style}"`
  return `${styled} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is>`
}
