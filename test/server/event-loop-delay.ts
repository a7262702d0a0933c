import { setTimeout } from 'node:timers/promises'

/**
 * Returns the longest time in ms that the work blocked this thread. Measures processor time, which does not depend on
 * the load of the machine.
 */
export async function measureDelay<Answer>(
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; busyMs: number }> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    for (let last = threadTime(); !isOver; ) {
      await setTimeout(1)
      const now = threadTime()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  try {
    return { answer: await work(), busyMs: await ended() }
  } finally {
    isOver = true
  }

  async function ended() {
    await setTimeout(1)
    isOver = true
    await watching
    return longest
  }
}

/** Processor time of this thread in ms. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
