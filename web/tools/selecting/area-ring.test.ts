import { expect, it } from 'vitest'
import { boxBetween, type LngLat, ringOf, withCorner } from './area-ring.ts'

it('is in the world from -180 to 180, however often the map was turned around', () => {
  const box = (west: number, east: number) => ringOf(boxBetween({ lng: west, lat: 1 }, { lng: east, lat: 2 }))
  expect(box(10, 20)).toEqual([
    [10, 1],
    [20, 1],
    [20, 2],
    [10, 2],
  ])
  expect(box(370, 380)).toEqual(box(10, 20))
  expect(box(-350, -340)).toEqual(box(10, 20))
  // Over the date line it goes on.
  expect(box(-190, -175)).toEqual(box(170, 185))
  expect(box(175, 190)).toEqual(box(-185, -170))
  // All worlds side by side.
  expect(box(-2_000, 2_000).map(([lng]) => lng)).toEqual([-720, 720, 720, -720])
})

it('has no more corners than may be sent, from all along the way', () => {
  let corners: LngLat[] = []
  for (let at = 0; at < 5_000; at++) corners = withCorner(corners, { lng: at / 100, lat: 0 })
  expect(corners.length).toBeLessThanOrEqual(2_000)
  expect(corners[0]).toEqual({ lng: 0, lat: 0 })
  expect(corners.at(-1)).toEqual({ lng: 49.99, lat: 0 })
  const gaps = corners.slice(1).map(({ lng }, index) => lng - (corners[index] as LngLat).lng)
  expect(Math.max(...gaps)).toBeLessThan(0.05)
})
