import { askFirst } from '../processes/several-servers.ts'

// Several servers of one machine count requests together.

type Count = { current: number; ttl: number }

const maxCounted = 100_000

/** Counts requests by key, in windows that begin with the first request. */
export function createRequestCounter(now: () => number = Date.now) {
  const counts = new Map<string, { current: number; endsAt: number }>()
  return (key: string, windowMs: number): Count => {
    const at = now()
    const found = counts.get(key)
    const count = found && found.endsAt > at ? found : { current: 0, endsAt: at + windowMs }
    count.current++
    counts.delete(key)
    counts.set(key, count)
    const [oldest] = counts.keys()
    if (counts.size > maxCounted && oldest !== undefined) counts.delete(oldest)
    return { current: count.current, ttl: count.endsAt - at }
  }
}

let scopes = 0

/** A store of `@fastify/rate-limit`. Each has its own counts: all servers create them in the same order. */
export class SharedRateLimit {
  private readonly scope = ++scopes

  incr(key: string, answer: (error: Error | null, count?: Count) => void, windowMs: number) {
    askFirst<Count>('countRequest', `${this.scope} ${key}`, windowMs).then(
      (count) => answer(null, count),
      answer,
    )
  }

  child() {
    return new SharedRateLimit()
  }
}
