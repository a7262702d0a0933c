import { reasonOf } from './blob-stores/s3-store.ts'
import type { Database } from './database/database.ts'
import { openDatabase } from './database/open-database.ts'
import { explainOutage } from './database/outage.ts'
import { DomainError, FixableError } from './domain-error.ts'
import type { Configuration } from './settings/configuration.ts'

export class UsageError extends Error {}

let printed = ''

/** Prints the outcome of a command: to standard error if standard output is closed (`| head`). */
export function say(text: string): void {
  printed += `${text}\n`
  process.stdout.write(`${text}\n`)
}

export function warn(text: string): void {
  process.stderr.write(`${text}\n`)
}

function ignoreClosedOutput() {
  process.stderr.on('error', () => {})
  process.stdout.on('error', () => process.stderr.write(printed))
}

/** Exit codes: 0 done, 1 rejected or failed, 2 invalid arguments. */
export async function runCommand(work: () => Promise<number>, failureText: string): Promise<void> {
  ignoreClosedOutput()
  process.exitCode = await exitCodeOf(work, failureText)
}

export async function exitCodeOf(work: () => Promise<number>, failureText: string): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UsageError) {
      warn(`${error.message}. See --help.`)
      return 2
    }
    warn(error instanceof FixableError ? error.message : `${failureText} ${explain(error)}`)
    return 1
  }
}

function explain(error: unknown): string {
  const { message, stack, code } = error as NodeJS.ErrnoException
  const outage = explainOutage(error)
  if (outage) return outage
  if (error instanceof DomainError) return `${message} (${reasonOf(error)})`
  if (/^E[A-Z]+$/.test(code ?? '')) return message
  return stack ?? message
}

export async function withDatabase<Result>(
  configuration: Configuration,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(configuration, (error) => warn(error.message))
  try {
    return await work(database)
  } finally {
    await database.close().catch((error) => warn(`Could not close the database: ${error.message}`))
  }
}

export function abortOnSignals(message: string): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new FixableError(message)))
  return controller.signal
}

export const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
