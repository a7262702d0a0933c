import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { ImportError } from '../import-error.ts'
import { readZip, type UnpackLimits } from './unpack-zip.ts'

/** Where Excel says from when its days count. */
const ofWorkbook = 'xl/workbook.xml'
const from1904 = /<(\w+:)?workbookPr\b[^>]*\sdate1904\s*=\s*["'](1|true)["']/
const ofStyles = 'xl/styles.xml'

/** What a part declares stands at its start. */
const readBytes = 65_536
const mostOfStyles = 4 * 2 ** 20

/** Whole numbers that GDAL reads to the last digit. */
const largestNumber = 2n ** 63n - 1n
const longNumber = /<c r="([A-Z]+\d+)"[^>]*>\s*<v>-?(\d{19,})(?:\.0*)?<\/v>/
/** A cell with such a number is cut by chunks of a file. */
const mostOfCell = 500

/**
 * A spreadsheet is an archive, too, and GDAL unpacks it without a limit and counts its days from 1900: throws an ImportError for
 * one that is too large, or would be read wrongly. Tells the styles that GDAL would misread, as they should be; null where it
 * reads them all.
 */
export async function checkWorkbook(path: string, limits: UnpackLimits): Promise<string | null> {
  let styles = ''
  await readZip(path, limits, async ({ fileName }, bytes) => {
    let start = ''
    let last = ''
    const most = fileName === ofStyles ? mostOfStyles : readBytes
    for await (const chunk of bytes) {
      const text = chunk.toString('latin1')
      if (start.length < most) start += text
      if (!fileName.startsWith('xl/worksheets/')) continue
      refuseLongNumber(last + text)
      last = text.slice(-mostOfCell)
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
  return plain === styles ? null : plain
}

function refuseLongNumber(text: string) {
  const [, cell, digits] = longNumber.exec(text) ?? []
  if (digits !== undefined && BigInt(digits) > largestNumber)
    throw new ImportError(
      `Cell ${cell} has a number of ${digits.length} digits, which no spreadsheet keeps. Store it as text.`,
    )
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

/** Writes a workbook with other styles. */
export async function withStyles(
  path: string,
  { target, styles, limits }: { target: string; styles: string; limits: UnpackLimits },
): Promise<void> {
  const zip = new ZipFile()
  let part: Readable | undefined
  const written = pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600 }))
  // What is read ends with what is written.
  written.catch((error) => part?.destroy(error))
  const copied = readZip(path, limits, async ({ fileName }, bytes) => {
    if (fileName !== ofStyles) zip.addReadStream(bytes, fileName, { compress: false })
    else {
      zip.addBuffer(Buffer.from(styles, 'latin1'), fileName)
      bytes.resume()
    }
    part = bytes
    await finished(bytes)
  }).then(() => zip.end())
  await Promise.all([copied, written])
}
