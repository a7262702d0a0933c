import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { ImportError } from '../import-error.ts'
import {
  createExactCells,
  type DigitsOfStyles,
  endOfWholeCells,
  hasInexactCell,
  readDigitsOfStyles,
} from './exact-cells.ts'
import { readZip, type UnpackLimits } from './unpack-zip.ts'

/** Where Excel says from when its days count. */
const ofWorkbook = 'xl/workbook.xml'
const from1904 = /<(\w+:)?workbookPr\b[^>]*\sdate1904\s*=\s*["'](1|true)["']/
const ofStyles = 'xl/styles.xml'

/** What a part declares stands at its start. */
const readBytes = 65_536
const mostOfStyles = 4 * 2 ** 20

/** Parts of a workbook that GDAL would misread; `styles` is null if GDAL reads them all. */
export type WorkbookChanges = { styles: string | null; digits: DigitsOfStyles }

const isWorksheet = (fileName: string) => fileName.startsWith('xl/worksheets/')

/**
 * A spreadsheet is an archive, too, and GDAL unpacks it without a limit and counts its days from 1900: throws an ImportError for
 * one that is too large, or would be read wrongly. Returns the changes that GDAL needs to read its values; null if it needs none.
 */
export async function checkWorkbook(path: string, limits: UnpackLimits): Promise<WorkbookChanges | null> {
  let styles = ''
  let hasInexact = false
  await readZip(path, limits, async ({ fileName }, bytes) => {
    let start = ''
    let last = ''
    const most = fileName === ofStyles ? mostOfStyles : readBytes
    for await (const chunk of bytes) {
      const text = chunk.toString('latin1')
      if (start.length < most) start += text
      if (hasInexact || !isWorksheet(fileName)) continue
      const cells = last + text
      hasInexact = hasInexactCell(cells)
      last = cells.slice(endOfWholeCells(cells))
    }
    if (start.includes('<!ENTITY'))
      throw new ImportError(
        `${fileName} in the workbook declares entities: nobody needs them but who builds a bomb.`,
      )
    if (fileName === ofWorkbook && from1904.test(start))
      throw new ImportError(
        'The days of this workbook count from 1904, and its dates would come four years too early. Save it as CSV, or without the option "Use 1904 date system".',
      )
    if (fileName === ofStyles) styles = start
  })
  const plain = withPlainTimes(styles)
  const digits = readDigitsOfStyles(styles)
  if (plain === styles && digits.size === 0 && !hasInexact) return null
  return { styles: plain === styles ? null : plain, digits }
}

/** GDAL takes 'h:mm' for no time at all, and leaves out the time of a date with it: it looks for 'hh'. */
function withPlainTimes(styles: string): string {
  return styles.replace(/(\sformatCode=")([^"]*)"/g, (whole, start: string, code: string) => {
    // Without words in quotes, escaped letters, colors and currencies.
    const letters = code.replace(/&quot;.*?&quot;|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    const isDuration = /\[[hms]+\]/i.test(letters)
    if (isDuration || !/h/i.test(letters) || /general/i.test(letters)) return whole
    return `${start}${/[yd]/i.test(letters) ? 'yyyy-mm-dd hh:mm:ss' : 'hh:mm:ss'}"`
  })
}

/** Writes a workbook with these changes. */
export async function rewriteWorkbook(
  path: string,
  { target, changes, limits }: { target: string; changes: WorkbookChanges; limits: UnpackLimits },
): Promise<void> {
  const { styles, digits } = changes
  const zip = new ZipFile()
  let part: Readable | undefined
  const written = pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600 }))
  // What is read ends with what is written.
  written.catch((error) => part?.destroy(error))
  const copied = readZip(path, limits, async ({ fileName }, bytes) => {
    part = bytes
    if (fileName === ofStyles && styles !== null) {
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
