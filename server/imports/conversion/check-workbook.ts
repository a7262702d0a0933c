import { ImportError } from '../import-error.ts'
import { readZip, type UnpackLimits } from './unpack-zip.ts'

/** Where Excel says from when its days count. */
const ofWorkbook = 'xl/workbook.xml'
const from1904 = /<(\w+:)?workbookPr\b[^>]*\sdate1904\s*=\s*["'](1|true)["']/

/** What a part declares stands at its start. */
const readBytes = 65_536

/**
 * A spreadsheet is an archive, too, and GDAL unpacks it without a limit and counts its days from 1900: throws an ImportError for
 * one that is too large, or would be read wrongly.
 */
export async function checkWorkbook(path: string, limits: UnpackLimits): Promise<void> {
  await readZip(path, limits, async ({ fileName }, bytes) => {
    let start = ''
    for await (const chunk of bytes) if (start.length < readBytes) start += chunk.toString('latin1')
    if (start.includes('<!ENTITY'))
      throw new ImportError(
        `${fileName} in the workbook declares entities: nobody needs them but who builds a bomb.`,
      )
    if (fileName === ofWorkbook && from1904.test(start))
      throw new ImportError(
        'The days of this workbook count from 1904, and its dates would come four years too early. Save it as CSV, or without the option "Use 1904 date system".',
      )
  })
}
