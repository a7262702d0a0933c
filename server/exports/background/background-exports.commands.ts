import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import { maxExportsOfPerson } from '#domain/exports/background-export.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { ConflictError } from '../../domain-error.ts'
import { insertJob } from '../../jobs/jobs.queries.ts'
import { lockOpenMap } from '../../maps/maps.queries.ts'
import {
  deleteExport,
  type ExportKey,
  insertExport,
  readExpiredExports,
  readExport,
  readExportsOf,
} from '../background-exports.queries.ts'
import { keyOf, removeFile } from './export-pieces.ts'

export const backgroundExportJobName = 'background-export'

/** `question` and `selection` are JSON. */
type NewExport = Pick<BackgroundExportsTable, 'question' | 'selection' | 'file_name' | 'total'>

/** Idempotent. */
export function startExport(
  database: Database,
  { key, person }: { key: ExportKey; person: Person },
  request: NewExport,
): Promise<void> {
  const { mapId, id } = key
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await readExport(transaction, key)
    if (current) {
      const isSame = current.question === request.question && current.selection === request.selection
      if (isSame && current.person_id === person.id) return
      throw new ConflictError('This id belongs to another export.')
    }
    const now = Date.now()
    const others = await readExportsOf(transaction, { mapId, personId: person.id }, now)
    if (others.filter(({ state }) => state !== 'failed').length >= maxExportsOfPerson)
      throw new ConflictError(
        `You have ${maxExportsOfPerson} exports of this map, which is the limit. Delete one of them first.`,
      )
    await insertExport(transaction, {
      map_id: mapId,
      id,
      person_id: person.id,
      ...request,
      state: 'waiting',
      attempt: 0,
      rows_read: 0,
      pieces: '[]',
      problem: null,
      created_at: now,
      finished_at: null,
    })
    // The job of a removed export with the same id may still exist: the key must differ.
    const job = { mapId, kind: backgroundExportJobName, key: randomUUID(), payload: { id } }
    await insertJob(transaction, job, now)
  })
}

export async function removeExport(database: Database, store: BlobStore, key: ExportKey): Promise<void> {
  const row = await database.write((transaction) => deleteExport(transaction, key))
  // If the store is unreachable, cleanup removes the file later because it has no row.
  if (row) await removeFile(store, row).catch(() => {})
}

export async function removeExpiredExports(database: Database, store: BlobStore, now: number): Promise<void> {
  for (const row of await readExpiredExports(database.read, now))
    await removeExport(database, store, keyOf(row))
}
