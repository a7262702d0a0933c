import type { AddProtocolAction } from 'maplibre-gl'
import type { FeatureCollection } from '#domain/features/feature-collection.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'

// Where words are looked for, the map shows what was found: asked for once, and made into tiles by the page itself.

/** What the page asks its worker: to make a set of what was found ready, or for one of its tiles. */
export type MatchesQuestion = { number: number; set: number } & (
  | { collection: string }
  | { tile: TileAddress }
)
export type MatchesAnswer = { number: number } & ({ value: unknown } | { error: string })

export const matchesProtocol = 'matches'

/** The map may still ask for tiles of what it showed before. */
export const mostMatchSets = 3

const addressOf = (set: number) => `${matchesProtocol}://${set}/{z}/{x}/{y}`

/** Address of tiles without anything. */
export const noMatches = addressOf(0)

export type Matches = Pick<FeatureCollection, 'numberMatched' | 'numberReturned'> & { tiles: string }

let sets = 0

/** Puts what was found, a feature collection as text, behind an address of tiles. */
export async function openMatches(collection: string): Promise<Matches> {
  sets += 1
  const set = sets
  const counts = await ask<Omit<Matches, 'tiles'>>({ set, collection })
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
  return { data: set === 0 ? new ArrayBuffer(0) : await ask<ArrayBuffer>({ set, tile: { z, x, y } }) }
}

type Asked = { question: MatchesQuestion; resolve(value: never): void; reject(error: Error): void }
const asked = new Map<number, Asked>()
let questions = 0
let worker: Worker | undefined
/** Sent again to a worker that replaces one that died. */
const collections = new Map<number, MatchesQuestion>()

type Without<Question> = Question extends unknown ? Omit<Question, 'number'> : never

function ask<Value>(question: Without<MatchesQuestion>): Promise<Value> {
  worker ??= startWorker()
  questions += 1
  const numbered: MatchesQuestion = { ...question, number: questions }
  if ('collection' in numbered) {
    collections.set(numbered.set, numbered)
    for (const former of [...collections.keys()].slice(0, -mostMatchSets)) collections.delete(former)
  }
  return new Promise<Value>((resolve, reject) => {
    asked.set(numbered.number, { question: numbered, resolve, reject })
    worker?.postMessage(numbered)
  })
}

/** The worker may be reading thousands of features when it is asked. */
const answerWithinMs = 10_000

/** Replaces the worker if it does not answer, and asks it everything again. `onDead` is called before that. */
export async function restartMatchWorkerIfDead(onDead: () => void): Promise<void> {
  if (asked.size === 0 || isChecking) return
  isChecking = true
  const silent = Symbol('silent')
  const silence = new Promise((resolve) => setTimeout(() => resolve(silent), answerWithinMs))
  const ping = ask({ set: 0, tile: { z: 0, x: 0, y: 0 } }).catch(() => {})
  const isDead = (await Promise.race([ping, silence])) === silent
  isChecking = false
  if (!isDead) return
  onDead()
  worker?.terminate()
  const started = startWorker()
  worker = started
  const unanswered = [...asked.values()].map(({ question }) => question)
  for (const question of new Set([...collections.values(), ...unanswered])) started.postMessage(question)
}
let isChecking = false

function startWorker(): Worker {
  const started = new Worker(new URL('./match-tiles.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<MatchesAnswer>) => {
    const waiting = asked.get(data.number)
    asked.delete(data.number)
    if ('error' in data) waiting?.reject(new Error(data.error))
    else waiting?.resolve(data.value as never)
  })
  // It did not come over the network: what is asked next tries again.
  started.addEventListener('error', () => {
    started.terminate()
    if (worker === started) worker = undefined
    for (const { reject } of asked.values()) reject(new Error('What was found cannot be put on the map.'))
    asked.clear()
  })
  return started
}
