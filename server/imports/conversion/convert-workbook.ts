import { createWriteStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type * as Excel from '@e965/xlsx'
import type { CellObject } from '@e965/xlsx'
import { ZipFile } from 'yazl'
import { ImportError } from '../import-error.ts'
import { readZip, type UnpackLimits } from './unpack-zip.ts'

/** Workbooks other than xlsx are read as a whole, and take about 30 times their size in memory. */
const maxBytes = 50 * 2 ** 20

/**
 * Rewrites a workbook of another Excel format (xls, xlsb, XML, or a web page that Excel saved) as xlsx. Formulas become
 * their values.
 */
export async function convertWorkbook(path: string, target: string): Promise<void> {
  if ((await stat(path)).size > maxBytes)
    throw new ImportError(
      `Excel workbooks of this kind can have at most ${maxBytes / 2 ** 20} MB. Save it as "Excel Workbook (.xlsx)".`,
    )
  const excel = await import('@e965/xlsx')
  excel.set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  await writeFile(target, convert(excel, await readFile(path)), { mode: 0o600 })
}

function convert({ read, SSF, write }: typeof Excel, bytes: Buffer): Buffer {
  try {
    // `raw` keeps the texts of a web page unchanged.
    const options = { dense: true, cellNF: true, cellFormula: false, cellHTML: false, cellText: false }
    const workbook = read(bytes, { ...options, raw: true })
    for (const { '!data': rows = [] } of Object.values(workbook.Sheets))
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at] ?? []
        rows[at] = row
        for (const cell of row) if (cell) cell.z = plainFormat(cell, SSF)
      }
    return write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true })
  } catch (error) {
    throw new ImportError(
      /password/i.test((error as Error).message)
        ? 'The workbook is password-protected. Save it without a password, and import that file.'
        : 'Could not read the workbook. Open it in Excel or LibreOffice, save it as "Excel Workbook (.xlsx)", and import that file.',
    )
  }
}

/** A date format that GDAL recognizes by its number, or a format of zeros, which later makes the number a text. */
function plainFormat({ t, v, z }: CellObject, { is_date }: typeof Excel.SSF): string {
  const isDuration = /\[[hms]+\]/i.test(String(z))
  if (t !== 'n' || typeof v !== 'number' || z === undefined || isDuration || !is_date(String(z)))
    return countZeros(String(z)) === undefined ? 'General' : String(z)
  if (Number.isInteger(v)) return 'm/d/yy'
  return v < 1 ? 'h:mm:ss' : 'm/d/yy h:mm'
}

const stylesPart = 'xl/styles.xml'
const maxStylesCharacters = 4 * 2 ** 20
const declarationCharacters = 65_536

export type WorkbookChanges = { styles: string | null; digits: DigitsOfStyles }

const isWorksheet = (fileName: string) => fileName.startsWith('xl/worksheets/')

/**
 * Returns the changes that GDAL needs to read an xlsx file correctly; null if it needs none. Throws an ImportError for
 * one that is too large (GDAL unpacks it without a limit) or whose days count from 1904 (GDAL counts from 1900).
 */
export async function checkWorkbook(path: string, limits: UnpackLimits): Promise<WorkbookChanges | null> {
  let styles = ''
  let hasInexact = false
  await readZip(path, limits, async ({ fileName }, bytes) => {
    let start = ''
    let last = ''
    const maxCharacters = fileName === stylesPart ? maxStylesCharacters : declarationCharacters
    for await (const chunk of bytes) {
      const text = chunk.toString('latin1')
      if (start.length < maxCharacters) start += text
      if (hasInexact || !isWorksheet(fileName)) continue
      const cells = last + text
      hasInexact = hasInexactCell(cells)
      last = cells.slice(endOfWholeCells(cells))
    }
    if (start.includes('<!ENTITY'))
      throw new ImportError(`${fileName} in the workbook declares XML entities, which are not allowed.`)
    if (
      fileName === 'xl/workbook.xml' &&
      /<(\w+:)?workbookPr\b[^>]*\sdate1904\s*=\s*["'](1|true)["']/.test(start)
    )
      throw new ImportError(
        'The workbook uses the 1904 date system, so its dates would be four years too early. Turn off "Use 1904 date system" in Excel, or save it as CSV.',
      )
    if (fileName === stylesPart) styles = start
  })
  const plain = withPlainTimes(styles)
  const digits = readDigitsOfStyles(styles)
  if (plain === styles && digits.size === 0 && !hasInexact) return null
  return { styles: plain === styles ? null : plain, digits }
}

/** GDAL does not recognize 'h:mm' as a time, only 'hh', and drops the time of a date. */
function withPlainTimes(styles: string): string {
  return styles.replace(/(\sformatCode=")([^"]*)"/g, (whole, start: string, code: string) => {
    const letters = code.replace(/&quot;.*?&quot;|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    const isDuration = /\[[hms]+\]/i.test(letters)
    if (isDuration || !/h/i.test(letters) || /general/i.test(letters)) return whole
    return `${start}${/[yd]/i.test(letters) ? 'yyyy-mm-dd hh:mm:ss' : 'hh:mm:ss'}"`
  })
}

export async function rewriteWorkbook(
  path: string,
  { target, changes, limits }: { target: string; changes: WorkbookChanges; limits: UnpackLimits },
): Promise<void> {
  const { styles, digits } = changes
  const zip = new ZipFile()
  let part: Readable | undefined
  const written = pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600 }))
  written.catch((error) => part?.destroy(error))
  const copied = readZip(path, limits, async ({ fileName }, bytes) => {
    part = bytes
    if (fileName === stylesPart && styles !== null) {
      zip.addBuffer(Buffer.from(styles, 'latin1'), fileName)
      bytes.resume()
      await finished(bytes)
    } else if (isWorksheet(fileName)) {
      const exact = createExactCells(digits)
      zip.addReadStream(exact, fileName, { compress: false })
      await pipeline(bytes, exact)
    } else {
      zip.addReadStream(bytes, fileName, { compress: false })
      await finished(bytes)
    }
  }).then(() => zip.end())
  await Promise.all([copied, written])
}

// GDAL reads a number of Excel without its format, prints at most 15 digits beside texts in the same column, and reads
// the text result of a formula (`t="str"`) as a number if it looks like one. Such cells become plain texts.

type DigitsOfStyles = ReadonlyMap<string, number>

/** Zeros only, in its first section; `[$-409]` and `[Red]` change no digit. */
const onlyZeros = /^(?:\[[^\]<>=]*\])*(0{2,})(?:;|$)/

const countZeros = (format: string): number | undefined => onlyZeros.exec(format)?.[1]?.length

export function readDigitsOfStyles(styles: string): DigitsOfStyles {
  const formats = new Map<string, number>()
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^<>]*>/g)) {
    const zeros = countZeros(attributeOf(tag, 'formatCode') ?? '')
    if (zeros !== undefined) formats.set(attributeOf(tag, 'numFmtId') ?? '', zeros)
  }
  const digits = new Map<string, number>()
  const from = styles.search(/<(?:\w+:)?cellXfs[\s>]/)
  if (from < 0) return digits
  const [cellStyles = ''] = styles.slice(from).split(/<\/(?:\w+:)?cellXfs>/, 1)
  for (const [index, [tag]] of [...cellStyles.matchAll(/<(?:\w+:)?xf\s[^<>]*>/g)].entries()) {
    const zeros = formats.get(attributeOf(tag, 'numFmtId') ?? '')
    if (zeros !== undefined) digits.set(String(index), zeros)
  }
  return digits
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  return double ?? single
}

const formula = /(?:<(?:\w+:)?f\b[^<>]*(?:\/>|>[^<]*<\/(?:\w+:)?f>)\s*)?/.source
const longNumber = /<(?:\w+:)?v>\s*-?(?:\d{16}|\d{1,15}(?:\.\d{1,20})?[Ee]\+?\d)/
const numericResult = new RegExp(
  `\\st\\s*=\\s*["']str["'][^<>]{0,100}>\\s*${formula}<(?:\\w+:)?v>\\s*[-+.\\d]`,
)

export const hasInexactCell = (xml: string): boolean => longNumber.test(xml) || numericResult.test(xml)

const valueCell = new RegExp(
  `<((?:\\w+:)?)c(\\s[^<>]*)?>(\\s*${formula})<(?:\\w+:)?v>([^<]*)</(?:\\w+:)?v>`,
  'g',
)

export function withExactCells(xml: string, digits: DigitsOfStyles): string {
  return xml.replace(valueCell, (whole, prefix: string, attributes = '', before: string, value: string) => {
    const type = attributeOf(attributes, 't') ?? 'n'
    const zeros = digits.get(attributeOf(attributes, 's') ?? '0') ?? 0
    const text = type === 'str' ? value : type === 'n' ? exactText(value.trim(), zeros) : undefined
    if (text === undefined) return whole
    const others = attributes.replace(/\st\s*=\s*["']\w*["']/, '')
    return `<${prefix}c${others} t="inlineStr">${before}<${prefix}is><${prefix}t>${text}</${prefix}t></${prefix}is>`
  })
}

function exactText(value: string, zeros: number): string | undefined {
  const [, sign = '', first = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[Ee]\+?(\d{1,2}))?$/.exec(value) ?? []
  const places = Number(exponent)
  const isWhole = first !== '' && /^0*$/.test(fraction.slice(places)) && places < 30
  if (!isWhole) return undefined
  const whole = (first + fraction.slice(0, places).padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  return zeros > 0 || whole.length > 15 ? sign + whole.padStart(zeros, '0') : undefined
}

/** Longer than any cell of Excel: a formula has at most 8,192 characters, which may be entities. */
const maxCellCharacters = 65_536

/** Holds back a cell that continues in the next chunk. */
export function createExactCells(digits: DigitsOfStyles): Transform {
  let rest = ''
  const exact = (text: string) => Buffer.from(withExactCells(text, digits), 'latin1')
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + chunk.toString('latin1')
      const end = endOfWholeCells(text)
      rest = text.slice(end)
      done(null, exact(text.slice(0, end)))
    },
    flush: (done) => done(null, exact(rest)),
  })
}

function endOfWholeCells(text: string): number {
  const least = Math.max(0, text.length - maxCellCharacters)
  for (let at = text.lastIndexOf('<'); at >= least; at = at > 0 ? text.lastIndexOf('<', at - 1) : -1)
    if (/^<(?:\w+:)?c[\s>]/.test(text.slice(at, at + 50))) return at
  const cutOff = /<[\w:]{0,50}$/.exec(text.slice(-60))
  return cutOff ? text.length - cutOff[0].length : text.length
}
