import { explainOutage } from '../database/outage.ts'

export type CleanupStep = {
  what: string
  remove(now: number): Promise<void>
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

async function run(steps: readonly CleanupStep[], onError: (error: Error) => void) {
  for (const { what, remove } of steps)
    try {
      await remove(Date.now())
    } catch (error) {
      onError(new Error(`Cannot remove ${what}: ${explainOutage(error) ?? (error as Error).message}`))
    }
}
