import { createWriteStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type * as Excel from '@e965/xlsx'
import type { CellObject } from '@e965/xlsx'
import { ZipFile } from 'yazl'
import { ImportError } from '../import-error.ts'
import {
  countZeros,
  createExactCells,
  type DigitsOfStyles,
  endOfWholeCells,
  hasInexactCell,
  readDigitsOfStyles,
} from './exact-cells.ts'
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
      `An Excel workbook of this kind may have ${maxBytes / 2 ** 20} MB at most. Save it as "Excel Workbook (.xlsx)".`,
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
        ? 'The workbook has a password. Save it without one, and import that file.'
        : 'The workbook cannot be read. Open it in Excel or LibreOffice, save it as "Excel Workbook (.xlsx)", and import that file.',
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
      throw new ImportError(`${fileName} in the workbook declares entities, which only attacks use.`)
    if (
      fileName === 'xl/workbook.xml' &&
      /<(\w+:)?workbookPr\b[^>]*\sdate1904\s*=\s*["'](1|true)["']/.test(start)
    )
      throw new ImportError(
        'The days of this workbook count from 1904, so its dates would be four years too early. Save it as CSV, or without the option "Use 1904 date system".',
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
