import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  FoundInFiles,
  ImportOutcome,
  ImportSettings,
  ImportStep,
  UndoOutcome,
} from '#domain/imports/import-draft.schema.ts'
import type { S3Location } from '../../blob-stores/s3-store.ts'
import type { DatabaseLocation } from '../../database/open-database.ts'
import type { Outage } from '../../database/outage.ts'
import { type NoAnswer, runInChild } from '../../processes/processes.ts'
import type { ImportLimits } from '../../settings/import-limits.ts'
import { converted } from '../conversion/readable-file.ts'
import type { ShownResults } from '../import-drafts.queries.ts'
import type { ImportProgress } from '../import-options.ts'

// Files of strangers are read, and maps are changed by the million, in a process of its own: it can be ended at any moment, and
// may run out of memory, without anybody else noticing.

/** Where the process finds everything. */
export type WorkPlace = {
  location: DatabaseLocation
  fileStore: S3Location | null
  limits: ImportLimits
  /** How long a step may make no progress; default ten minutes. */
  mostSilentMs?: number
  /** How long the first look at files may take; default two minutes. */
  mostExaminingMs?: number
}

// A file may keep its reader busy forever: a table that is computed without an end, say.
const usualSilenceMs = 600_000
const usualExaminingMs = 120_000
/** For reading and publishing five million rows on a slow machine. */
const mostStepMs = 2 * 3_600_000
/** As long as so little is made of a file, its own size does not matter. */
const ratioFreeBytes = 64 * 1024 ** 2

export type StepOrder = WorkPlace & {
  step: ImportStep
  mapId: string
  id: string
  importId: string
  /** Of the draft; what the step leaves to be looked at is of it. */
  attempt: number
  /** The attempts whose results people see meanwhile. */
  shown: ShownResults
  /** Who asked for it. */
  actor: { id: string; name: string; tokenId?: string }
  settings: ImportSettings
  /** Of the trial that went before. */
  outcome: ImportOutcome | null
  /** Where the draft is worked on. */
  folder: string
  /** Bytes that the folder may hold, so that all imports of the map stay within their quota. */
  roomBytes: number
  /** With the bytes of each of their pieces. */
  files: readonly { index: number; name: string; size: number; pieces: readonly number[] }[]
}

/** What came of it; `problem` is for the person, who can mend it. */
export type StepAnswer =
  /** With the settings of a recipe, where one holds for the files; `asSaid` is what was found without it. */
  | { step: 'examining'; found: FoundInFiles; asSaid: FoundInFiles; settings: ImportSettings }
  | { step: 'trying' | 'importing'; outcome: ImportOutcome }
  | { step: 'undoing'; undone: UndoOutcome }
  | { step: 'failed'; problem: string }
  /** The database or the disk is away: the same may succeed later. */
  | { step: 'outage'; message: string; outage: Outage }

type Watch = { signal: AbortSignal; onProgress(progress: ImportProgress): void }

/** Runs a step to its end. Rejects with the signal's reason where that ends it. */
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
  // Undoing an import is one transaction and reads no file.
  if (order.step === 'undoing') return {}
  const { mostExaminingMs = usualExaminingMs, mostSilentMs = usualSilenceMs } = order
  return {
    silentMs: mostSilentMs,
    totalMs: order.step === 'examining' ? mostExaminingMs : mostStepMs,
    folderLimits: [
      { folder: convertedFolder(order), mostBytes: mostConvertedBytes(order) },
      { folder: order.folder, mostBytes: order.roomBytes },
    ],
  }
}

const convertedFolder = ({ folder }: StepOrder) => join(folder, converted)

/** The same limits as for what is unpacked. */
function mostConvertedBytes({ files, limits }: StepOrder): number {
  const sentBytes = files.reduce((sum, { size }) => sum + size, 0)
  return Math.min(limits.mostUnpackedBytes, Math.max(ratioFreeBytes, limits.mostRatio * sentBytes))
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US')} MB`

function describe(outcome: NoAnswer, order: StepOrder): string {
  if (outcome.ended === 'too many bytes') {
    if (outcome.folder === convertedFolder(order))
      return `The file becomes larger than ${megabytes(mostConvertedBytes(order))} when it is read. Save it as CSV or GeoJSON, or split it.`
    return `The imports of this map may take ${megabytes(order.limits.quotaBytes)} (IMPORT_QUOTA_MB), of which ${megabytes(order.roomBytes)} are left for this one. Discard imports that are no longer needed, and try again.`
  }
  if (outcome.ended === 'too long')
    return 'The import was stopped because it took too long. Save the data in another format, or split the file.'
  if (outcome.ended === 'killed')
    return 'The import was stopped: it may have taken more memory than there is. Split the file, and try again.'
  if (outcome.ended === 'exited')
    return 'The import stopped unexpectedly. Try again, or split the file. The log of the server has the reason.'
  return 'The import was stopped because it made no progress for a long time. Use another format, or split the file.'
}
