import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  FoundInFiles,
  ImportOutcome,
  ImportSettings,
  ImportStep,
  UndoOutcome,
} from '#domain/imports/import-draft.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { S3Location } from '../../blob-stores/s3-store.ts'
import type { DatabaseLocation } from '../../database/open-database.ts'
import type { Outage } from '../../database/outage.ts'
import { type NoAnswer, runInChild } from '../../processes/processes.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { converted } from '../conversion/readable-file.ts'
import type { ImportProgress } from '../import-watch.ts'
import type { DraftKey, ShownResults } from './import-drafts.queries.ts'

// A step runs in its own process, which can be ended at any moment, and can run out of memory without harm to the
// server.

export type WorkPlace = {
  location: DatabaseLocation
  fileStore: S3Location | null
  limits: ImportLimits
  maxSilentMs?: number
  maxExaminingMs?: number
}

const usualSilenceMs = 600_000
const usualExaminingMs = 120_000
/** Enough to read and publish five million rows on a slow machine. */
const maxStepMs = 2 * 3_600_000
const ratioFreeBytes = 64 * 1024 ** 2

export type StepOrder = WorkPlace &
  DraftKey & {
    step: ImportStep
    importId: string
    attempt: number
    shown: ShownResults
    actor: { id: string; name: string; tokenId?: string }
    settings: ImportSettings
    outcome: ImportOutcome | null
    folder: string
    /** Bytes that the folder may hold within the quota of the map's imports. */
    roomBytes: number
    files: readonly { index: number; name: string; size: number; pieces: readonly number[] }[]
  }

export type StepAnswer =
  | { step: 'examining'; found: FoundInFiles; withoutRecipe: FoundInFiles; settings: ImportSettings }
  | { step: 'trying' | 'importing'; outcome: ImportOutcome }
  | { step: 'undoing'; undone: UndoOutcome }
  | { step: 'failed'; problem: string }
  /** The database or the disk is not available: the step can be tried again. */
  | { step: 'outage'; message: string; outage: Outage }

type Watch = { signal: AbortSignal; onProgress(progress: ImportProgress): void }

/** Rejects with the signal's reason when aborted. */
export async function runStep(order: StepOrder, { signal, onProgress }: Watch): Promise<StepAnswer> {
  const outcome = await runInChild<StepOrder, StepAnswer, ImportProgress>(
    new URL('./import-step.process.ts', import.meta.url),
    order,
    { signal, onProgress, ...limitsOf(order) },
  )
  if ('answer' in outcome) return outcome.answer
  await rm(convertedFolder(order), { recursive: true, force: true })
  return { step: 'failed', problem: describe(outcome, order) }
}

function limitsOf(order: StepOrder) {
  if (order.step === 'undoing') return {}
  const { maxExaminingMs = usualExaminingMs, maxSilentMs = usualSilenceMs } = order
  return {
    silentMs: maxSilentMs,
    totalMs: order.step === 'examining' ? maxExaminingMs : maxStepMs,
    folderLimits: [
      { folder: convertedFolder(order), maxBytes: maxConvertedBytes(order) },
      { folder: order.folder, maxBytes: order.roomBytes },
    ],
  }
}

const convertedFolder = ({ folder }: StepOrder) => join(folder, converted)

function maxConvertedBytes({ files, limits }: StepOrder): number {
  const sentBytes = files.reduce((sum, { size }) => sum + size, 0)
  return Math.min(limits.maxUnpackedBytes, Math.max(ratioFreeBytes, limits.maxRatio * sentBytes))
}

const megabytes = (bytes: number) => `${formatNumber(Math.ceil(bytes / 1024 ** 2))} MB`

function describe(outcome: NoAnswer, order: StepOrder): string {
  if (outcome.ended === 'too many bytes') {
    if (outcome.folder === convertedFolder(order))
      return `The file expands to more than ${megabytes(maxConvertedBytes(order))}. Save it as CSV or GeoJSON, or split it.`
    return `The import needs more than the remaining ${megabytes(order.roomBytes)} of ${megabytes(order.limits.quotaBytes)} for imports of this map (IMPORT_QUOTA_MB). Discard old imports and try again.`
  }
  if (outcome.ended === 'too long')
    return 'The import was stopped because it took too long. Save the data in another format, or split the file.'
  if (outcome.ended === 'killed')
    return 'The import stopped, probably because it ran out of memory. Split the file and try again.'
  if (outcome.ended === 'exited')
    return 'The import stopped unexpectedly. Try again, or split the file. See the server log for details.'
  return 'The import was stopped because it made no progress. Use another format, or split the file.'
}
