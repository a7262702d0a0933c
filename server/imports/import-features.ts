import { randomBytes } from 'node:crypto'
import type { CustomField } from '#domain/definition/custom-field.ts'
import { unfilledName } from '#domain/imports/field-labels.ts'
import { counted, plural } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import { readCustomFieldsVersion } from '../features/custom-fields/custom-fields.queries.ts'
import { readLand } from '../thinning/read-land.queries.ts'
import { openGdal } from './conversion/gdal.ts'
import type { ImportFile, ImportInput } from './formats/read-records.ts'
import { ImportError } from './import-error.ts'
import type { ImportWatch } from './import-watch.ts'
import { type Fields, fieldsOfKind } from './mapping/fields.ts'
import type { FilledField } from './mapping/map-columns.ts'
import { suggestProjections } from './projections/suggest-projections.ts'
import { discardImport, discardImportsBefore, insertImport, readMap } from './publishing/imports.queries.ts'
import { type PublishedCounts, publishImport } from './publishing/publish-import.ts'
import type { PublishingOptions } from './publishing/publishing-options.ts'
import { stageRecords } from './publishing/stage-records.ts'
import { tidyUpAfterImport } from './publishing/tidy-up.ts'
import { quoteValue } from './quote-value.ts'
import { findDoubts } from './reading/find-doubts.ts'
import type { RowCounts } from './reading/read-rows.ts'
import type { ReadingOptions } from './reading/reading-options.ts'
import type { Survey } from './reading/survey.ts'
import { type TrialFile, tryImport } from './trial/trial-file.ts'
import { isPartialDate } from './values/read-dates.ts'
import { readNumber } from './values/read-numbers.ts'

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
    likelyId: string | null
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
    const own = await readCustomFieldsVersion(database.read, mapId)
    const reading = { ...options, customFields: own.fields }
    const read = await stageRecords(database, input, reading, { importId, now }, watch)
    watch.signal?.throwIfAborted()
    const { filled, kept, unclearDates } = read.survey
    // If all rows were refused, it is unknown which columns fill fields.
    const notes = read.staged > 0 ? findNotes(read, fieldsOfKind(kind, own.fields), own.fields[kind]) : []
    const { othersHaveId, likelyColumn } = read.survey.withoutId
    const likelyId = othersHaveId ? null : likelyColumn
    const result = { ...read.counts, filled, kept, unclearDates, notes, likelyId }
    const doubts = await doubtsOf(database, read.survey, options)
    if (read.staged === 0) {
      if (trial) await watch.confirm?.(doubts)
      else for (const doubt of doubts) watch.onNotice?.(doubt)
      await discard()
      return { ...result, importId: null, ...nothing }
    }
    if (doubts.length > 0 && watch.confirm && !(await watch.confirm(doubts)))
      throw new ImportError('Nothing was imported.')
    const work = { ...read, record, options, isNewMap, customFieldsVersion: own.version }
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

type Staged = { survey: Survey; staged: number }

function findNotes({ survey, staged }: Staged, fields: Fields, own: readonly CustomField[]): string[] {
  const { filled, ownColumns, withoutId } = survey
  const names = filled.flatMap(({ field, rows }) => (rows > 0 ? [field] : []))
  const unnamed = ownColumns === null && filled.length > 0 ? unfilledName(fields, names) : null
  return [
    ...(unnamed === null ? [] : [unnamed]),
    ...noteWithoutId(withoutId),
    ...filled.flatMap((one) => noteRounded(one, fields[one.field]?.label ?? one.field)),
    ...filled.flatMap(noteEmptyDays),
    ...filled.flatMap((one) => (fields[one.field]?.reader.isDate ? notePartialDates(one) : [])),
    ...filled.flatMap((one) => (fields[one.field]?.reader.isNumber ? noteOtherMark(one) : [])),
    ...(ownColumns === null ? noteRequired(filled, own, staged) : []),
  ]
}

/** Imports do not refuse such rows: older records may lack required values, too. */
function noteRequired(
  filled: readonly FilledField[],
  customFields: readonly CustomField[],
  staged: number,
): string[] {
  return customFields.flatMap(({ key, label, isRequired }) => {
    const rows = filled.reduce((sum, one) => (one.field === `own.${key}` ? sum + one.rows : sum), 0)
    const missing = staged - rows
    if (!isRequired || missing <= 0) return []
    return [`${counted(missing, 'row')} ${plural(missing, 'has', 'have')} no ‘${label}’, which is required.`]
  })
}

/** Rows without an id are matched by their whole content. */
function noteWithoutId({ rows, othersHaveId, likelyColumn }: Survey['withoutId']): string[] {
  if (rows === 0) return []
  const start = othersHaveId
    ? `${counted(rows, 'row')} ${plural(rows, 'has', 'have')} no id`
    : 'No column has ids'
  const help = othersHaveId ? 'Give each row an id in the file.' : 'Choose the column with the id.'
  const likely =
    likelyColumn === null ? '' : ` It may be ‘${likelyColumn}’, which has a different value in each row.`
  return [
    `${start}. When you import the file again, changed rows will be added as new features. ${help}${likely}`,
  ]
}

const maxExamples = 3
const examplesOf = (values: readonly string[]) =>
  values
    .slice(0, maxExamples)
    .map((value) => quoteValue(value))
    .join(', ')

function noteRounded({ column, rounded = 0, roundedRows = [] }: FilledField, label: string): string[] {
  if (rounded === 0) return []
  const which = roundedRows.map(({ row, value }) => `row ${row} (${value})`).join(', ')
  const numbers = counted(rounded, 'number')
  return [
    `${numbers} in ${column} ${plural(rounded, 'was', 'were')} rounded, because ‘${label}’ stores fewer digits: ${which}.`,
  ]
}

function noteEmptyDays({ column, emptyDays = 0, emptyDayRows = [] }: FilledField): string[] {
  if (emptyDays === 0) return []
  const which = emptyDayRows.map(({ row, value }) => `row ${row} (${value})`).join(', ')
  const dates = counted(emptyDays, 'date')
  return [`${dates} in ${column} may be empty, as programs write them for empty cells: ${which}.`]
}

function notePartialDates({ column, unknown = [] }: FilledField): string[] {
  const partial = unknown.filter(isPartialDate)
  if (partial.length === 0) return []
  return [
    `Dates without a day in ${column} were not imported: ${examplesOf(partial)}. Add the day in the file, such as 2020-12-01.`,
  ]
}

function noteOtherMark({ column, unknown = [] }: FilledField): string[] {
  const [point, comma] = (['point', 'comma'] as const).map((mark) =>
    unknown.filter((value) => readNumber(value, mark) !== undefined),
  )
  const others = point?.length ? point : comma
  if (!others?.length) return []
  const mark = others === point ? 'point' : 'comma'
  return [
    `Numbers with a decimal ${mark} in ${column} were not imported, because other numbers in the file use the other mark: ${examplesOf(others)}.`,
  ]
}
