import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import { readExportsOver } from '../background-exports.queries.ts'
import { forgetExport } from './background-exports.commands.ts'
import { keyOf } from './export-pieces.ts'

/** Forgets files whose time is over. */
export async function keepExportsTidy(database: Database, store: BlobStore, now: number): Promise<void> {
  for (const row of await readExportsOver(database.read, now)) await forgetExport(database, store, keyOf(row))
}
