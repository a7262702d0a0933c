import { setTimeout } from 'node:timers/promises'

/**
 * Does some work; `busyMs` is the longest time for which it kept this thread from everything else. Processor time, and
 * not time of the clock: it is about the same on a machine that is busy with other things.
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

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
