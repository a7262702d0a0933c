import type { ImportOutcome, UndoOutcome } from '#domain/imports/import-draft.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import { explainOutage, outageOf } from '../../database/outage.ts'
import type { ImportsTable } from '../../database/tables.ts'
import { FixableError } from '../../domain-error.ts'
import { withControl } from '../explain-remedy.ts'
import { ImportError } from '../import-error.ts'
import { importFeatures } from '../import-features.ts'
import { toImportOptions } from '../import-settings.ts'
import type { ImportProgress, ReportedRow } from '../import-watch.ts'
import { discardImport, findImports, toNewerImport } from '../publishing/imports.queries.ts'
import { undoImport } from '../publishing/undo-import.ts'
import { TrialFile } from '../trial/trial-file.ts'
import { examineWithRecipe, firstThatFit, layersOfFiles, projectionOf } from './examine.ts'
import type { StepAnswer, StepOrder } from './step-process.ts'
import { removeOldResults, resultPath, shareResult } from './working-folder.ts'

type Opened = { database: Database; store: BlobStore }
type StepContext = Opened & { onProgress(progress: ImportProgress): void }

/** Answers with the reason if the step fails for one that users can understand. */
export async function runOrder(
  order: StepOrder,
  onProgress: StepContext['onProgress'],
  open: (order: StepOrder) => Promise<Opened & AsyncDisposable>,
): Promise<StepAnswer> {
  try {
    await using opened = await open(order)
    return await runStepOf(order, { ...opened, onProgress: limitReports(onProgress) })
  } catch (error) {
    if (error instanceof ImportError) return { step: 'failed', problem: withControl(error) }
    if (error instanceof FixableError) return { step: 'failed', problem: error.message }
    const [outage, message] = [outageOf(error), explainOutage(error)]
    if (outage && message) return { step: 'outage', message, outage }
    throw error
  }
}

const reportIntervalMs = 200

function limitReports(report: (progress: ImportProgress) => void) {
  let last = Number.NEGATIVE_INFINITY
  return (progress: ImportProgress) => {
    const now = performance.now()
    if (now - last < reportIntervalMs) return
    last = now
    report(progress)
  }
}

async function runStepOf(order: StepOrder, tools: StepContext): Promise<StepAnswer> {
  switch (order.step) {
    case 'examining': {
      await removeOldResults(order.location.dataDirectory, 'sample', order)
      const examined = await examineWithRecipe(order, tools)
      await shareResult(order, tools.store, 'sample')
      return { step: 'examining', ...examined }
    }
    case 'trying':
    case 'importing':
      return importOrTry(order, tools)
    case 'undoing':
      return { step: 'undoing', undone: await undo(order, tools) }
  }
}

const maxReported = 1_000
const maxReportedCharacters = 2 ** 18
const maxNotes = 20

async function importOrTry(
  order: StepOrder,
  { database, store, onProgress }: StepContext,
): Promise<StepAnswer> {
  const earlier = await findImport(database, order)
  // A process that was killed or canceled may have finished it.
  if (earlier?.state === 'done') return { step: 'importing', outcome: outcomeOf(earlier, order.outcome) }
  if (earlier?.state === 'staging')
    await database.write((transaction) => discardImport(transaction, database.engine, order))
  const { chosen } = await layersOfFiles(order, store)
  const file = await chosen?.read()
  if (!chosen || !file) throw new ImportError('Choose a layer and its projection.')
  const projection = await projectionOf(order, chosen)
  const { mapId, importId, actor, limits, settings } = order
  const { dataDirectory } = order.location
  await removeOldResults(dataDirectory, 'trial', order)
  const trial = order.step === 'trying' ? new TrialFile(resultPath(dataDirectory, 'trial', order)) : undefined
  const options = {
    ...toImportOptions(settings),
    mapId,
    importId,
    actor,
    maxRows: limits.maxFeatures,
    projection,
    trial,
  }
  const reported: ReportedRow[] = []
  const doubts: string[] = []
  const notices: string[] = []
  try {
    const { importId: _, ...result } = await importFeatures(database, file, options, {
      onProgress,
      onRow: (row) => {
        trial?.addReported(row)
        if (row.outcome !== 'left-out' && reported.length < maxReported) reported.push(row)
      },
      onNotice: (notice) => notices.push(withControl(notice)),
      confirm: async (found) => {
        doubts.push(...found.map(withControl))
        return true
      },
    })
    trial?.finish()
    if (trial) await shareResult(order, store, 'trial')
    const outcome = {
      ...result,
      notes: [...new Set([...notices, ...result.notes])].slice(0, maxNotes),
      doubts,
      reported: firstThatFit(reported.map(toImportedRow), maxReportedCharacters),
      extent: (trial ?? order.outcome)?.extent ?? null,
      isStale: false,
    }
    return { step: trial ? 'trying' : 'importing', outcome }
  } catch (error) {
    trial?.discard()
    throw error
  }
}

const toImportedRow = ({ rowNumber, line, sourceId, name, outcome, reason }: ReportedRow) => ({
  rowNumber,
  line: line ?? null,
  sourceId: sourceId ?? null,
  name: name ?? null,
  outcome: outcome === 'repaired' ? outcome : ('refused' as const),
  reason,
})

function outcomeOf(row: ImportsTable, tried: ImportOutcome | null): ImportOutcome {
  const { created_count: created, updated_count: updated, refused_count: refused } = row
  const zero = { unchanged: 0, repaired: 0, leftOut: 0, removedHere: 0, gone: 0, editsKept: 0 }
  const empty = { filled: [], kept: [], doubts: [], reported: [], extent: null, isStale: false }
  return { rows: created + updated + refused, ...zero, ...empty, ...tried, created, updated, refused }
}

async function undo(order: StepOrder, { database }: StepContext): Promise<UndoOutcome> {
  const { mapId, importId, actor } = order
  if ((await findImport(database, order))?.state === 'undone')
    return { removed: 0, restored: 0, kept: 0, newer: [] }
  const { removed, restored, kept, newer } = await undoImport(database, {
    importId,
    mapId,
    actor,
    confirm: async () => true,
  })
  return { removed, restored, kept: kept.length, newer: newer.map(toNewerImport) }
}

async function findImport({ read }: Database, { mapId, importId }: StepOrder) {
  const [found] = await findImports(read, importId, mapId)
  return found
}
