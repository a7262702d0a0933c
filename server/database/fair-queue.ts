import { NotAnsweredError } from '../domain-error.ts'

/** The source of a long question: maps take turns, and questions whose client has disconnected are dropped. */
export type Asker = { mapId: string; signal: AbortSignal; isStaff?: boolean }

export type WorkerLimits = {
  /** So many questions are under way at once. One map never has all of them, where there are two or more. */
  atOnce: number
  /** Of them, those of one map; default all but one. */
  mostOfMap?: number
  /** Of them, places that only staff get; default none. Staff come before visitors in any case. */
  staffPlaces?: number
  /**
   * Which question of a map comes first, default the newest: under overload the oldest are about to be given up, and if
   * they came first nobody would be answered.
   */
  first?: 'newest' | 'oldest'
  mostWaiting: number
  /** From the asking to the answer. */
  timeLimitMs: number
}

type Waiting = { isStaff: boolean; start(): void; refuse(reason: NotAnsweredError): void }

/** A queue for each map. They take turns, so that many questions about one map do not delay those about another. */
export class FairQueue {
  private readonly limits: WorkerLimits
  private readonly underWay = new Map<string, number>()
  private visitorsUnderWay = 0
  /** The map whose turn comes next is the first, and so is the next of its questions. */
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
      await this.wait(asker, signal)
      return await this.work(asker, signal, work)
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

  private async wait({ mapId, isStaff = false }: Asker, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = { isStaff, start: resolve, refuse: reject }
      const others = this.waiting.get(mapId) ?? []
      this.waiting.set(mapId, this.limits.first === 'oldest' ? [...others, one] : [one, ...others])
      signal.addEventListener('abort', () => {
        this.remove(mapId, one)
        reject(signal.reason)
      })
      this.startNext()
      if (this.waitingCount() > this.limits.mostWaiting) this.refuseOne(mapId)
    })
  }

  private async work<Result>(
    asker: Asker,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      signal.throwIfAborted()
      return await work(signal)
    } finally {
      this.count(asker, -1)
      this.startNext()
    }
  }

  private startNext() {
    this.startThose(true)
    this.startThose(false)
  }

  private startThose(isStaff: boolean) {
    const { atOnce, mostOfMap = Math.max(1, atOnce - 1), staffPlaces = 0 } = this.limits
    for (const [mapId, questions] of this.waiting) {
      if (sum(this.underWay.values()) >= atOnce) return
      if (!isStaff && this.visitorsUnderWay >= atOnce - staffPlaces) return
      const next = questions.find((one) => one.isStaff === isStaff)
      if (!next || (this.underWay.get(mapId) ?? 0) >= mostOfMap) continue
      this.remove(mapId, next)
      // To the end of the line.
      const rest = this.waiting.get(mapId)
      if (rest) {
        this.waiting.delete(mapId)
        this.waiting.set(mapId, rest)
      }
      this.count({ mapId, isStaff }, 1)
      next.start()
    }
  }

  /**
   * Refuses the last question of the map that has most waiting, visitors' before staff's: a crowd on one map leaves room for
   * others.
   */
  private refuseOne(comingTo: string) {
    const hasVisitors = [...this.waiting.values()].flat().some(({ isStaff }) => !isStaff)
    const refusable = (mapId: string) =>
      (this.waiting.get(mapId) ?? []).filter(({ isStaff }) => !(hasVisitors && isStaff))
    let longest = comingTo
    for (const mapId of this.waiting.keys())
      if (refusable(mapId).length > refusable(longest).length) longest = mapId
    const last = refusable(longest).at(-1)
    if (!last) return
    this.remove(longest, last)
    last.refuse(new NotAnsweredError('full'))
  }

  private remove(mapId: string, one: Waiting) {
    const rest = this.waiting.get(mapId)?.filter((other) => other !== one) ?? []
    if (rest.length > 0) this.waiting.set(mapId, rest)
    else this.waiting.delete(mapId)
  }

  private count({ mapId, isStaff = false }: Pick<Asker, 'mapId' | 'isStaff'>, difference: number) {
    if (!isStaff) this.visitorsUnderWay += difference
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
