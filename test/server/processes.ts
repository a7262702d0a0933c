import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { programOf } from './bundled-programs.ts'

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

export type RunningProcess = {
  pid: number
  output(): string
  /** Resolves with the first match in past or future output; rejects if the process ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>
  /** Null if ended by a signal. */
  exited: Promise<number | null>
  /** Signals the whole process group; resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Signals only the process itself. */
  kill(signal: NodeJS.Signals): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Node's compile cache, also for processes with a minimal environment. */
const { NODE_COMPILE_CACHE } = process.env
const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL')
})

/** Runs in the project folder. Use `await using`, or stop it at the end of the test. */
export function startProcess(command: string, args: string[], options: SpawnOptions = {}): RunningProcess {
  const { env = process.env, ...others } = options
  const child = spawn(command, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...others,
    env: { ...compileCache, ...env },
    // Own process group, so that stopping it reaches its children.
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
      const check = () => {
        const match = output.match(pattern)
        if (!match && !hasEnded) return
        listeners.delete(check)
        if (match) resolve(match)
        else reject(new Error(`${command} ${args.join(' ')} ended without ${pattern}:\n${output}`))
      }
      listeners.add(check)
      check()
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

export function startNode(file: string, args: string[] = [], options: SpawnOptions = {}): RunningProcess {
  return startProcess(process.execPath, [programOf(file), ...args], options)
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // Already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** For programs whose address must be configured before they start. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Ids of the processes that a process started. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
