import type { ImportOutcome, UndoOutcome } from '#domain/imports/import-draft.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { ImportsTable } from '../../database/tables.ts'
import { ImportError } from '../import-error.ts'
import { importFeatures } from '../import-features.ts'
import type { ImportOptions, ImportProgress } from '../import-options.ts'
import { keptColumnsOf } from '../mapping/kept-columns.ts'
import { discardImport, findImports, toNewerImport } from '../publishing/imports.queries.ts'
import { undoImport } from '../publishing/undo-import.ts'
import type { ReportedRow } from '../reported-row.ts'
import { TrialFile } from '../trial/trial-file.ts'
import { examineWithRecipe, layersOfFiles, projectionOf } from './examine.ts'
import { firstThatFit } from './fit-found.ts'
import { inControls } from './in-controls.ts'
import { shareResult } from './shared-results.ts'
import type { StepAnswer, StepOrder } from './step-process.ts'
import { removeOldResults, resultPath } from './working-folder.ts'

type Means = { database: Database; store: BlobStore; onProgress(progress: ImportProgress): void }

/** So many refused and repaired rows are told of one by one. */
const mostReported = 1_000
const mostReportedCharacters = 2 ** 18

export async function doStep(order: StepOrder, means: Means): Promise<StepAnswer> {
  switch (order.step) {
    case 'examining': {
      await removeOldResults(order.location.dataDirectory, 'sample', order)
      const examined = await examineWithRecipe(order, means)
      await shareResult(order, means.store, 'sample')
      return { step: 'examining', ...examined }
    }
    case 'trying':
    case 'importing':
      return importOrTry(order, means)
    case 'undoing':
      return { step: 'undoing', undone: await undo(order, means) }
  }
}

/** The chosen file, and what its coordinates are in. */
async function chosenFile(order: StepOrder, { store }: Means) {
  const { chosen } = await layersOfFiles(order, store)
  const file = await chosen?.read()
  if (!chosen || !file) throw new ImportError('Which layer is meant has not been said, or its projection.')
  return { file, projection: await projectionOf(order, chosen) }
}

async function importOrTry(order: StepOrder, means: Means): Promise<StepAnswer> {
  const { database, onProgress } = means
  const known = await findImport(database, order)
  // A process that was killed or cancelled may have come so far.
  if (known?.state === 'done') return { step: 'importing', outcome: outcomeOf(known, order.outcome) }
  if (known?.state === 'staging')
    await database.write((transaction) => discardImport(transaction, database.engine, order))
  // It makes the working folder, too.
  const { file, projection } = await chosenFile(order, means)
  const { dataDirectory } = order.location
  await removeOldResults(dataDirectory, 'trial', order)
  const trial = order.step === 'trying' ? new TrialFile(resultPath(dataDirectory, 'trial', order)) : null
  const reported: ReportedRow[] = []
  const doubts: string[] = []
  const notices: string[] = []
  const { kind, type, source, areCoordinatesSwapped, columns, layout, keptFor, values, ...decided } =
    order.settings
  if (kind === null) throw new ImportError('What each row becomes has not been said.')
  const options: ImportOptions = {
    mapId: order.mapId,
    importId: order.importId,
    kind,
    source,
    areCoordinatesSwapped,
    columns: new Map(Object.entries(columns)),
    layout,
    kept: keptColumnsOf(keptFor),
    words: values,
    mostRows: order.limits.mostFeatures,
    keepsEdits: decided.keepsEdits,
    bringsBack: decided.bringsBack,
    missing: decided.missing,
    ...(decided.onlyFields === null ? {} : { onlyFields: decided.onlyFields }),
    leftOut: new Set(decided.leftOut),
    mended: new Map(Object.entries(decided.mended).map(([row, said]) => [Number(row), said])),
    actor: order.actor,
    onRow: (row) => {
      trial?.noteReported(row)
      if (row.outcome !== 'left-out' && reported.length < mostReported) reported.push(row)
    },
    onNotice: (notice) => notices.push(inControls(notice)),
    confirm: async (found) => {
      doubts.push(...found.map(inControls))
      return true
    },
    ...(projection ? { projection } : {}),
    ...(type === null ? {} : { type }),
    ...(trial === null ? {} : { trial }),
  }
  try {
    const { importId: _, ...counted } = await importFeatures(database, file, options, onProgress)
    trial?.finish()
    if (trial) await shareResult(order, means.store, 'trial')
    const told = firstThatFit(reported.map(tell), mostReportedCharacters)
    const extent = (trial ?? order.outcome)?.extent ?? null
    const notes = [...new Set([...notices, ...counted.notes])].slice(0, mostNotes)
    const outcome = { ...counted, notes, doubts, reported: told, extent, isStale: false }
    return { step: trial ? 'trying' : 'importing', outcome }
  } catch (error) {
    trial?.discard()
    throw error
  }
}

const mostNotes = 20

const tell = ({ rowNumber, line, sourceId, outcome, reason }: ReportedRow) => ({
  rowNumber,
  line: line ?? null,
  sourceId: sourceId ?? null,
  outcome: outcome === 'repaired' ? outcome : ('refused' as const),
  reason,
})

/** What is known of an import that nobody waited for: its trial, and what its row counts. */
function outcomeOf(row: ImportsTable, tried: ImportOutcome | null): ImportOutcome {
  const { created_count: created, updated_count: updated, refused_count: refused } = row
  const nothing = { unchanged: 0, repaired: 0, leftOut: 0, removedHere: 0, gone: 0, editsKept: 0 }
  const untold = { filled: [], kept: [], doubts: [], reported: [], extent: null, isStale: false }
  return { rows: created + updated + refused, ...nothing, ...untold, ...tried, created, updated, refused }
}

async function undo(order: StepOrder, { database }: Means): Promise<UndoOutcome> {
  const { mapId, importId, actor } = order
  // As above.
  if ((await findImport(database, order))?.state === 'undone')
    return { removed: 0, restored: 0, kept: 0, newer: [] }
  const { removed, restored, kept, newer } = await undoImport(database, {
    importId,
    mapId,
    actor,
    // Asked when the step began.
    confirm: async () => true,
  })
  return { removed, restored, kept: kept.length, newer: newer.map(toNewerImport) }
}

async function findImport({ read }: Database, { mapId, importId }: StepOrder) {
  return (await findImports(read, importId)).find((row) => row.map_id === mapId)
}
