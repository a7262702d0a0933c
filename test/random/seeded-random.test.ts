import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'

test('repeats with the same seed and differs with another', () => {
  const take = (seed: string) => Array.from({ length: 20 }, seededRandom(seed).next)
  expect(take('a')).toEqual(take('a'))
  expect(take('a')).not.toEqual(take('b'))
})

test('returns integers within inclusive bounds', () => {
  const random = seededRandom('ends')
  const drawn = Array.from({ length: 500 }, () => random.integer(2, 5))
  expect(new Set(drawn)).toEqual(new Set([2, 3, 4, 5]))
  expect(drawn.every((number) => number >= 2 && number <= 5)).toBe(true)
})

test('shuffles all items without changing the original', () => {
  const items = [1, 2, 3, 4, 5, 6, 7]
  const shuffled = seededRandom('cards').shuffle(items)
  expect(shuffled.toSorted()).toEqual(items)
  expect(shuffled).not.toEqual(items)
})
