import { setImmediate } from 'node:timers/promises'

const mostMs = 8

/**
 * Splits long work on the main thread, so that other requests run in between. Call `pause` between its parts. Awaiting a
 * query is no pause: SQLite answers at once.
 */
export class Pauses {
  private since = performance.now()

  async pause(): Promise<void> {
    if (performance.now() - this.since < mostMs) return
    await setImmediate()
    this.since = performance.now()
  }
}
