import { expect, it } from 'vitest'
import { FairQueue, type WorkerLimits } from './fair-queue.ts'

const settled = () => new Promise(setImmediate)

function queueOf(limits: Partial<WorkerLimits>) {
  const queue = new FairQueue({ atOnce: 1, maxWaiting: 100, timeLimitMs: 60_000, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const refused = new Map<string, string>()
  const ask = (name: string, mapId: string, isStaff = false, { signal } = new AbortController()) => {
    const work = () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    queue.take({ mapId, isStaff, signal }, work).catch((error) => refused.set(name, error.reason))
  }
  const end = async (name: string) => {
    await settled()
    ends.get(name)?.()
    await settled()
  }
  return { ask, end, begun, refused }
}

it('serves staff before visitors', async () => {
  const { ask, end, begun } = queueOf({ first: 'oldest' })
  ask('first', 'oak')
  ask('visitor', 'oak')
  ask('visitor of another map', 'pine')
  ask('staff', 'pine', true)
  await end('first')
  expect(begun).toEqual(['first', 'staff'])
})

it('keeps a place for staff while visitors of many maps wait', async () => {
  const { ask, begun } = queueOf({ atOnce: 2, maxOfMap: 1, staffPlaces: 1, first: 'oldest' })
  for (const map of ['oak', 'pine', 'elk']) ask(map, map)
  await settled()
  expect(begun).toEqual(['oak'])
  ask('staff', 'birch', true)
  await settled()
  expect(begun).toEqual(['oak', 'staff'])
})

it('limits the share of a map, even without others waiting', async () => {
  const { ask, begun } = queueOf({ atOnce: 2, maxOfMap: 1 })
  ask('first', 'oak', true)
  ask('second', 'oak', true)
  ask('other', 'pine', true)
  await settled()
  expect(begun).toEqual(['first', 'other'])
})

it.each([
  ['oldest', ['first', 'a', 'b']],
  ['newest', ['first', 'b', 'a']],
] as const)('answers the %s query of a map first', async (order, expected) => {
  const { ask, end, begun } = queueOf({ first: order })
  for (const name of ['first', 'a', 'b']) ask(name, 'oak')
  for (const name of expected) await end(name)
  expect(begun).toEqual(expected)
})

it('rejects visitors before staff of the longest queue when it is full', async () => {
  const { ask, refused } = queueOf({ maxWaiting: 3, first: 'oldest' })
  ask('first', 'oak')
  ask('staff 1', 'elk', true)
  for (const name of ['a', 'b']) ask(name, 'oak')
  ask('other', 'pine')
  ask('staff 2', 'elk', true)
  await settled()
  expect([...refused]).toEqual([
    ['b', 'full'],
    ['a', 'full'],
  ])
})

it('drops queries of disconnected clients', async () => {
  const { ask, end, begun, refused } = queueOf({})
  const leaving = new AbortController()
  ask('first', 'oak')
  ask('next', 'oak')
  ask('left', 'oak', false, leaving)
  leaving.abort()
  await end('first')
  expect([...refused]).toEqual([['left', 'left']])
  expect(begun).toEqual(['first', 'next'])
})
