import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programOf } from './bundled-programs.ts'

/** The repository's folder. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

export type RunningProcess = {
  pid: number
  /** Everything it has written so far, to stdout and stderr. */
  output(): string
  /** Resolves with the first match in its output, past or to come; rejects if it ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>
  /** Its exit code; null if a signal ended it. */
  exited: Promise<number | null>
  /** Sends the signal to it and to all that it started; resolves when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Sends the signal to it alone. */
  kill(signal: NodeJS.Signals): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Where Node keeps what it has compiled, also for a program that gets nothing else of our environment. */
const { NODE_COMPILE_CACHE } = process.env
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL')
})

/** Starts a program in the repository's folder. `await using` it, or stop it in the test's end. */
export function startProcess(command: string, args: string[], options: SpawnOptions = {}): RunningProcess {
  const { env = process.env, ...others } = options
  const child = spawn(command, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...others,
    env: { ...compileCache, ...env },
    // Its own group: so that stopping it reaches whatever it started.
    detached: true,
  })
  running.add(child)
  const listeners = new Set<() => void>()
  let output = ''
  let hasEnded = false
  const notify = () => {
    for (const listener of listeners) listener()
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      notify()
    })
  const exited = new Promise<number | null>((resolve) => {
    const end = (code: number | null) => {
      hasEnded = true
      running.delete(child)
      notify()
      resolve(code)
    }
    child.once('close', end)
    child.once('error', (error) => {
      output += error.message
      end(null)
    })
  })

  const waitFor = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = output.match(pattern)
        if (!match && !hasEnded) return
        listeners.delete(look)
        if (match) resolve(match)
        else reject(new Error(`${command} ${args.join(' ')} ended without ${pattern}:\n${output}`))
      }
      listeners.add(look)
      look()
    })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (!hasEnded) killGroup(child, signal)
    return exited
  }
  return {
    pid: child.pid ?? -1,
    output: () => output,
    waitFor,
    exited,
    stop,
    kill: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}

/** Starts a file of the project on the Node that the tests run on. */
export function startNode(file: string, args: string[] = [], options: SpawnOptions = {}): RunningProcess {
  return startProcess(process.execPath, [programOf(file), ...args], options)
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
