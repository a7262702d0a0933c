import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meetingOf, orientation, type Segment } from './segments.ts'

it('orientation is exact, down to the last digit', () => {
  const steps = Array.from({ length: 32 }, (_, index) => 0.5 + index * 2 ** -53)
  // On the diagonal, the larger coordinate decides.
  const wrong = steps.flatMap((x) =>
    steps.filter((y) => orientation([x, y], [12, 12], [24, 24]) !== Math.sign(x - y) * -1 + 0),
  )
  expect(wrong).toEqual([])
})

it('orientation is 1 for left and -1 for right', () => {
  expect(orientation([0, 0], [1, 0], [0, 1])).toBe(1)
  expect(orientation([0, 0], [1, 0], [0, -1])).toBe(-1)
  expect(orientation([0, 0], [1, 0], [5, 0])).toBe(0)
})

describe('meetingOf', () => {
  const segment = (x1: number, y1: number, x2: number, y2: number): Segment => ({
    from: [x1, y1],
    to: [x2, y2],
  })

  it.each<[name: string, a: Segment, b: Segment, expected: ReturnType<typeof meetingOf>]>([
    ['an X', segment(0, 0, 2, 2), segment(0, 2, 2, 0), { how: 'cross', at: [1, 1] }],
    ['a T', segment(0, 0, 4, 0), segment(1, 0, 1, 3), { how: 'touch', at: [1, 0] }],
    ['a T, in the other order', segment(1, 0, 1, 3), segment(0, 0, 4, 0), { how: 'touch', at: [1, 0] }],
    ['a corner', segment(0, 0, 4, 0), segment(4, 0, 4, 4), { how: 'touch', at: [4, 0] }],
    ['straight on', segment(0, 0, 2, 0), segment(2, 0, 4, 0), { how: 'touch', at: [2, 0] }],
    ['the way back', segment(0, 0, 4, 0), segment(4, 0, 1, 0), { how: 'overlap', at: [4, 0] }],
    ['a piece of the other', segment(0, 0, 4, 4), segment(1, 1, 2, 2), { how: 'overlap', at: [1, 1] }],
    ['one line, apart', segment(0, 0, 1, 0), segment(2, 0, 3, 0), undefined],
    ['side by side', segment(0, 0, 4, 0), segment(0, 1, 4, 1), undefined],
    ['lines that meet beyond', segment(0, 0, 1, 0), segment(3, 1, 3, -1), undefined],
    ['a point beside the line', segment(1, 0, 1, 0), segment(0, 0, 4, 4), undefined],
    ['a point on the line', segment(1, 1, 1, 1), segment(0, 0, 4, 4), { how: 'touch', at: [1, 1] }],
  ])('%s', (_name, a, b, expected) => {
    expect(meetingOf(a, b)).toEqual(expected)
  })

  it('is the same for either segment first and either end first', () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
    const segments = fc.record({ from: point, to: point })
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        const how = meetingOf(a, b)?.how
        expect(meetingOf(b, a)?.how).toBe(how)
        expect(meetingOf({ from: a.to, to: a.from }, b)?.how).toBe(how)
      }),
    )
  })

  it('agrees with a search through all points of both', () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }))
    const segments = fc.record({ from: point, to: point })
    // On this grid, intersections are multiples of 1/840.
    const pointsOf = ({ from, to }: Segment) =>
      new Set(
        Array.from({ length: 841 }, (_, step) =>
          [from[0] * 840 + (to[0] - from[0]) * step, from[1] * 840 + (to[1] - from[1]) * step].join(),
        ),
      )
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        const ofB = pointsOf(b)
        const shared = [...pointsOf(a)].filter((at) => ofB.has(at)).length
        const how = meetingOf(a, b)?.how
        expect(how === undefined).toBe(shared === 0)
        expect(how === 'overlap').toBe(shared > 1)
      }),
    )
  })
})
