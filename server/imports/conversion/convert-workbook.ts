import { readFile, stat, writeFile } from 'node:fs/promises'
import type * as Excel from '@e965/xlsx'
import type { CellObject } from '@e965/xlsx'
import { ImportError } from '../import-error.ts'
import { zerosOf } from './exact-cells.ts'

/** Such a workbook is read as a whole, and takes some 30 times its size in memory. */
const mostBytes = 50 * 2 ** 20

/**
 * Rewrites a workbook of another format of Excel (xls, xlsb, XML, or a web page that Excel saved) as xlsx, with its numbers,
 * days, times and texts. Formulas become their values.
 */
export async function convertWorkbook(path: string, target: string): Promise<void> {
  if ((await stat(path)).size > mostBytes)
    throw new ImportError(
      `An Excel workbook of this kind may have ${mostBytes / 2 ** 20} MB at most. Save it as "Excel Workbook (.xlsx)".`,
    )
  const excel = await import('@e965/xlsx')
  excel.set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  const bytes = await readFile(path)
  await writeFile(target, rewrite(excel, bytes), { mode: 0o600 })
}

function rewrite({ read, SSF, write }: typeof Excel, bytes: Buffer): Buffer {
  try {
    // `raw` keeps the texts of a web page: they are read as those of any other table are.
    const options = { dense: true, cellNF: true, cellFormula: false, cellHTML: false, cellText: false }
    const workbook = read(bytes, { ...options, raw: true })
    for (const { '!data': rows = [] } of Object.values(workbook.Sheets))
      for (let at = 0; at < rows.length; at++) {
        // The writer needs the empty ones, too.
        const row = rows[at] ?? []
        rows[at] = row
        for (const cell of row) if (cell) cell.z = plainFormat(cell, SSF)
      }
    return write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true })
  } catch (error) {
    const isLocked = /password/i.test((error as Error).message)
    throw new ImportError(
      isLocked
        ? 'The workbook has a password. Save it without one, and import that file.'
        : 'The workbook cannot be read. Open it in Excel or LibreOffice, save it as "Excel Workbook (.xlsx)", and import that file.',
    )
  }
}

/** One that GDAL knows by its number, or zeros, with which the number becomes a text later. */
function plainFormat({ t, v, z }: CellObject, { is_date }: typeof Excel.SSF): string {
  const isDuration = /\[[hms]+\]/i.test(String(z))
  if (t !== 'n' || typeof v !== 'number' || z === undefined || isDuration || !is_date(String(z)))
    return zerosOf(String(z)) === undefined ? 'General' : String(z)
  if (Number.isInteger(v)) return 'm/d/yy'
  return v < 1 ? 'h:mm:ss' : 'm/d/yy h:mm'
}
