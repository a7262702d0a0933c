import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { readOwnFieldsVersion } from '../features/own-fields/own-fields.queries.ts'
import { readLand } from '../thinning/read-land.queries.ts'
import { openGdal } from './conversion/gdal.ts'
import type { ImportFile, ImportInput } from './formats/read-records.ts'
import { ImportError } from './import-error.ts'
import type { ImportWatch } from './import-watch.ts'
import { fieldsOfKind } from './mapping/fields.ts'
import { suggestProjections } from './projections/suggest-projections.ts'
import { discardImport, discardImportsBefore, insertImport, readMap } from './publishing/imports.queries.ts'
import { type PublishedCounts, publishImport } from './publishing/publish-import.ts'
import type { PublishingOptions } from './publishing/publishing-options.ts'
import { stageRecords } from './publishing/stage-records.ts'
import { tidyUpAfterImport } from './publishing/tidy-up.ts'
import { findDoubts } from './reading/find-doubts.ts'
import { findNotes } from './reading/find-notes.ts'
import type { RowCounts } from './reading/read-batches.ts'
import type { ReadingOptions } from './reading/reading-options.ts'
import type { Survey } from './reading/survey.ts'
import type { TrialFile } from './trial/trial-file.ts'
import { tryImport } from './trial/try-import.ts'

export type ImportOptions = ReadingOptions &
  PublishingOptions & {
    importId?: string
    /** Records the outcome of each row here, and changes nothing. */
    trial?: TrialFile
  }

export type ImportResult = RowCounts &
  PublishedCounts &
  Pick<Survey, 'filled' | 'kept' | 'unclearDates'> & {
    /** Null if nothing on the map changed, so that there is nothing to undo. */
    importId: string | null
    notes: string[]
  }

/** The process of an import that has not finished after this time has ended. */
const deadAfterMs = 86_400_000

/**
 * Features are staged, invisible, until one transaction publishes them all. Throws an ImportError for problems that a
 * person can fix, and leaves nothing behind when it throws.
 */
export async function importFeatures(
  database: Database,
  input: ImportInput | ImportFile,
  options: ImportOptions,
  watch: ImportWatch = {},
): Promise<ImportResult> {
  await database.write((transaction) => discardImportsBefore(transaction, Date.now() - deadAfterMs))
  const result = await database.withStage(() => stageAndPublish(database, input, options, watch))
  const { created, updated } = result
  await tidyUpAfterImport(database, created + updated, watch.onNotice)
  return result
}

async function stageAndPublish(
  database: Database,
  input: ImportInput | ImportFile,
  { importId = randomBytes(5).toString('hex'), trial, ...options }: ImportOptions,
  watch: ImportWatch,
): Promise<ImportResult> {
  const now = Date.now()
  const { mapId, kind, source, keepsEdits = true, onlyFields } = options
  const key = { mapId, importId }
  const isNewMap = !(await readMap(database.read, mapId))
  if (isNewMap && !options.client)
    throw new ImportError(`There is no map "${mapId}".`, { remedy: 'other-map-or-new-client' })
  const record = {
    map_id: mapId,
    id: importId,
    source,
    kind,
    state: 'staging' as const,
    created_count: 0,
    updated_count: 0,
    refused_count: 0,
    started_at: now,
    finished_at: null,
    // If only some fields change, edits of the others stay.
    replaces_edits: keepsEdits || onlyFields ? 0 : 1,
  }
  const discard = () => database.write((transaction) => discardImport(transaction, database.engine, key))
  if (!isNewMap) await database.write((transaction) => insertImport(transaction, record))
  try {
    const own = await readOwnFieldsVersion(database.read, mapId)
    const reading = { ...options, ownFields: own.fields }
    const read = await stageRecords(database, input, reading, { importId, now }, watch)
    watch.signal?.throwIfAborted()
    const { filled, kept, unclearDates } = read.survey
    // If all rows were refused, it is unknown which columns fill fields.
    const notes = read.staged > 0 ? findNotes(read.survey, fieldsOfKind(kind, own.fields)) : []
    const result = { ...read.counts, filled, kept, unclearDates, notes }
    const doubts = await doubtsOf(database, read.survey, options)
    if (read.staged === 0) {
      if (trial) await watch.confirm?.(doubts)
      else for (const doubt of doubts) watch.onNotice?.(doubt)
      await discard()
      return { ...result, importId: null, ...nothing }
    }
    if (doubts.length > 0 && watch.confirm && !(await watch.confirm(doubts)))
      throw new ImportError('Nothing was imported.')
    const work = { ...read, record, options, isNewMap, ownFieldsVersion: own.version }
    if (!trial) return { ...result, ...(await publishImport(database, work, watch)) }
    const counts = await tryImport(database, work, trial, watch)
    await discard()
    return { ...result, ...counts, importId: null }
  } catch (error) {
    // If this fails too, the first import after a day discards it. The first error is the one to report.
    await discard().catch(() => {})
    throw error
  }
}

async function doubtsOf({ read }: Database, survey: Survey, options: ReadingOptions) {
  const land = await readLand(read, options.mapId)
  const { areaUnit = 'acre', areCoordinatesSwapped = false } = options
  return findDoubts(survey, {
    land,
    areaUnit,
    areCoordinatesSwapped,
    suggestProjection: async (positions) =>
      land && (await suggestProjections(await openGdal(), { positions, land }))[0]?.projection,
  })
}

const nothing = { created: 0, updated: 0, unchanged: 0, removedHere: 0, gone: 0, editsKept: 0 }
