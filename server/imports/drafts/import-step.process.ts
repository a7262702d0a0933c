import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { openDatabase } from '../../database/open-database.ts'
import { explainOutage } from '../../database/outage.ts'
import { openFileStore } from '../../file-store-settings.ts'
import { MendableError } from '../../mendable-error.ts'
import { ImportError } from '../import-error.ts'
import type { ImportProgress } from '../import-options.ts'
import { doStep } from './do-step.ts'
import { inControls } from './in-controls.ts'
import type { StepAnswer, StepMessage, StepOrder } from './step-process.ts'

// The process of one step of a draft: it gets its order as its first message, and ends with its answer.

const send = (message: StepMessage) => new Promise<void>((sent) => process.send?.(message, () => sent()))

const tellMs = 200

// As the command line has it, for the same reason.
setFlagsFromString('--semi-space-growth-factor=1')

// Whoever asked is gone: a server that was killed, say.
process.once('disconnect', () => process.exit(1))
process.once('message', (order: StepOrder) => void work(order))

async function work(order: StepOrder) {
  // Where SQLite stages: beside the database there is room for it.
  process.env.SQLITE_TMPDIR ??= resolve(order.location.dataDirectory)
  process.env.TMPDIR ??= resolve(order.location.dataDirectory)
  await send({ answer: await answerTo(order) })
  process.exit(0)
}

/** People see no more than a few steps a second. */
function tellNowAndThen() {
  let last = Number.NEGATIVE_INFINITY
  return (progress: ImportProgress) => {
    const now = performance.now()
    if (now - last < tellMs) return
    last = now
    void send({ progress })
  }
}

async function answerTo(order: StepOrder): Promise<StepAnswer> {
  try {
    const { location, fileStore } = order
    const database = await openDatabase(location, () => {})
    try {
      const store = openFileStore({ dataDirectory: location.dataDirectory, fileStore })
      return await doStep(order, { database, store, onProgress: tellNowAndThen() })
    } finally {
      await database.close().catch(() => {})
    }
  } catch (error) {
    if (error instanceof ImportError) return { step: 'failed', problem: inControls(error) }
    if (error instanceof MendableError) return { step: 'failed', problem: error.message }
    const message = explainOutage(error)
    if (message) return { step: 'outage', message }
    throw error
  }
}
