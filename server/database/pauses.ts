import { setImmediate } from 'node:timers/promises'

const maxMs = 8

/** Splits long work on the main thread. Awaiting a query is not enough: SQLite answers synchronously. */
export class Pauses {
  private since = performance.now()

  async pause(): Promise<void> {
    if (performance.now() - this.since < maxMs) return
    await setImmediate()
    this.since = performance.now()
  }
}
