import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasCrossingEdges } from './crossing.ts'

describe('hasCrossingEdges', () => {
  it.each<[name: string, path: [number, number][], isClosed: boolean, expected: boolean]>([
    [
      'a corner',
      [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
      false,
      false,
    ],
    [
      'an X',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      false,
      true,
    ],
    [
      'an open path whose closing edge would cross',
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [1, -1],
      ],
      false,
      true,
    ],
    [
      'a U that closes well',
      [
        [0, 0],
        [0, 2],
        [2, 2],
        [2, 0],
      ],
      true,
      false,
    ],
    [
      'a zigzag that closes across itself',
      [
        [0, 0],
        [1, 2],
        [2, 0],
        [3, 2],
        [1.5, 1],
      ],
      true,
      true,
    ],
    [
      'a point on an edge',
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 0],
      ],
      false,
      true,
    ],
    [
      'a way back over the last edge',
      [
        [0, 0],
        [2, 0],
        [1, 0],
      ],
      false,
      true,
    ],
    [
      'straight on',
      [
        [0, 0],
        [1, 0],
        [2, 0],
      ],
      false,
      false,
    ],
    [
      'the same point twice',
      [
        [0, 0],
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
      ],
      false,
      false,
    ],
    [
      'a line that ends where it began',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
      false,
      false,
    ],
    [
      'a ring that names its first point again',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
      true,
      false,
    ],
    [
      'a ring whose closing edge lies on its first',
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 0],
      ],
      true,
      true,
    ],
    ['one point', [[0, 0]], true, false],
    ['nothing', [], true, false],
  ])('%s', (_name, path, isClosed, expected) => {
    expect(hasCrossingEdges(path, isClosed)).toBe(expected)
  })

  it('never finds a crossing in a convex ring, wherever it starts', () => {
    const angles = fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 3, maxLength: 40 })
    fc.assert(
      fc.property(angles, fc.nat(), (degrees, start) => {
        const ring = degrees
          .toSorted((a, b) => a - b)
          .map((degree) => [Math.cos((degree * Math.PI) / 180), Math.sin((degree * Math.PI) / 180)])
        const turned = ring.map((_, index) => ring[(index + start) % ring.length] as number[])
        expect(hasCrossingEdges(turned, true)).toBe(false)
      }),
    )
  })
})
