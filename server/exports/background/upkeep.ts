import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import { deleteExport, readExportsOver } from '../background-exports.queries.ts'
import { keyOf, removeFile } from './export-pieces.ts'

/** Forgets files whose time is over. */
export async function keepExportsTidy(database: Database, store: BlobStore, now: number): Promise<void> {
  for (const row of await readExportsOver(database.read, now)) {
    await database.write((transaction) => deleteExport(transaction, keyOf(row)))
    await removeFile(store, row)
  }
}
