import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { FoundInFiles, ImportOutcome, UndoOutcome } from '#domain/imports/import-draft.schema.ts'
import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import { type FileFormat, readRecords } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { importFeatures } from '../import-features.ts'
import type { ImportOptions, ImportProgress, ReportedRow } from '../import-options.ts'
import { discardImport, findImports } from '../publishing/imports.queries.ts'
import { undoImport } from '../publishing/undo-import.ts'
import type { ImportFile } from '../reading/read-in-worker.ts'
import { columnsOfRows } from './columns-of-rows.ts'
import type { StepAnswer, StepOrder } from './step-process.ts'
import { bringFiles } from './working-folder.ts'

type Means = { database: Database; store: BlobStore; onProgress(progress: ImportProgress): void }

/** So many rows tell what columns there are. */
const rowsLookedAt = 500
/** So many refused and repaired rows are told of one by one. */
const mostReported = 1_000

export async function doStep(order: StepOrder, means: Means): Promise<StepAnswer> {
  switch (order.step) {
    case 'examining':
      return { step: 'examining', found: await examine(await theFile(order, means)) }
    case 'trying':
    case 'importing':
      return { step: order.step, outcome: await importOrTry(order, means) }
    case 'undoing':
      return { step: 'undoing', undone: await undo(order, means) }
  }
}

async function theFile(order: StepOrder, { store }: Means): Promise<ImportFile> {
  const [file, ...others] = await bringFiles(store, order.location.dataDirectory, order)
  if (!file || others.length > 0) throw new ImportError('These are several files: bring one at a time.')
  return file
}

async function examine({ path }: ImportFile): Promise<FoundInFiles> {
  const rows: (readonly [string, unknown])[][] = []
  let format: FileFormat = 'json'
  for await (const record of readRecords(
    { name: basename(path), chunks: createReadStream(path) },
    () => {},
  )) {
    if (rows.length === 0) format = record.format
    rows.push([...record.properties])
    if (rows.length >= rowsLookedAt) break
  }
  if (rows.length === 0) throw new ImportError('There is no row in the file.')
  return { format, columns: columnsOfRows(rows) }
}

async function importOrTry(order: StepOrder, means: Means): Promise<ImportOutcome> {
  const { database, onProgress } = means
  const isTrial = order.step === 'trying'
  const known = await findImport(database, order)
  // A process that was killed may have come so far.
  if (known?.state === 'done' && order.outcome)
    return { ...order.outcome, created: known.created_count, updated: known.updated_count }
  if (known?.state === 'staging')
    await database.write((transaction) => discardImport(transaction, database.engine, order))
  const reported: ReportedRow[] = []
  const doubts: string[] = []
  const { kind, type, source, areCoordinatesSwapped, columns } = order.settings
  if (kind === null) throw new ImportError('What each row becomes has not been said.')
  const options: ImportOptions = {
    mapId: order.mapId,
    importId: order.importId,
    isTrial,
    kind,
    source,
    areCoordinatesSwapped,
    columns: new Map(Object.entries(columns)),
    actor: order.actor,
    onRow: (row) => {
      if (reported.length < mostReported) reported.push(row)
    },
    confirm: async (found) => {
      doubts.push(...found.map(({ message }) => message))
      return true
    },
    ...(type === null ? {} : { type }),
  }
  const result = await importFeatures(database, await theFile(order, means), options, onProgress)
  const { rows, created, updated, unchanged, refused, repaired, filled, kept } = result
  return {
    rows,
    created,
    updated,
    unchanged,
    refused,
    repaired,
    filled,
    kept,
    doubts,
    reported: reported.map((row) => ({ ...row, line: row.line ?? null, sourceId: row.sourceId ?? null })),
  }
}

async function undo(order: StepOrder, { database }: Means): Promise<UndoOutcome> {
  const { mapId, importId, actor } = order
  // As above.
  if ((await findImport(database, order))?.state === 'undone') return { removed: 0, restored: 0, kept: 0 }
  const { removed, restored, kept } = await undoImport(database, { importId, mapId, actor })
  return { removed, restored, kept: kept.length }
}

async function findImport({ read }: Database, { mapId, importId }: StepOrder) {
  return (await findImports(read, importId)).find((row) => row.map_id === mapId)
}
