import { setTimeout as passed } from 'node:timers/promises'

export const busyTimeoutMs = 10_000

const tryAgainMs = 20

/** Retries `act` while another process holds the lock; SQLite's own waiting would block this process. */
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busy
}
