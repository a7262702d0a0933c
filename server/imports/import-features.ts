import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { readOwnFieldsVersion } from '../features/own-fields/own-fields.queries.ts'
import { readLand } from '../thinning/read-land.queries.ts'
import { openGdal } from './conversion/gdal.ts'
import type { ImportFile, ImportInput } from './formats/read-records.ts'
import { ImportError } from './import-error.ts'
import type { ImportOptions, ImportProgress, ImportResult } from './import-options.ts'
import { fieldsOfKind } from './mapping/fields.ts'
import { suggestProjections } from './projections/suggest-projections.ts'
import { discardImport, discardImportsBefore, insertImport, readMap } from './publishing/imports.queries.ts'
import { publishImport } from './publishing/publish-import.ts'
import { stageRecords } from './publishing/stage-records.ts'
import { tidyUpAfterImport } from './publishing/tidy-up.ts'
import { findDoubts } from './reading/find-doubts.ts'
import { findNotes } from './reading/find-notes.ts'
import { tryImport } from './trial/try-import.ts'

/** An import that has not finished after this long never will: its process is gone. */
const deadAfterMs = 86_400_000

/**
 * Imports a file into a map. Its features wait where nobody sees them; one transaction at the end shows them
 * all. Throws an ImportError for what a person can mend, and leaves nothing behind when it throws.
 */
export async function importFeatures(
  database: Database,
  input: ImportInput | ImportFile,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportResult> {
  await database.write((transaction) => discardImportsBefore(transaction, Date.now() - deadAfterMs))
  const result = await database.withStage(() => stageAndPublish(database, input, options, onProgress))
  const { created, updated } = result
  await tidyUpAfterImport(database, created + updated, options.onNotice)
  return result
}

async function stageAndPublish(
  database: Database,
  input: ImportInput | ImportFile,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const now = Date.now()
  const { mapId, kind, source, keepsEdits = true, importId = randomBytes(5).toString('hex'), trial } = options
  const key = { mapId, importId }
  const isNewMap = !(await readMap(database.read, mapId))
  if (isNewMap && !options.client) throw unknownMap(mapId)
  const record = {
    map_id: mapId,
    id: key.importId,
    source,
    kind,
    state: 'staging' as const,
    created_count: 0,
    updated_count: 0,
    refused_count: 0,
    started_at: now,
    finished_at: null,
    // Where only some fields change, what people changed in the others still holds.
    replaces_edits: keepsEdits || options.onlyFields ? 0 : 1,
  }
  if (!isNewMap) await database.write((transaction) => insertImport(transaction, record))
  try {
    const own = await readOwnFieldsVersion(database.read, mapId)
    const reading = { ...options, ownFields: own.fields }
    const read = await stageRecords(database, input, reading, { ...key, now }, onProgress)
    options.signal?.throwIfAborted()
    const { filled, kept, unclearDates } = read.survey
    // Rows that were all refused do not tell which columns fill fields.
    const notes = read.staged > 0 ? findNotes(read.survey, fieldsOfKind(kind, own.fields)) : []
    const done = { ...read.counts, filled, kept, unclearDates, notes }
    const land = await readLand(database.read, mapId)
    const doubts = await findDoubts(read.survey, {
      land,
      areaUnit: options.areaUnit ?? 'acre',
      areCoordinatesSwapped: options.areCoordinatesSwapped ?? false,
      suggestProjection: async (positions) =>
        land && (await suggestProjections(await openGdal(), { positions, land }))[0]?.projection,
    })
    const discard = () => database.write((transaction) => discardImport(transaction, database.engine, key))
    if (read.staged === 0) {
      // There is nothing to confirm, but a trial shows what would help.
      if (trial) await options.confirm?.(doubts)
      else for (const doubt of doubts) options.onNotice?.(doubt)
      await discard()
      return { ...done, importId: null, ...nothing }
    }
    if (doubts.length > 0 && options.confirm && !(await options.confirm(doubts)))
      throw new ImportError('Nothing was imported.')
    const work = { ...read, record, options, isNewMap, ownFieldsVersion: own.version }
    if (!trial) return { ...done, ...(await publishImport(database, work, onProgress)) }
    const tried = await tryImport(database, work, trial, onProgress)
    await discard()
    return { ...done, ...tried, importId: null }
  } catch (error) {
    // Where this fails too, the first import after a day does it; what happened is what people have to hear.
    await database.write((transaction) => discardImport(transaction, database.engine, key)).catch(() => {})
    throw error
  }
}

const nothing = { created: 0, updated: 0, unchanged: 0, removedHere: 0, gone: 0, editsKept: 0 }

function unknownMap(mapId: string): ImportError {
  return new ImportError(`There is no map "${mapId}".`, { remedy: 'other-map-or-new-client' })
}
