import type { Person } from '#domain/access/session.schema.ts'
import type { NewUpload } from '#domain/files/file.schema.ts'
import type { Database } from '../database/database.ts'
import type { UploadsTable } from '../database/tables.ts'
import { ConflictError } from '../domain-error.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { requireQuota, requireRoom } from './change-files.commands.ts'
import { deleteUpload, insertUpload, readUpload, updateUpload } from './uploads.queries.ts'

type Key = { mapId: string; id: string }

/** Begins an upload, or goes on with the one that has this id. */
export function beginUpload(
  database: Database,
  { mapId, person, quotaBytes }: { mapId: string; person: Person; quotaBytes: number },
  { id, featureId, maintenanceId, name, size, sha256 }: NewUpload,
): Promise<UploadsTable> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const known = await readUpload(transaction, { mapId, id })
    const same: (keyof UploadsTable)[] = ['person_id', 'feature_id', 'maintenance_id', 'size', 'sha256']
    const row: UploadsTable = {
      map_id: mapId,
      id,
      feature_id: featureId,
      maintenance_id: maintenanceId,
      person_id: person.id,
      name,
      size,
      sha256: sha256 ?? null,
      received: 0,
      pieces: '[]',
      created_at: Date.now(),
    }
    if (known && same.every((column) => known[column] === row[column])) return known
    if (known) throw new ConflictError('Another file is on its way under this id.')
    await requireRoom(transaction, row)
    await requireQuota(transaction, mapId, size, quotaBytes)
    await insertUpload(transaction, row)
    return row
  })
}

/** False where another piece was taken in its place, or the upload is gone. */
export function noteReceived(
  database: Database,
  key: Key,
  before: number,
  now: Pick<UploadsTable, 'received' | 'pieces'>,
): Promise<boolean> {
  return database.write((transaction) => updateUpload(transaction, key, before, now))
}

export function forgetUpload(database: Database, key: Key): Promise<void> {
  return database.write((transaction) => deleteUpload(transaction, key))
}
