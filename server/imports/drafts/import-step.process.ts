import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { openDatabase } from '../../database/open-database.ts'
import { explainOutage, outageOf } from '../../database/outage.ts'
import { FixableError } from '../../domain-error.ts'
import { answerOrder } from '../../processes/processes.ts'
import { openFileStore } from '../../settings/file-store-settings.ts'
import { ImportError } from '../import-error.ts'
import type { ImportProgress } from '../import-options.ts'
import { doStep } from './do-step.ts'
import { inControls } from './in-controls.ts'
import type { StepAnswer, StepOrder } from './step-process.ts'

// The child process that runs one step of an import draft.

const reportIntervalMs = 200
/** Five million rows take less than half of it. */
const memoryLimitBytes = 2 * 1024 ** 3

// As the command line has it, for the same reason.
setFlagsFromString('--semi-space-growth-factor=1')

answerOrder(answerTo, { memoryLimitBytes })

/** Passes on a few reports a second: nobody reads more. */
function limitReports(report: (progress: ImportProgress) => void) {
  let last = Number.NEGATIVE_INFINITY
  return (progress: ImportProgress) => {
    const now = performance.now()
    if (now - last < reportIntervalMs) return
    last = now
    report(progress)
  }
}

async function answerTo(
  order: StepOrder,
  onProgress: (progress: ImportProgress) => void,
): Promise<StepAnswer> {
  // Where SQLite stages: beside the database there is room for it.
  process.env.SQLITE_TMPDIR ??= resolve(order.location.dataDirectory)
  process.env.TMPDIR ??= resolve(order.location.dataDirectory)
  try {
    const { location, fileStore } = order
    const database = await openDatabase(location, () => {})
    try {
      const store = openFileStore({ dataDirectory: location.dataDirectory, fileStore })
      return await doStep(order, { database, store, onProgress: limitReports(onProgress) })
    } finally {
      await database.close().catch(() => {})
    }
  } catch (error) {
    if (error instanceof ImportError) return { step: 'failed', problem: inControls(error) }
    if (error instanceof FixableError) return { step: 'failed', problem: error.message }
    const [outage, message] = [outageOf(error), explainOutage(error)]
    if (outage && message) return { step: 'outage', message, outage }
    throw error
  }
}
