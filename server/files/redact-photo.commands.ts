import type { Person } from '#domain/access/session.schema.ts'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FilesTable } from '../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError } from '../domain-error.ts'
import { copyItem } from '../merges/merges.queries.ts'
import { lockFile, recordActivity } from './change-files.commands.ts'
import { hashesOf, insertFile, readFile, toFile, updateFile, updateReferences } from './files.queries.ts'

// A redacted photo is a new file, so that its address is new as well. The original is a removed file, which only staff
// can open and restore, and which is deleted after 30 days.

type Request = { mapId: string; id: string; person: Person; isExpected: Expectation }

type Content = Pick<FilesTable, 'original' | 'large' | 'small' | 'width' | 'height' | 'size'>

/** Throws unless this is a photo that can be redacted. */
export function requirePhoto(row: FilesTable | undefined, id: string): string {
  if (!row || row.removed_at !== null) throw new NotFoundError(`There is no file ${id} on this map.`)
  if (row.large === null) throw new ConflictError('Only photos can be redacted.')
  return row.large
}

export function replaceByRedacted(
  database: Database,
  request: Request,
  { id, ...content }: Content & { id: string },
): Promise<FileOfFeature> {
  const { mapId, person } = request
  return database.write(async (transaction) => {
    const row = await lockFile(database, transaction, request, { isRemoved: false })
    if (await readFile(transaction, { mapId, id }))
      throw new ConflictError('This id belongs to another file.')
    const now = Date.now()
    const redacted: FilesTable = {
      ...row,
      ...content,
      id,
      media_type: 'image/jpeg',
      version: 1,
      redacts: row.id,
    }
    await insertFile(transaction, redacted)
    await copyItem(transaction, { mapId, from: row.id, to: id })
    const gone = { removed_at: now, removed_by: person.name, is_public: 0, version: row.version + 1 }
    await updateFile(transaction, { mapId, id: row.id }, gone)
    return finish(transaction, [row, redacted], redacted, person)
  })
}

/** The original takes the place of the redacted photo again, for the same readers. */
export function undoRedaction(database: Database, request: Request): Promise<FileOfFeature> {
  const { mapId, person } = request
  return database.write(async (transaction) => {
    const row = await lockFile(database, transaction, request, { isRemoved: false })
    if (row.redacts === null) throw new ConflictError('This photo has no redacted areas.')
    const original = await readFile(transaction, { mapId, id: row.redacts })
    if (!original) throw new ConflictError('The original was deleted, 30 days after its areas were redacted.')
    const { feature_id, is_public, list_order, caption } = row
    const back = { feature_id, is_public, list_order, caption, removed_at: null, removed_by: null }
    const restored = { ...original, ...back, version: original.version + 1 }
    await updateFile(transaction, { mapId, id: original.id }, { ...back, version: restored.version })
    const gone = { removed_at: Date.now(), removed_by: person.name, is_public: 0, version: row.version + 1 }
    await updateFile(transaction, { mapId, id: row.id }, gone)
    return finish(transaction, [row, restored], restored, person)
  })
}

async function finish(
  transaction: WriteTransaction,
  files: readonly FilesTable[],
  shown: FilesTable,
  person: Person,
) {
  const now = Date.now()
  await updateReferences(transaction, shown.map_id, files.flatMap(hashesOf), now)
  await recordActivity(transaction, shown, person, 'file.changed', now)
  return toFile(shown, true)
}
