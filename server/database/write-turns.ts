import { AsyncLocalStorage } from 'node:async_hooks'

export const writingClient = new AsyncLocalStorage<string>()

/**
 * Runs one piece of work at a time. Clients take turns, so that one with many long writes does not delay
 * others; the work of each stays in order. Each piece starts in its own turn of the event loop, because
 * SQLite is synchronous: requests that have arrived meanwhile join the queue first.
 */
export class WriteTurns {
  #isBusy = false
  readonly #waiting = new Map<string, (() => void)[]>()

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#wait(writingClient.getStore() ?? '')
    try {
      return await work()
    } finally {
      this.#isBusy = false
      this.#scheduleNext()
    }
  }

  #wait(client: string): Promise<void> {
    return new Promise((start) => {
      const queue = this.#waiting.get(client)
      if (queue) queue.push(start)
      else this.#waiting.set(client, [start])
      this.#scheduleNext()
    })
  }

  #scheduleNext() {
    if (this.#isBusy || this.#waiting.size === 0) return
    this.#isBusy = true
    setImmediate(() => {
      const [[client, queue] = ['', []]] = this.#waiting
      this.#waiting.delete(client)
      const start = queue.shift()
      if (queue.length > 0) this.#waiting.set(client, queue)
      start?.()
    })
  }
}
