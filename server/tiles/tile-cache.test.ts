import { describe, expect, it } from 'vitest'
import { createTileCache } from './tile-cache.ts'

const tile = { z: 0, x: 0, y: 0 }
const tileOf = (length: number) => ({
  bytes: new Uint8Array(length),
  gzipped: new Uint8Array(length),
  etag: '',
})

function start(limits: { bytes: number; entries: number }) {
  const cache = createTileCache(limits)
  const made: string[] = []
  const ask = (key: string, length: number) =>
    cache.get(key, 'a-map', tile, {
      client: new AbortController().signal,
      async make() {
        made.push(key)
        return tileOf(length)
      },
    })
  return { made, ask }
}

it('limits the number of tiles, however small they are', async () => {
  const { made, ask } = start({ bytes: 2 ** 30, entries: 3 })
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await ask(key, 0)
  expect(made).toEqual(['a', 'b', 'c', 'd', 'b'])
})

it('counts tiles in progress', () => {
  const { made, ask } = start({ bytes: 2 ** 30, entries: 2 })
  for (const key of ['a', 'b', 'c', 'a']) void ask(key, 0)
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

it('counts the overhead of a tile', async () => {
  const { made, ask } = start({ bytes: 10_000, entries: 1_000 })
  for (let index = 0; index < 5; index++) await ask(`empty-${index}`, 0)
  await ask('empty-0', 0)
  expect(made).toEqual(['empty-0', 'empty-1', 'empty-2', 'empty-3', 'empty-4', 'empty-0'])
  const long = start({ bytes: 10_000, entries: 1_000 })
  await long.ask('a', 0)
  await long.ask('b'.repeat(3_000), 0)
  await long.ask('a', 0)
  expect(long.made).toHaveLength(3)
})

it('frees the bytes of a dropped tile', async () => {
  const { made, ask } = start({ bytes: 10_000, entries: 1_000 })
  for (const key of ['a', 'b', 'c', 'd', 'b', 'c', 'd', 'e', 'c', 'd', 'e']) await ask(key, 500)
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e'])
})

describe('a tile in progress', () => {
  function startSlow({ isNearlyThere = false } = {}) {
    const cache = createTileCache()
    const jobs: { signal: AbortSignal; finish(): void }[] = []
    const ask = () => {
      const leaving = new AbortController()
      const answer = cache.get('a', 'a-map', tile, {
        client: leaving.signal,
        make: (signal) =>
          new Promise((resolve, reject) => {
            if (!isNearlyThere) signal.addEventListener('abort', () => reject(signal.reason))
            jobs.push({ signal, finish: () => resolve(tileOf(1)) })
          }),
      })
      answer.catch(() => {})
      return { answer, leave: () => leaving.abort() }
    }
    return { jobs, ask }
  }

  it('is made as long as one client waits', async () => {
    const { jobs, ask } = startSlow()
    const [one, other] = [ask(), ask()]
    one.leave()
    const third = ask()
    other.leave()
    expect(jobs.map(({ signal }) => signal.aborted)).toEqual([false])
    jobs[0]?.finish()
    expect(await third.answer).toEqual(await other.answer)
  })

  it('is aborted when all clients have disconnected, and made again for the next', async () => {
    const { jobs, ask } = startSlow()
    const [one, other] = [ask(), ask()]
    one.leave()
    other.leave()
    const late = ask()
    await expect(one.answer).rejects.toThrow()
    await expect.poll(() => jobs.map(({ signal }) => signal.aborted)).toEqual([true, false])
    const later = ask()
    late.leave()
    jobs[1]?.finish()
    await Promise.all([late.answer, later.answer])
    expect(jobs[1]?.signal.aborted).toBe(false)
  })

  it('is cached if it was nearly done when all clients disconnected', async () => {
    const { jobs, ask } = startSlow({ isNearlyThere: true })
    ask().leave()
    const late = ask()
    jobs[0]?.finish()
    await late.answer
    await ask().answer
    expect(jobs).toHaveLength(1)
  })

  it('is cached once it is made, even if clients disconnect', async () => {
    const { jobs, ask } = startSlow()
    const one = ask()
    jobs[0]?.finish()
    await one.answer
    one.leave()
    await ask().answer
    expect(jobs).toHaveLength(1)
  })
})
