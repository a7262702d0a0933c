import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { openDatabase } from '../../database/open-database.ts'
import { answerOrder } from '../../processes/processes.ts'
import { openFileStore } from '../../settings/file-store-settings.ts'
import { runOrder } from './run-order.ts'
import type { StepOrder } from './step-process.ts'

/** Five million rows take less than half of it. */
const memoryLimitBytes = 2 * 1024 ** 3

// See import.cli.ts.
setFlagsFromString('--semi-space-growth-factor=1')

answerOrder(
  (order: StepOrder, onProgress: Parameters<typeof runOrder>[1]) => {
    // SQLite stages rows here: the data directory has room.
    process.env.SQLITE_TMPDIR ??= resolve(order.location.dataDirectory)
    process.env.TMPDIR ??= resolve(order.location.dataDirectory)
    return runOrder(order, onProgress, open)
  },
  { memoryLimitBytes },
)

async function open({ location, fileStore }: StepOrder) {
  const database = await openDatabase(location, () => {})
  return {
    database,
    store: openFileStore({ dataDirectory: location.dataDirectory, fileStore }),
    [Symbol.asyncDispose]: () => database.close().catch(() => {}),
  }
}
