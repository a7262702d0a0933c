import { BusyError } from '../domain-error.ts'

/** The source of a long question: maps take turns, and questions whose client has disconnected are dropped. */
export type Asker = { mapId: string; signal: AbortSignal }

export type WorkerLimits = {
  /** So many questions are under way at once. One map never has all of them, where there are two or more. */
  atOnce: number
  mostWaiting: number
  /** From the asking to the answer. */
  timeLimitMs: number
}

/** Why a question in the queue has no answer. */
export class NotAnsweredError extends BusyError {
  readonly reason: keyof typeof reasons
  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.reason = reason
  }
}

const reasons = {
  full: 'More is asked for than can be answered. Try again in a few seconds.',
  'too long': 'It took too long. Try again, or ask for less.',
  left: 'Nobody waits for the answer any more.',
  closed: 'The server stops.',
}

type Waiting = { start(): void; refuse(reason: NotAnsweredError): void }

/**
 * A queue for each map. They take turns, so that many questions about one map do not delay those about another. Within
 * a map the newest comes first: under overload the oldest are about to be given up, and if they came first nobody would
 * be answered.
 */
export class FairQueue {
  private readonly limits: WorkerLimits
  private readonly underWay = new Map<string, number>()
  /** The map whose turn comes next is the first. */
  private readonly waiting = new Map<string, Waiting[]>()
  private readonly ends = new Set<(reason: NotAnsweredError) => void>()

  constructor(limits: WorkerLimits) {
    this.limits = limits
  }

  /** Does the work when its turn comes. `signal` tells it to end: its time is over, or who asked has left. */
  async take<Result>(asker: Asker, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ending = new AbortController()
    const { signal } = ending
    const end = (reason: NotAnsweredError) => ending.abort(reason)
    const leave = () => end(new NotAnsweredError('left'))
    if (asker.signal.aborted) leave()
    asker.signal.addEventListener('abort', leave)
    const timer = setTimeout(() => end(new NotAnsweredError('too long')), this.limits.timeLimitMs)
    this.ends.add(end)
    try {
      await this.wait(asker.mapId, signal)
      return await this.work(asker.mapId, signal, work)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      this.ends.delete(end)
      clearTimeout(timer)
      asker.signal.removeEventListener('abort', leave)
    }
  }

  /** Ends all that is under way, and all that waits. */
  close() {
    for (const end of this.ends) end(new NotAnsweredError('closed'))
  }

  private async wait(mapId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = { start: resolve, refuse: reject }
      this.waiting.set(mapId, [one, ...(this.waiting.get(mapId) ?? [])])
      signal.addEventListener('abort', () => {
        this.remove(mapId, one)
        reject(signal.reason)
      })
      this.startNext()
      if (this.waitingCount() > this.limits.mostWaiting) this.refuseOne(mapId)
    })
  }

  private async work<Result>(
    mapId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      signal.throwIfAborted()
      return await work(signal)
    } finally {
      this.count(mapId, -1)
      this.startNext()
    }
  }

  private startNext() {
    const mostOfMap = Math.max(1, this.limits.atOnce - 1)
    for (const [mapId, [newest]] of this.waiting) {
      if (sum(this.underWay.values()) >= this.limits.atOnce) return
      if (!newest || (this.underWay.get(mapId) ?? 0) >= mostOfMap) continue
      this.remove(mapId, newest)
      // To the end of the line.
      const rest = this.waiting.get(mapId)
      if (rest) {
        this.waiting.delete(mapId)
        this.waiting.set(mapId, rest)
      }
      this.count(mapId, 1)
      newest.start()
    }
  }

  /** Refuses the oldest question of the map that has most waiting: a crowd on one map leaves room for others. */
  private refuseOne(comingTo: string) {
    let longest = comingTo
    for (const [mapId, { length }] of this.waiting)
      if (length > (this.waiting.get(longest)?.length ?? 0)) longest = mapId
    const oldest = this.waiting.get(longest)?.at(-1)
    if (!oldest) return
    this.remove(longest, oldest)
    oldest.refuse(new NotAnsweredError('full'))
  }

  private remove(mapId: string, one: Waiting) {
    const rest = this.waiting.get(mapId)?.filter((other) => other !== one) ?? []
    if (rest.length > 0) this.waiting.set(mapId, rest)
    else this.waiting.delete(mapId)
  }

  private count(mapId: string, difference: number) {
    const count = (this.underWay.get(mapId) ?? 0) + difference
    if (count > 0) this.underWay.set(mapId, count)
    else this.underWay.delete(mapId)
  }

  private waitingCount(): number {
    return sum([...this.waiting.values()].map(({ length }) => length))
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
