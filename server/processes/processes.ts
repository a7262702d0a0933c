import { type ChildProcess, fork } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

// The only module that starts child processes. Work that may run forever, or exhaust memory, runs in one,
// because only a process can be killed at any moment.

/** Children read users' files: no secret may be among the environment variables that they inherit. */
const inheritedVariables = [
  ...['PATH', 'HOME', 'USER', 'USERPROFILE', 'SystemRoot', 'TZ', 'LANG', 'LC_ALL'],
  ...['TMPDIR', 'TMP', 'TEMP', 'SQLITE_TMPDIR'],
  ...['NODE_ENV', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGPASSFILE', 'PGSSLMODE', 'PGSSLROOTCERT', 'PGOPTIONS'],
]

export function childOptions(): { execArgv: string[]; env: NodeJS.ProcessEnv } {
  const entries = inheritedVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { execArgv: [], env: Object.fromEntries(entries) }
}

function startChild(file: URL): ChildProcess {
  return fork(file, {
    ...childOptions(),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

export type ChildMessage<Answer, Progress = never> = { progress: Progress } | { answer: Answer }

/** `exited` has the exit code: 1 after an error, which is in the log. */
export type NoAnswer =
  | { ended: 'silent' | 'too long' }
  | { ended: 'too many bytes'; folder: string }
  | { ended: 'exited'; code: number }
  | { ended: 'killed'; signal: NodeJS.Signals }

type Limits<Progress> = {
  signal: AbortSignal
  totalMs?: number
  silentMs?: number
  folderLimits?: readonly { folder: string; maxBytes: number }[]
  onProgress?(progress: Progress): void
}

/** Rejects with the signal's reason when aborted. */
export async function runInChild<Order extends object, Answer, Progress = never>(
  file: URL,
  order: Order,
  { signal, totalMs, silentMs, folderLimits = [], onProgress }: Limits<Progress>,
): Promise<{ answer: Answer } | NoAnswer> {
  signal.throwIfAborted()
  const child = startChild(file)
  let limit: NoAnswer | undefined
  const end = () => child.kill('SIGKILL')
  const endBy = (reason: NoAnswer) => {
    limit ??= reason
    end()
  }
  const endAfter = (ms: number | undefined, ended: 'silent' | 'too long') =>
    ms === undefined ? undefined : setTimeout(() => endBy({ ended }), ms)
  const total = endAfter(totalMs, 'too long')
  const silence = endAfter(silentMs, 'silent')
  const folders = folderLimits.map((one) =>
    watchFolder(one, () => endBy({ ended: 'too many bytes', folder: one.folder })),
  )
  signal.addEventListener('abort', end)
  try {
    const outcome = await outcomeOf<Answer, Progress>(child, order, (progress) => {
      silence?.refresh()
      onProgress?.(progress)
    })
    if (limit) return limit
    signal.throwIfAborted()
    return outcome
  } finally {
    clearTimeout(total)
    clearTimeout(silence)
    for (const stop of folders) stop()
    signal.removeEventListener('abort', end)
    end()
  }
}

function watchFolder({ folder, maxBytes }: { folder: string; maxBytes: number }, onTooMany: () => void) {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    if ((await folderBytes(folder)) > maxBytes) onTooMany()
    else if (!isStopped) timer = setTimeout(check, watchIntervalMs)
  }
  timer = setTimeout(check, watchIntervalMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const counted = new Set<number>()
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const stats = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined)
    if (!stats || counted.has(stats.ino)) continue
    counted.add(stats.ino)
    bytes += stats.size
  }
  return bytes
}

function outcomeOf<Answer, Progress>(
  child: ChildProcess,
  order: object,
  onProgress: (progress: Progress) => void,
): Promise<{ answer: Answer } | NoAnswer> {
  return new Promise((resolve, reject) => {
    let answer: { answer: Answer } | undefined
    child.on('message', (message: ChildMessage<Answer, Progress>) => {
      if ('progress' in message) onProgress(message.progress)
      else answer = message
    })
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve(answer ?? (signal ? { ended: 'killed', signal } : { ended: 'exited', code: code ?? 1 })),
    )
    child.send(order, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}

const watchIntervalMs = 100

/** Ends without a parent, or above `memoryLimitBytes`. Exits with 1 if `work` throws. */
export function answerOrder<Order, Answer, Progress = never>(
  work: (order: Order, onProgress: (progress: Progress) => void) => Promise<Answer>,
  { memoryLimitBytes }: { memoryLimitBytes?: number } = {},
) {
  if (memoryLimitBytes) watchMemory(memoryLimitBytes)
  const send = (message: ChildMessage<Answer, Progress>) =>
    new Promise<void>((sent) => process.send?.(message, () => sent()))
  process.once('disconnect', () => process.exit(1))
  process.once('message', async (order: Order) => {
    await send({ answer: await work(order, (progress) => void send({ progress })) })
    process.exit(0)
  })
}

/** Kills the child above the limit or without a parent. A thread, because C libraries block the main one. */
function watchMemory(limitBytes: number) {
  const watch = (limit: number, intervalMs: number, parent: number) =>
    setInterval(() => {
      if (process.memoryUsage.rss() > limit || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    }, intervalMs)
  const code = `(${watch})(${limitBytes}, ${watchIntervalMs}, ${process.ppid})`
  new Worker(code, { ...childOptions(), eval: true }).unref()
}
