import { setTimeout as passed } from 'node:timers/promises'

/** How long one process waits for another's transaction (an import's, say) before it gives up. */
export const busyTimeoutMs = 10_000

const tryAgainMs = 20

/**
 * Does `work` as soon as no other process holds the lock. SQLite could wait by itself, but that would block this
 * process. Work that has begun is not done twice.
 */
export async function whenFree<Result>(
  act: () => Result | Promise<Result>,
  hasBegun = () => false,
): Promise<Result> {
  const end = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isBusy(error) || hasBegun() || Date.now() > end) throw error
    }
    await passed(tryAgainMs)
  }
}

const busy = 5

/** Extended codes tell more in their higher bits. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busy
}
