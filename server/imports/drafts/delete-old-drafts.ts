import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isImportStep } from '#domain/imports/import-draft.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import { deleteDraft, readDraft, readDraftFiles, readDraftsBefore } from './import-drafts.queries.ts'
import { removeDraftPieces } from './receive-files.ts'
import { importsFolder, removeWorkingFolder } from './working-folder.ts'

const retainedMs = 30 * 86_400_000

type Places = { database: Database; store: BlobStore; dataDirectory: string }

/** Also deletes working folders on this machine whose drafts are deleted. */
export async function deleteOldDrafts({ database, store, dataDirectory }: Places, now: number) {
  for (const { map_id: mapId, id, state } of await readDraftsBefore(database.read, now - retainedMs)) {
    if (isImportStep(state)) continue
    const key = { mapId, id }
    const files = await readDraftFiles(database.read, key)
    await database.write((transaction) => deleteDraft(transaction, key))
    await removeDraftPieces(store, files)
  }
  const folder = importsFolder(dataDirectory)
  for (const mapId of await namesIn(folder))
    for (const id of await namesIn(join(folder, mapId)))
      if (!(await readDraft(database.read, { mapId, id })))
        await removeWorkingFolder(dataDirectory, { mapId, id })
}

const namesIn = (folder: string) => readdir(folder).catch(() => [])
