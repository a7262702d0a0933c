import { expect, it } from 'vitest'
import { TakingTurns } from './taking-turns.ts'

const { signal } = new AbortController()

/** Something that lasts until it is told to end. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, resolve }
}

it('does one after the other, in the order in which they came', async () => {
  const turns = new TakingTurns({ atOnce: 1, mostWaiting: 5 })
  const [first, order] = [work(), [] as string[]]
  const all = [
    turns.take(signal, async () => {
      await first.promise
      order.push('first')
    }),
    turns.take(signal, async () => void order.push('second')),
    turns.take(signal, async () => void order.push('third')),
  ]
  expect(order).toEqual([])
  first.resolve()
  await Promise.all(all)
  expect(order).toEqual(['first', 'second', 'third'])
})

it('refuses whom it has no room for, and forgets who leaves', async () => {
  const turns = new TakingTurns({ atOnce: 1, mostWaiting: 1 })
  const first = work()
  const running = turns.take(signal, () => first.promise)
  const leaving = new AbortController()
  const waiting = turns.take(leaving.signal, async () => 'never')
  await expect(turns.take(signal, async () => 'never')).rejects.toThrow('More files are being written')
  leaving.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  const next = turns.take(signal, async () => 'next')
  first.resolve()
  expect(await next).toBe('next')
  await running
})

it('goes on after a failure', async () => {
  const turns = new TakingTurns({ atOnce: 1, mostWaiting: 1 })
  await expect(turns.take(signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turns.take(signal, async () => 'yes')).toBe('yes')
})
