import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import { mostExportsOfPerson } from '#domain/exports/background-export.schema.ts'
import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { ConflictError } from '../../domain-error.ts'
import { insertJob } from '../../jobs/jobs.queries.ts'
import { lockOpenMap } from '../../maps/maps.queries.ts'
import {
  deleteExport,
  type ExportKey,
  insertExport,
  readExport,
  readExportsOf,
} from '../background-exports.queries.ts'
import { removeFile } from './export-pieces.ts'

export const backgroundExportJobName = 'background-export'

/** JSON of both. */
type Asked = Pick<BackgroundExportsTable, 'question' | 'selection' | 'file_name' | 'total'>

/** Has a file written. Asked twice by the same person it is written once. */
export function startExport(
  database: Database,
  { key, person }: { key: ExportKey; person: Person },
  asked: Asked,
): Promise<void> {
  const { mapId, id } = key
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const known = await readExport(transaction, key)
    if (known) {
      const isSame = known.question === asked.question && known.selection === asked.selection
      if (isSame && known.person_id === person.id) return
      throw new ConflictError('Another export has this id.')
    }
    const now = Date.now()
    const others = await readExportsOf(transaction, { mapId, personId: person.id }, now)
    if (others.filter(({ state }) => state !== 'failed').length >= mostExportsOfPerson)
      throw new ConflictError(
        `${mostExportsOfPerson} files of yours are kept or being written on this map: remove one of them first.`,
      )
    await insertExport(transaction, {
      map_id: mapId,
      id,
      person_id: person.id,
      ...asked,
      state: 'waiting',
      attempt: 0,
      rows_read: 0,
      pieces: '[]',
      problem: null,
      created_at: now,
      finished_at: null,
    })
    // One with the same id may have been removed, and its job may be there still.
    const job = { mapId, kind: backgroundExportJobName, key: randomUUID(), payload: { id } }
    await insertJob(transaction, job, now)
  })
}

/** Ends what is being written, or removes the file. */
export async function forgetExport(database: Database, store: BlobStore, key: ExportKey): Promise<void> {
  const row = await database.write((transaction) => deleteExport(transaction, key))
  // Where the store is away its upkeep does it: no row speaks of the file any more.
  if (row) await removeFile(store, row).catch(() => {})
}
