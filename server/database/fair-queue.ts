import { NotAnsweredError } from '../domain-error.ts'

export type QueueClient = { mapId: string; signal: AbortSignal; isStaff?: boolean }

export type WorkerLimits = {
  /** Maximum number of concurrent queries. If two or more, a single map cannot use all of them. */
  atOnce: number
  /** Per map; default: all but one. */
  maxOfMap?: number
  staffPlaces?: number
  /** Default: newest, because under overload the oldest are about to time out. */
  first?: 'newest' | 'oldest'
  maxWaiting: number
  /** From the request to the answer. */
  timeLimitMs: number
}

type Waiting = { isStaff: boolean; start(): void; refuse(reason: NotAnsweredError): void }

/** One queue per map. Maps take turns, so that many queries of one map do not delay others. */
export class FairQueue {
  private readonly limits: WorkerLimits
  private readonly running = new Map<string, number>()
  private visitorsUnderWay = 0
  private readonly waiting = new Map<string, Waiting[]>()
  private readonly ends = new Set<(reason: NotAnsweredError) => void>()

  constructor(limits: WorkerLimits) {
    this.limits = limits
  }

  async take<Result>(client: QueueClient, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ending = new AbortController()
    const { signal } = ending
    const end = (reason: NotAnsweredError) => ending.abort(reason)
    const leave = () => end(new NotAnsweredError('left'))
    if (client.signal.aborted) leave()
    client.signal.addEventListener('abort', leave)
    const timer = setTimeout(() => end(new NotAnsweredError('too long')), this.limits.timeLimitMs)
    this.ends.add(end)
    try {
      await this.wait(client, signal)
      return await this.work(client, signal, work)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      this.ends.delete(end)
      clearTimeout(timer)
      client.signal.removeEventListener('abort', leave)
    }
  }

  close() {
    for (const end of this.ends) end(new NotAnsweredError('closed'))
  }

  private async wait({ mapId, isStaff = false }: QueueClient, signal: AbortSignal): Promise<void> {
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
      if (this.waitingCount() > this.limits.maxWaiting) this.rejectOne(mapId)
    })
  }

  private async work<Result>(
    client: QueueClient,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      signal.throwIfAborted()
      return await work(signal)
    } finally {
      this.count(client, -1)
      this.startNext()
    }
  }

  private startNext() {
    this.startThose(true)
    this.startThose(false)
  }

  private startThose(isStaff: boolean) {
    const { atOnce, maxOfMap = Math.max(1, atOnce - 1), staffPlaces = 0 } = this.limits
    for (const [mapId, queries] of this.waiting) {
      if (sum(this.running.values()) >= atOnce) return
      if (!isStaff && this.visitorsUnderWay >= atOnce - staffPlaces) return
      const next = queries.find((one) => one.isStaff === isStaff)
      if (!next || (this.running.get(mapId) ?? 0) >= maxOfMap) continue
      this.remove(mapId, next)
      const rest = this.waiting.get(mapId)
      if (rest) {
        this.waiting.delete(mapId)
        this.waiting.set(mapId, rest)
      }
      this.count({ mapId, isStaff }, 1)
      next.start()
    }
  }

  private rejectOne(mapOfNewest: string) {
    const hasVisitors = [...this.waiting.values()].flat().some(({ isStaff }) => !isStaff)
    const refusable = (mapId: string) =>
      (this.waiting.get(mapId) ?? []).filter(({ isStaff }) => !(hasVisitors && isStaff))
    let longest = mapOfNewest
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

  private count({ mapId, isStaff = false }: Pick<QueueClient, 'mapId' | 'isStaff'>, difference: number) {
    if (!isStaff) this.visitorsUnderWay += difference
    const count = (this.running.get(mapId) ?? 0) + difference
    if (count > 0) this.running.set(mapId, count)
    else this.running.delete(mapId)
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
