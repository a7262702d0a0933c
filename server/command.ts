import { reasonOf } from './blob-stores/s3-store.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { explainOutage } from './database/outage.ts'
import { DomainError, FixableError } from './domain-error.ts'
import type { Configuration } from './settings/configuration.ts'

// Shared by the commands npm run import, backup, restore and compact.

/** A command line that cannot be followed: one line says why. */
export class UsageError extends Error {}

let printed = ''

/** Prints what a command did: to standard error where standard output is closed (`| head`). */
export function say(text: string): void {
  printed += `${text}\n`
  process.stdout.write(`${text}\n`)
}

export function warn(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Closed output does not end the work. */
function outliveReaders() {
  process.stderr.on('error', () => {})
  process.stdout.on('error', () => process.stderr.write(printed))
}

/** Runs a command to its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function runCommand(work: () => Promise<number>, whatFailed: string): Promise<void> {
  outliveReaders()
  process.exitCode = await exitCodeOf(work, whatFailed)
}

async function exitCodeOf(work: () => Promise<number>, whatFailed: string): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UsageError) {
      warn(`${error.message}. --help shows how.`)
      return 2
    }
    warn(error instanceof FixableError ? error.message : `${whatFailed} ${explain(error)}`)
    return 1
  }
}

function explain(error: unknown): string {
  const { message, stack, code } = error as NodeJS.ErrnoException
  const outage = explainOutage(error)
  if (outage) return outage
  if (error instanceof DomainError) return `${message} (${reasonOf(error)})`
  // System errors of files and disks need no stack.
  if (/^E[A-Z]+$/.test(code ?? '')) return message
  return stack ?? message
}

/** Opens the database for a command. An error while closing it is ignored: the work is done. */
export async function withDatabase<Result>(
  configuration: Configuration,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(configuration, (error) => warn(error.message))
  try {
    return await work(database)
  } finally {
    await database.close().catch((error) => warn(`The database was not closed in order: ${error.message}`))
  }
}

/** Ends the work at its next step; a second signal ends the process at once. */
export function abortOnSignals(message: string): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new FixableError(message)))
  return controller.signal
}

export const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
