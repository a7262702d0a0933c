import { explainOutage } from '../database/outage.ts'

export type CleanupStep = {
  /** The things that it removes, as the object of a sentence. */
  what: string
  remove(now: number): Promise<void>
  /** Also when the server starts: left by a process that was killed, and takes room for nothing. */
  isAtStart?: true
}

/** Runs the steps each hour. Several servers may do so at once. */
export function startCleanup(steps: readonly CleanupStep[], onError: (error: Error) => void) {
  const hourMs = 3_600_000
  const timer = setInterval(() => {
    underWay = run(steps, onError)
  }, hourMs).unref()
  let underWay = run(
    steps.filter(({ isAtStart }) => isAtStart),
    onError,
  )
  return {
    close() {
      clearInterval(timer)
      return underWay
    },
  }
}

/** One after the other. One that fails keeps none of the others from running. */
async function run(steps: readonly CleanupStep[], onError: (error: Error) => void) {
  for (const { what, remove } of steps)
    try {
      await remove(Date.now())
    } catch (error) {
      onError(new Error(`Cannot remove ${what}: ${explainOutage(error) ?? (error as Error).message}`))
    }
}
