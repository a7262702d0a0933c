import type { AddProtocolAction } from 'maplibre-gl'
import type { FeatureCollection } from '#domain/features/feature-collection.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'

// Search results on the map: loaded once and made into tiles by the page.

export type MatchesRequest = { number: number; set: number } & (
  | { collection: string }
  | { tile: TileAddress }
)
export type MatchesAnswer = { number: number } & ({ value: unknown } | { error: string })

export const matchesProtocol = 'matches'

export const maxMatchSets = 3

const addressOf = (set: number) => `${matchesProtocol}://${set}/{z}/{x}/{y}`

export const noMatches = addressOf(0)

export type Matches = Pick<FeatureCollection, 'numberMatched' | 'numberReturned'> & { tiles: string }

let sets = 0

export async function openMatches(collection: string): Promise<Matches> {
  sets += 1
  const set = sets
  const counts = await sendRequest<Omit<Matches, 'tiles'>>({ set, collection })
  return { ...counts, tiles: addressOf(set) }
}

/** For the map engine: a tile at such an address. */
export const loadMatchTile: AddProtocolAction = async ({ url }) => {
  const [set, z, x, y] = url.slice(`${matchesProtocol}://`.length).split('/').map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return { data: set === 0 ? new ArrayBuffer(0) : await sendRequest<ArrayBuffer>({ set, tile: { z, x, y } }) }
}

type Pending = { request: MatchesRequest; resolve(value: never): void; reject(error: Error): void }
const pending = new Map<number, Pending>()
let requests = 0
let worker: Worker | undefined
/** Sent again to a worker that replaces a dead one. */
const collections = new Map<number, MatchesRequest>()

type Without<Request> = Request extends unknown ? Omit<Request, 'number'> : never

function sendRequest<Value>(request: Without<MatchesRequest>): Promise<Value> {
  worker ??= startWorker()
  requests += 1
  const numbered: MatchesRequest = { ...request, number: requests }
  if ('collection' in numbered) {
    collections.set(numbered.set, numbered)
    for (const oldest of [...collections.keys()].slice(0, -maxMatchSets)) collections.delete(oldest)
  }
  return new Promise<Value>((resolve, reject) => {
    pending.set(numbered.number, { request: numbered, resolve, reject })
    worker?.postMessage(numbered)
  })
}

const answerWithinMs = 10_000

export async function restartMatchWorkerIfDead(onDead: () => void): Promise<void> {
  if (pending.size === 0 || isChecking) return
  isChecking = true
  const silent = Symbol('silent')
  const silence = new Promise((resolve) => setTimeout(() => resolve(silent), answerWithinMs))
  const ping = sendRequest({ set: 0, tile: { z: 0, x: 0, y: 0 } }).catch(() => {})
  const isDead = (await Promise.race([ping, silence])) === silent
  isChecking = false
  if (!isDead) return
  onDead()
  worker?.terminate()
  const started = startWorker()
  worker = started
  const unanswered = [...pending.values()].map(({ request }) => request)
  for (const request of new Set([...collections.values(), ...unanswered])) started.postMessage(request)
}
let isChecking = false

function startWorker(): Worker {
  const started = new Worker(new URL('./match-tiles.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<MatchesAnswer>) => {
    const waiting = pending.get(data.number)
    pending.delete(data.number)
    if ('error' in data) waiting?.reject(new Error(data.error))
    else waiting?.resolve(data.value as never)
  })
  // The script failed to load: the next request tries again.
  started.addEventListener('error', () => {
    started.terminate()
    if (worker === started) worker = undefined
    for (const { reject } of pending.values())
      reject(new Error('Could not show the search results on the map.'))
    pending.clear()
  })
  return started
}
