import { isDatabaseAway } from '../http/problem.ts'
import { BackupError } from './backup-error.ts'
import { UsageError } from './read-arguments.ts'

// What the two commands have in common.

export function say(text: string): void {
  process.stdout.write(`${text}
`)
}

export function warn(text: string): void {
  process.stderr.write(`${text}
`)
}

/** Runs a command to its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function exitCodeOf(work: () => Promise<void>, whatFailed: string): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      warn(`${error.message}. --help shows how.`)
      return 2
    }
    warn(error instanceof BackupError ? error.message : `${whatFailed} ${explain(error)}`)
    return 1
  }
}

/** PostgreSQL's: a lock was not given in time; two waited for each other. */
const busyCodes = ['55P03', '40P01']

function explain(error: unknown): string {
  const { message, stack, code } = error as NodeJS.ErrnoException
  if (busyCodes.includes(code ?? '') || /database is locked/.test(message))
    return 'Somebody else was changing the database for too long. Try again.'
  if (isDatabaseAway(error)) return `The database cannot be reached: ${message}`
  // What the system says about files and disks needs no stack.
  if (/^E[A-Z]+$/.test(code ?? '')) return message
  return stack ?? message
}

/** Ends the work at its next step; a second signal ends the process at once. */
export function abortOnSignals(message: string): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => controller.abort(new BackupError(message)))
  return controller.signal
}

export const rowsOf = (count: number) => `${count.toLocaleString('en-US')} rows`

export const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
