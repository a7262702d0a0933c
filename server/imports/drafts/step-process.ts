import { type ChildProcess, fork } from 'node:child_process'
import type {
  FoundInFiles,
  ImportOutcome,
  ImportSettings,
  ImportStep,
  UndoOutcome,
} from '#domain/imports/import-draft.schema.ts'
import type { DatabaseLocation } from '../../database/open-database.ts'
import type { ImportLimits } from '../../import-limits.ts'
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
/** The longest that a timer can be set to: 24 days. */
const forEver = 2 ** 31 - 1

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

export type StepMessage = { progress: ImportProgress } | { answer: StepAnswer }

type Watch = { signal: AbortSignal; onProgress(progress: ImportProgress): void }

/** Runs a step to its end. Rejects with the signal's reason where that ends it. */
export async function runStep(order: StepOrder, { signal, onProgress }: Watch): Promise<StepAnswer> {
  signal.throwIfAborted()
  const child = fork(new URL('./import-step.process.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  // What takes an import back is one transaction, and reads no file.
  const { mostSilentMs = usualSilenceMs } = order.step === 'undoing' ? { mostSilentMs: forEver } : order
  let isStuck = false
  const silence = setTimeout(() => {
    isStuck = true
    end()
  }, mostSilentMs)
  try {
    const answer = await answerOf(child, order, (progress) => {
      silence.refresh()
      onProgress(progress)
    })
    if (isStuck) return { step: 'failed', problem: tookTooLong(mostSilentMs) }
    signal.throwIfAborted()
    return answer
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
    end()
  }
}

function answerOf(
  child: ChildProcess,
  order: StepOrder,
  onProgress: Watch['onProgress'],
): Promise<StepAnswer> {
  return new Promise((resolve, reject) => {
    let answer: StepAnswer | undefined
    child.on('message', (message: StepMessage) => {
      if ('progress' in message) onProgress(message.progress)
      else answer = message.answer
    })
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve(answer ?? { step: 'failed', problem: whyEnded(code, signal) }),
    )
    child.send(order)
  })
}

const tookTooLong = (silentMs: number) =>
  `It was ended: for ${Math.round(silentMs / 60_000)} minutes nothing had come of it. Bring the data in another format, or in parts.`

/** Without an answer: an error of ours stands in the log, and ends it with 1. */
const whyEnded = (code: number | null, signal: NodeJS.Signals | null) =>
  code === 1
    ? 'Something went wrong that is no fault of the file. The log of the server says what.'
    : `Its process ended (${signal ?? code}): it may have taken more memory than there is.`
