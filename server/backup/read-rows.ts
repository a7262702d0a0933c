import type { ReadDatabase, TableDescription } from '../database/database.ts'
import { readPage } from './backup.queries.ts'
import { encodeRow, isRestoreNote } from './backup-format.ts'
import type { BackupHash } from './backup-hash.ts'

/** Few enough that large geometries fit into memory, enough that the way to the database counts little. */
const rowsPerPage = 500

export type EncodedRows = { table: string; rows: number; lines: string[] }

/**
 * Every row of the tables as lines of a backup, in an order that both engines agree on. What it gives out has
 * been added to the hash.
 */
export async function* readEncodedRows(
  database: ReadDatabase,
  tables: readonly TableDescription[],
  hash: BackupHash,
): AsyncGenerator<EncodedRows> {
  for (const table of tables) {
    const { name, columns } = table
    const line = JSON.stringify({ table: name, columns })
    hash.add(line, { isContent: true })
    yield { table: name, rows: 0, lines: [line] }
    let last: Record<string, unknown> | undefined
    for (;;) {
      const page = await readPage(database, table, last, rowsPerPage)
      const lines = page.map((row) => {
        const encoded = encodeRow(name, columns, row)
        const values = columns.map((column) => row[column])
        hash.add(encoded, { isContent: !isRestoreNote(name, columns, values) })
        return encoded
      })
      if (lines.length > 0) yield { table: name, rows: lines.length, lines }
      last = page.at(-1)
      if (page.length < rowsPerPage) break
    }
  }
}
