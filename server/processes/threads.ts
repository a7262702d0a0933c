import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads'
import { NotAnsweredError } from '../domain-error.ts'
import { childOptions } from './processes.ts'

// Runs work that would block this process in threads.

export type Threads<Task, Answer> = {
  run(task: Task): Promise<Answer>
  close(): Promise<void>
}

type ThreadOptions = Pick<WorkerOptions, 'workerData' | 'resourceLimits'> & {
  /**
   * For one task in a thread; default unlimited. Then the task fails with a NotAnsweredError, and the
   * thread is terminated and replaced. Its other tasks run a second time, never a third.
   */
  timeLimitMs?: number
}

type Numbered<Task> = { number: number; task: Task }
type Answered<Answer> = { number: number } & (
  | { answer: Answer }
  | { failure: { message: string; code: string | undefined } }
)

/** Starts threads with a file that calls `runTasks`. Replaces a dead thread on demand. */
export function startThreads<Task, Answer>(
  file: URL,
  count: number,
  { timeLimitMs, ...options }: ThreadOptions,
): Threads<Task, Answer> {
  type Waiting = {
    task: Task
    resolve: (answer: Answer) => void
    reject: (error: unknown) => void
    isRepeated: boolean
    timer?: NodeJS.Timeout | undefined
  }
  type Thread = { worker: Worker; waiting: Map<number, Waiting> }
  let lastNumber = 0
  let isClosed = false
  // A slot is empty after its thread died, so that a thread that cannot start is not restarted in a loop.
  const slots: (Thread | undefined)[] = Array.from({ length: count }, (_, slot) => fillSlot(slot))

  function fillSlot(slot: number): Thread {
    const worker = startThread(file, options)
    const thread: Thread = { worker, waiting: new Map() }
    worker.unref()
    worker.on('message', (answered: Answered<Answer>) => {
      const waiting = thread.waiting.get(answered.number)
      clearTimeout(waiting?.timer)
      thread.waiting.delete(answered.number)
      if (thread.waiting.size === 0 && !isClosed) worker.unref()
      if ('answer' in answered) waiting?.resolve(answered.answer)
      else
        waiting?.reject(Object.assign(new Error(answered.failure.message), { code: answered.failure.code }))
    })
    let reason: unknown = new Error('a thread stopped')
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      if (slots[slot] === thread) slots[slot] = undefined
      for (const { reject, timer } of thread.waiting.values()) {
        clearTimeout(timer)
        reject(reason)
      }
    })
    return thread
  }

  function send(waiting: Waiting) {
    const load = slots.map((thread) => thread?.waiting.size ?? 0)
    const slot = load.indexOf(Math.min(...load))
    const thread = slots[slot] ?? fillSlot(slot)
    slots[slot] = thread
    const numbered: Numbered<Task> = { number: ++lastNumber, task: waiting.task }
    thread.waiting.set(numbered.number, waiting)
    if (timeLimitMs !== undefined) waiting.timer = setTimeout(() => replace(thread, waiting), timeLimitMs)
    thread.worker.ref()
    thread.worker.postMessage(numbered)
  }

  /** The task that blocks a thread is unknown: each may have waited for another. */
  function replace(thread: Thread, late: Waiting) {
    const others = [...thread.waiting.values()].filter((waiting) => waiting !== late)
    thread.waiting.clear()
    const slot = slots.indexOf(thread)
    if (slot !== -1) slots[slot] = undefined
    void thread.worker.terminate()
    late.reject(new NotAnsweredError('too long'))
    for (const waiting of others) {
      clearTimeout(waiting.timer)
      if (waiting.isRepeated || isClosed) waiting.reject(new NotAnsweredError('too long'))
      else send({ ...waiting, isRepeated: true })
    }
  }

  return {
    run(task) {
      if (isClosed) return Promise.reject(new Error('the threads are closed'))
      return new Promise((resolve, reject) => send({ task, resolve, reject, isRepeated: false }))
    },
    async close() {
      isClosed = true
      await Promise.all(slots.map((thread) => thread?.worker.terminate()))
    },
  }
}

const startThread = (file: URL, options: ThreadOptions) => new Worker(file, { ...options, ...childOptions() })

export async function runInThread(file: URL, workerData: unknown): Promise<unknown> {
  const worker = startThread(file, { workerData })
  let last: unknown
  worker.on('message', (message) => {
    last = message
  })
  await once(worker, 'exit')
  return last
}

/** Of this thread. On Linux each thread has its own. */
export function lowerPriority() {
  if (process.platform === 'linux') setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 5)
}

/**
 * In the thread: runs tasks, up to `atOnce` at a time. Transfers the buffers of an answer that
 * `toHandOver` returns; all others are copied, each with the whole buffer behind its view.
 */
export function runTasks<Task, Answer>(
  atOnce: number,
  answer: (task: Task) => Answer | Promise<Answer>,
  toHandOver: (answer: Answer) => ArrayBuffer[] = () => [],
) {
  const waiting: Numbered<Task>[] = []
  let runningCount = 0

  parentPort?.on('message', (numbered: Numbered<Task>) => {
    waiting.push(numbered)
    void work()
  })

  async function work() {
    if (runningCount >= atOnce) return
    runningCount++
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(next)
    runningCount--
  }

  async function send({ number, task }: Numbered<Task>) {
    const post = (answered: Answered<Answer>, handedOver: ArrayBuffer[] = []) =>
      parentPort?.postMessage(answered, handedOver)
    try {
      const made = await answer(task)
      post({ number, answer: made }, toHandOver(made))
    } catch (error) {
      const { message, code } = error as { message: string; code?: string }
      post({ number, failure: { message, code } })
    }
  }
}
