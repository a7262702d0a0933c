import type {
  FoundInFiles,
  ImportOutcome,
  ImportSettings,
  ImportStep,
  UndoOutcome,
} from '#domain/imports/import-draft.schema.ts'
import type { DatabaseLocation } from '../../database/open-database.ts'
import type { ImportLimits } from '../../import-limits.ts'
import { type NoAnswer, runInChild } from '../../processes.ts'
import type { S3Location } from '../../s3-store.ts'
import type { ShownResults } from '../import-drafts.queries.ts'
import type { ImportProgress } from '../import-options.ts'

// Files of strangers are read, and maps are changed by the million, in a process of its own: it can be ended at any moment, and
// may run out of memory, without anybody else noticing.

/** Where the process finds everything. */
export type WorkPlace = {
  location: DatabaseLocation
  fileStore: S3Location | null
  limits: ImportLimits
  /** How long it may be silent; default ten minutes. */
  mostSilentMs?: number
}

/** A file of a stranger may keep its reader busy for ever: a table that is computed without an end, say. */
const usualSilenceMs = 600_000

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
  | { step: 'outage'; message: string }

type Watch = { signal: AbortSignal; onProgress(progress: ImportProgress): void }

/** Runs a step to its end. Rejects with the signal's reason where that ends it. */
export async function runStep(order: StepOrder, { signal, onProgress }: Watch): Promise<StepAnswer> {
  // Undoing an import is one transaction and reads no file.
  const silentMs = order.step === 'undoing' ? undefined : (order.mostSilentMs ?? usualSilenceMs)
  const outcome = await runInChild<StepOrder, StepAnswer, ImportProgress>(
    new URL('./import-step.process.ts', import.meta.url),
    order,
    { signal, silentMs, onProgress },
  )
  return 'answer' in outcome ? outcome.answer : { step: 'failed', problem: describe(outcome) }
}

function describe(outcome: NoAnswer): string {
  if (outcome.ended === 'killed')
    return 'The import was stopped: it may have taken more memory than there is. Split the file, and try again.'
  if (outcome.ended === 'exited')
    return 'The import stopped unexpectedly. Try again, or split the file. The log of the server has the reason.'
  return 'The import was stopped because it made no progress for a long time. Use another format, or split the file.'
}
