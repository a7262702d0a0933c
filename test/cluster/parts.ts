import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type RunningProcess, startProcess } from '#test/server/processes.ts'

export const host = '127.0.0.1'

/** A program of the cluster. Its log is a file, so that memory does not grow. */
export type Part = {
  stop(): Promise<unknown>
  /** Like the loss of its machine: it finishes nothing. */
  kill(): Promise<unknown>
  /** Starts it again after `stop` or `kill`. */
  start(): void
}

const isRoot = process.getuid?.() === 0

/** Starts a program that stops when this process is killed. */
export const tied = ['setpriv', '--pdeathsig=TERM']

/** PostgreSQL and PgBouncer refuse to run as root. */
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups']

/** User of the programs of the system. */
export const systemUser = isRoot ? 'postgres' : (process.env.USER ?? '')

/** Starts a program of the system as the user `postgres` if this is root. */
export function startPart(folder: string, name: string, command: string[]): Part {
  const [program = '', ...args] = [...tied, ...(isRoot ? asPostgres : []), '--', ...command]
  return partOf(join(folder, `${name}.log`), (stdio) =>
    startProcess(program, args, {
      cwd: folder,
      stdio,
      env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LC_ALL: 'C.UTF-8' },
    }),
  )
}

type Stdio = ['ignore', number, number]

export function partOf(logPath: string, startIt: (stdio: Stdio) => RunningProcess): Part {
  const start = () => {
    const log = openSync(logPath, 'a')
    const started = startIt(['ignore', log, log])
    closeSync(log)
    return started
  }
  let running = start()
  return {
    stop: () => running.stop(),
    kill: () => running.stop('SIGKILL'),
    start() {
      running = start()
    },
  }
}

export function makePrivate(folder: string) {
  if (isRoot) execFileSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
}

export async function freePorts<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const ports = new Map<Name, number>()
  while (ports.size < names.length) {
    const port = await freePort()
    const name = names[ports.size]
    if (name !== undefined && ![...ports.values()].includes(port)) ports.set(name, port)
  }
  return Object.fromEntries(ports) as Record<Name, number>
}

const patienceSeconds = 180

/** Repeats a check until it succeeds. */
export async function ready(description: string, signal: AbortSignal, check: () => Promise<boolean>) {
  const end = Date.now() + patienceSeconds * 1_000
  while (!(await check().catch(() => false))) {
    signal.throwIfAborted()
    if (Date.now() > end) throw new Error(`${description} did not start within ${patienceSeconds} seconds.`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

export const answers = (url: string) => async () =>
  (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
