import { BusyError } from '../../domain-error.ts'

class FullError extends BusyError {}

/** So much is done at once; others wait, in the order in which they came, and too many are refused. */
export class TakingTurns {
  private readonly limits: { atOnce: number; mostWaiting: number }
  private underWay = 0
  private readonly waiting = new Set<() => void>()

  constructor(limits: { atOnce: number; mostWaiting: number }) {
    this.limits = limits
  }

  /** Rejects with the signal's reason where that comes before the turn. */
  async take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    if (this.underWay >= this.limits.atOnce) await this.wait(signal)
    else this.underWay++
    try {
      return await work()
    } finally {
      // Whoever comes next takes the place of this one.
      const [next] = this.waiting
      if (next) next()
      else this.underWay--
    }
  }

  private wait(signal: AbortSignal): Promise<void> {
    if (this.waiting.size >= this.limits.mostWaiting)
      throw new FullError('More files are being written than can be. Try again in a minute.')
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(begin)
        reject(signal.reason)
      }
      const begin = () => {
        this.waiting.delete(begin)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      this.waiting.add(begin)
      signal.addEventListener('abort', leave)
    })
  }
}
