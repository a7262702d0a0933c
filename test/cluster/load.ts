import { setTimeout as wait } from 'node:timers/promises'
import { positionName } from '#domain/values/position.ts'

// Users of a cluster: some add records and clients, others read. All repeat requests that fail.

type Target = { origin: string; mapId: string; headers: Record<string, string>; prefix: string }

type Confirmed = { features: Set<string>; clients: Map<string, string> }

export type Load = {
  /** Failed requests by reason. All were repeated. */
  failures: Map<string, number>
  /** Answers that no failure of a server explains, such as 409, or a change that its page cannot read. */
  mistakes: string[]
  confirmed: Confirmed
  /** Resolves when every user has been answered once more. */
  answered(): Promise<void>
  /** The longest time since then in which one of the users was not answered, in milliseconds. */
  longestPauses(since: number): { writesMs: number; readsMs: number }
  /** Resolves when every change is confirmed. */
  stop(): Promise<void>
}

const writesEveryMs = 250
const readsEveryMs = 100
const patienceMs = 10_000

export function startLoad({ origin, mapId, headers, prefix }: Target): Load {
  const confirmed: Confirmed = { features: new Set(), clients: new Map() }
  const failures = new Map<string, number>()
  const mistakes: string[] = []
  const answeredAt = { writes: [] as number[][], reads: [] as number[][] }
  const path = `/api/maps/${mapId}/features`
  let newest = { id: '', position: '' }
  let isStopping = false

  async function ask(url: string, init: RequestInit = {}, expected = 200): Promise<Response | undefined> {
    let reason: string
    try {
      const answer = await fetch(`${origin}${url}`, { ...init, signal: AbortSignal.timeout(patienceMs) })
      const text = await answer.text()
      if (answer.status === expected) return new Response(text, answer)
      reason = `${init.method ?? 'GET'} ${answer.status}`
      if (answer.status < 500) mistakes.push(`${url}: ${answer.status} ${text.slice(0, 300)}`)
    } catch (error) {
      const { cause, message } = error as Error
      reason = `${init.method ?? 'GET'} ${cause instanceof Error ? cause.message : message}`
    }
    failures.set(reason, (failures.get(reason) ?? 0) + 1)
    return undefined
  }

  const post = (url: string, body: object, more: Record<string, string> = {}) =>
    ask(
      url,
      {
        method: 'POST',
        headers: { ...headers, ...more, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      201,
    )

  async function addFeature(id: string): Promise<boolean> {
    const geometry = { type: 'Point', coordinates: [-111 + Math.random() / 10, 34 + Math.random() / 10] }
    // The same for each repetition.
    const feature = { kind: 'asset', id, name: id, geometry }
    while (!isGivenUp()) {
      const answer = await post(path, feature)
      if (answer) {
        confirmed.features.add(id)
        newest = { id, position: answer.headers.get(positionName) ?? '' }
        return true
      }
      await wait(writesEveryMs)
    }
    return false
  }

  async function addClient(name: string): Promise<boolean> {
    while (!isGivenUp()) {
      const answer = await post('/api/clients', { name, location: '' }, { 'idempotency-key': name })
      if (answer) {
        confirmed.clients.set(name, ((await answer.json()) as { id: string }).id)
        return true
      }
      await wait(writesEveryMs)
    }
    return false
  }

  const readNewest = async () => {
    const { id, position } = newest
    if (id === '') return true
    return (await ask(`${path}/${id}`, { headers: { cookie: `${positionName}=${position}` } })) !== undefined
  }
  const readList = async () => (await ask(`${path}?limit=5`)) !== undefined
  const search = async () => (await ask(`${path}?text=${prefix}&limit=5`)) !== undefined

  let givenUpAt = Number.POSITIVE_INFINITY
  const isGivenUp = () => Date.now() > givenUpAt

  async function use(times: number[], everyMs: number, work: (step: number) => Promise<boolean>) {
    for (let step = 0; !isStopping; step++) {
      if (await work(step)) times.push(Date.now())
      await wait(everyMs)
    }
  }
  const user = (kind: 'writes' | 'reads', work: (step: number) => Promise<boolean>) => {
    const times: number[] = []
    answeredAt[kind].push(times)
    return use(times, kind === 'writes' ? writesEveryMs : readsEveryMs, work)
  }
  const users = [
    ...[1, 2, 3, 4].map((number) =>
      user('writes', (step) => addFeature(`${prefix}-${number}-${String(step).padStart(4, '0')}`)),
    ),
    user('writes', (step) => addClient(`${prefix}-client-${step}`)),
    ...[readList, readList, search, readNewest].map((read) => user('reads', read)),
  ]

  const pause = (all: number[][], since: number) =>
    Math.max(
      ...all.map((times) => {
        const later = [since, ...times.filter((time) => time > since), Date.now()]
        return Math.max(...later.slice(1).map((time, index) => time - (later[index] ?? 0)))
      }),
    )

  return {
    failures,
    mistakes,
    confirmed,
    async answered() {
      const since = Date.now()
      const end = since + 60_000
      const isAnswered = (times: number[]) => (times.at(-1) ?? 0) > since
      while (![...answeredAt.writes, ...answeredAt.reads].every(isAnswered)) {
        if (Date.now() > end) throw new Error('A user was not answered within a minute.')
        await wait(50)
      }
    },
    longestPauses: (since) => ({
      writesMs: pause(answeredAt.writes, since),
      readsMs: pause(answeredAt.reads, since),
    }),
    async stop() {
      isStopping = true
      givenUpAt = Date.now() + 30_000
      await Promise.all(users)
    },
  }
}
