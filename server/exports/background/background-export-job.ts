import { z } from 'zod'
import { isConverted } from '#domain/exports/export-format.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { ProblemError } from '../../http/problem.ts'
import { type AnyJobKind, defineJob, whileWanted } from '../../jobs/job-kind.ts'
import { readExport, updateExport } from '../background-exports.queries.ts'
import { ConversionError, convertRows, FormatError } from '../conversion/convert-rows.ts'
import { type ExportQuery, planExport } from '../export-query.ts'
import { type RowQuery, readExportedRows } from '../export-rows.queries.ts'
import { backgroundExportJobName } from './background-exports.commands.ts'
import { keyOf, putFile, removeFile } from './export-pieces.ts'

const usualTimeLimitMs = 30 * 60_000

/** Each attempt waits up to ten seconds for another writer. */
const maxAttempts = 12

const progressIntervalMs = 1_000

type Places = {
  store: BlobStore
  dataDirectory: string
  timeLimitMs?: number
}

/** A process that takes over an interrupted export starts again. */
export const backgroundExportJob = (places: Places): AnyJobKind =>
  defineJob({
    name: backgroundExportJobName,
    // Each may take a gigabyte of memory. A single lane would let one large map delay all others.
    maxAtOnce: 2,
    payload: z.object({ id: z.string() }),
    async step({ database, mapId, payload, signal }) {
      const row = await begin(database, { mapId, id: payload.id })
      if (row) await write(database, places, row, signal)
      return 'done'
    },
    async giveUp(transaction, { mapId, payload }) {
      const row = await readExport(transaction, { mapId, id: payload.id })
      if (row) await updateExport(transaction, row, failedWith('Could not write the file. Try again later.'))
    },
  })

const failedWith = (problem: string): Partial<BackgroundExportsTable> => ({
  state: 'failed',
  problem,
  finished_at: Date.now(),
})

function begin(database: Database, key: { mapId: string; id: string }) {
  return database.write(async (transaction) => {
    const row = await readExport(transaction, key)
    if (!row) return undefined
    const started = { attempt: row.attempt + 1, state: 'reading', rows_read: 0 } as const
    return (await updateExport(transaction, row, started)) ? { ...row, ...started } : undefined
  })
}

async function write(
  database: Database,
  { store, dataDirectory, timeLimitMs = usualTimeLimitMs }: Places,
  row: BackgroundExportsTable,
  stopping: AbortSignal,
) {
  const update = (columns: Partial<BackgroundExportsTable>) =>
    database.write((transaction) => updateExport(transaction, row, columns))
  const isWanted = async () => (await readExport(database.read, keyOf(row)))?.attempt === row.attempt
  await whileWanted({ isWanted, signal: stopping }, async (signal) => {
    const file = await makeFile(database, { row, dataDirectory, timeLimitMs, signal, update })
    if (!file) return
    try {
      const pieces = await putFile(store, row, file.path, signal)
      const made = { state: 'done', pieces: JSON.stringify(pieces), finished_at: Date.now() } as const
      let isUpdated = false
      try {
        isUpdated = await updateRepeatedly(update, made, signal)
      } finally {
        if (!isUpdated) await removeFile(store, { ...row, ...made })
      }
    } finally {
      await file.remove()
    }
  })
}

type Update = (columns: Partial<BackgroundExportsTable>) => Promise<boolean>

/** On SQLite, an import may block other writers for longer than one attempt waits. */
async function updateRepeatedly(
  update: Update,
  columns: Partial<BackgroundExportsTable>,
  signal: AbortSignal,
) {
  for (let tries = 1; ; tries++) {
    try {
      return await update(columns)
    } catch (error) {
      signal.throwIfAborted()
      if (tries === maxAttempts) throw error
    }
  }
}

type Making = {
  row: BackgroundExportsTable
  dataDirectory: string
  timeLimitMs: number
  signal: AbortSignal
  update: Update
}

/** Returns undefined for a permanent failure, whose reason is in the row. */
async function makeFile(database: Database, { row, dataDirectory, timeLimitMs, signal, update }: Making) {
  const mapId = row.map_id
  const query: ExportQuery = JSON.parse(row.question)
  const selection = row.selection === null ? undefined : JSON.parse(row.selection)
  const { format } = query

  const report = (columns: Partial<BackgroundExportsTable>) => update(columns).catch(() => {})

  async function* readRows(query: RowQuery) {
    let [read, reportedAt] = [0, Date.now()]
    for await (const part of readExportedRows(database, { mapId, signal }, query)) {
      yield part
      read += part.length
      if (Date.now() - reportedAt < progressIntervalMs) continue
      reportedAt = Date.now()
      await report({ rows_read: read })
    }
    await report({ rows_read: read, state: 'writing' })
  }
  const name = row.file_name.slice(0, row.file_name.indexOf('.'))
  try {
    if (!isConverted(format))
      throw new FormatError('This format is no longer written in the background. Export again.')
    // Only staff start exports, and the route checks again when the file is downloaded.
    const plan = await planExport(database, { mapId, sight: 'everything' }, query, selection)
    const { exporter } = plan
    return await convertRows(
      { dataDirectory, format, exporter, name, signal, timeLimitMs },
      readRows(plan.rows),
    )
  } catch (error) {
    const isFinal =
      error instanceof ConversionError || error instanceof FormatError || error instanceof ProblemError
    if (!isFinal) throw error
    await update(failedWith(error.message))
    return undefined
  }
}
