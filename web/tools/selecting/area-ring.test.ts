import { expect, it } from 'vitest'
import { boxBetween, ringOf } from './area-ring.ts'

it('is moved to the world from -180 to 180', () => {
  const box = (west: number, east: number) => ringOf(boxBetween({ lng: west, lat: 1 }, { lng: east, lat: 2 }))
  expect(box(10, 20)).toEqual([
    [10, 1],
    [20, 1],
    [20, 2],
    [10, 2],
  ])
  expect(box(370, 380)).toEqual(box(10, 20))
  expect(box(-350, -340)).toEqual(box(10, 20))
  // It continues across the date line.
  expect(box(-190, -175)).toEqual(box(170, 185))
  expect(box(175, 190)).toEqual(box(-185, -170))
  expect(box(-2_000, 2_000).map(([lng]) => lng)).toEqual([-720, 720, 720, -720])
})

it('is thinned evenly to the maximum number of corners', () => {
  const way = (length: number) => Array.from({ length }, (_, at) => ({ lng: at / 100, lat: 0 }))
  expect(ringOf(way(2_000))).toHaveLength(2_000)
  const ring = ringOf(way(5_000))
  expect(ring.length).toBeLessThanOrEqual(2_000)
  expect(ring[0]).toEqual([0, 0])
  expect(ring.at(-1)?.[0]).toBeCloseTo(49.98, 5)
})
