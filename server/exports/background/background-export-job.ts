import { z } from 'zod'
import { isConverted } from '#domain/exports/export-format.ts'
import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { ProblemError } from '../../http/problem.ts'
import { type AnyJobKind, defineJob, whileWanted } from '../../jobs/job-kind.ts'
import { readExport, updateExport } from '../background-exports.queries.ts'
import { convertRows } from '../conversion/convert-rows.ts'
import { ConversionError, FormatError } from '../conversion/run-conversion.ts'
import { type ExportQuestion, planExport } from '../export-question.ts'
import { type RowsWish, readExportedRows } from '../export-rows.queries.ts'
import { backgroundExportJobName } from './background-exports.commands.ts'
import { keyOf, putFile, removeFile } from './export-pieces.ts'

/** A million features take two minutes where nobody else works. */
const usualTimeLimitMs = 30 * 60_000

/** Each waits for ten seconds where somebody else writes. */
const mostNotes = 12

/** How far it is stands in the row, as several servers may be asked: written so often at most. */
const noteMs = 1_000

type Places = {
  store: BlobStore
  dataDirectory: string
  /** Of GDAL alone; default half an hour. */
  timeLimitMs?: number
}

/** Writes the files that are too large for somebody to wait for. Whoever takes one up again begins it anew. */
export const backgroundExportJob = (places: Places): AnyJobKind =>
  defineJob({
    name: backgroundExportJobName,
    // Each may take a gigabyte. With one, nobody else would get a file while that of a large map is written.
    mostAtOnce: 2,
    payload: z.object({ id: z.string() }),
    async step({ database, mapId, payload, signal }) {
      const row = await begin(database, { mapId, id: payload.id })
      if (row) await write(database, places, row, signal)
      return 'done'
    },
    async giveUp(transaction, { mapId, payload }) {
      const row = await readExport(transaction, { mapId, id: payload.id })
      if (row) await updateExport(transaction, row, failedWith('It could not be written. Try again later.'))
    },
  })

const failedWith = (problem: string): Partial<BackgroundExportsTable> => ({
  state: 'failed',
  problem,
  finished_at: Date.now(),
})

/** Undefined where nobody wants it any more. */
function begin(database: Database, key: { mapId: string; id: string }) {
  return database.write(async (transaction) => {
    const row = await readExport(transaction, key)
    if (!row) return undefined
    const begun = { attempt: row.attempt + 1, state: 'reading', rows_read: 0 } as const
    return (await updateExport(transaction, row, begun)) ? { ...row, ...begun } : undefined
  })
}

async function write(
  database: Database,
  { store, dataDirectory, timeLimitMs = usualTimeLimitMs }: Places,
  row: BackgroundExportsTable,
  stopping: AbortSignal,
) {
  const note = (columns: Partial<BackgroundExportsTable>) =>
    database.write((transaction) => updateExport(transaction, row, columns))
  const isWanted = async () => (await readExport(database.read, keyOf(row)))?.attempt === row.attempt
  await whileWanted({ isWanted, signal: stopping }, async (signal) => {
    const file = await makeFile(database, { row, dataDirectory, timeLimitMs, signal, note })
    if (!file) return
    try {
      const pieces = await putFile(store, row, file.path, signal)
      const made = { state: 'done', pieces: JSON.stringify(pieces), finished_at: Date.now() } as const
      let isNoted = false
      try {
        isNoted = await noteAtLast(note, made, signal)
      } finally {
        if (!isNoted) await removeFile(store, { ...row, ...made })
      }
    } finally {
      await file.remove()
    }
  })
}

type Note = (columns: Partial<BackgroundExportsTable>) => Promise<boolean>

/** Of minutes of work: an import may be writing all the while, and on SQLite nobody else can for as long. */
async function noteAtLast(note: Note, columns: Partial<BackgroundExportsTable>, signal: AbortSignal) {
  for (let tries = 1; ; tries++) {
    try {
      return await note(columns)
    } catch (error) {
      signal.throwIfAborted()
      if (tries === mostNotes) throw error
    }
  }
}

type Making = {
  row: BackgroundExportsTable
  dataDirectory: string
  timeLimitMs: number
  signal: AbortSignal
  note: Note
}

/** Undefined where it cannot be written, and could not be if it were tried again: the row says why. */
async function makeFile(database: Database, { row, dataDirectory, timeLimitMs, signal, note }: Making) {
  const mapId = row.map_id
  const question: ExportQuestion = JSON.parse(row.question)
  const selection = row.selection === null ? undefined : JSON.parse(row.selection)
  const { format } = question
  if (!isConverted(format)) throw new Error(`${format} is a stream.`)

  // On SQLite an import may be writing all the while: then nobody hears of it.
  const tell = (columns: Partial<BackgroundExportsTable>) => note(columns).catch(() => {})

  async function* rows(wish: RowsWish) {
    let [read, notedAt] = [0, Date.now()]
    for await (const part of readExportedRows(database, { mapId, signal }, wish)) {
      yield part
      read += part.length
      if (Date.now() - notedAt < noteMs) continue
      notedAt = Date.now()
      await tell({ rows_read: read })
    }
    await tell({ rows_read: read, state: 'writing' })
  }
  const name = row.file_name.slice(0, row.file_name.indexOf('.'))
  try {
    // Who asked was one of the staff, and is one still when they fetch it.
    const plan = await planExport(database, { mapId, sight: 'everything' }, question, selection)
    const { exporter } = plan
    return await convertRows({ dataDirectory, format, exporter, name, signal, timeLimitMs }, rows(plan.wish))
  } catch (error) {
    const isFinal =
      error instanceof ConversionError || error instanceof FormatError || error instanceof ProblemError
    if (!isFinal) throw error
    await note(failedWith(error.message))
    return undefined
  }
}
