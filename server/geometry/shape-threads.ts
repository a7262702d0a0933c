import { FairQueue, type QueueClient } from '../database/fair-queue.ts'
import { BusyError } from '../domain-error.ts'
import { startThreads, type Threads } from '../processes/threads.ts'
import type { ShapeWork } from './shape-work.ts'

// Threads for computations on shapes of users. A thread that exceeds its time limit is terminated.

type Work = keyof ShapeWork
type Input<Name extends Work> = Parameters<ShapeWork[Name]>[0]
type Answer<Name extends Work> = ReturnType<ShapeWork[Name]>
export type ShapeTask = { work: Work; input: Input<Work> }
type Thread = Threads<ShapeTask, unknown>

export class ShapeTimeError extends BusyError {
  constructor() {
    super('Checking the shape took too long. Try again, or draw it with fewer corners.')
  }
}

/** Maps take turns. The time limit covers waiting and work. */
const queue = new FairQueue({ atOnce: 2, maxWaiting: 50, timeLimitMs: 10_000 })
const file = new URL('./shape.worker.ts', import.meta.url)
const free: Thread[] = []

/**
 * Throws a `ShapeTimeError` after `maxMs` of work, without the start of its thread, and a BusyError if the queue is
 * full or too slow.
 */
export function workOnShapes<Name extends Work>(
  client: QueueClient,
  name: Name,
  input: Input<Name>,
  maxMs: number,
): Promise<Answer<Name>> {
  return queue.take(client, async (signal) => {
    const thread = free.pop() ?? startThreads<ShapeTask, unknown>(file, 1, {})
    const { promise: interrupted, reject } = Promise.withResolvers<never>()
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave)
    let timer: NodeJS.Timeout | undefined
    const isOver = { value: false }
    async function work() {
      // A new thread answers this after loading its code.
      await thread.run({ work: 'examine', input: [] })
      timer = setTimeout(() => reject(new ShapeTimeError()), maxMs)
      return thread.run({ work: name, input })
    }
    try {
      const answer = work().finally(() => {
        isOver.value = true
      })
      return (await Promise.race([answer, interrupted])) as Answer<Name>
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      if (isOver.value) free.push(thread)
      else await thread.close()
    }
  })
}
