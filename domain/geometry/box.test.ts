import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, boxAround, GatheredBoxes, middleLng, partsOfBox, unwrapped, wrapped } from './box.ts'

const box = (west: number, east: number): Box => ({ west, south: -17, east, north: -16 })

describe('a box across the date line', () => {
  it('has two parts, a middle, and an east beyond 180 degrees for the engine', () => {
    expect(partsOfBox(box(179, -178))).toEqual([box(179, 180), box(-180, -178)])
    expect(middleLng(box(179, -178))).toBe(-179.5)
    expect(unwrapped(box(179, -178))).toEqual(box(179, 182))
  })

  it('is unchanged if it does not cross the date line', () => {
    expect(partsOfBox(box(-180, 180))).toEqual([box(-180, 180)])
    expect(middleLng(box(-111, -109))).toBe(-110)
    expect(unwrapped(box(-111, -109))).toEqual(box(-111, -109))
  })
})

it.each([
  [box(179, 182), box(179, -178)],
  [box(-182, -179), box(178, -179)],
  [box(-111, -109), box(-111, -109)],
  [box(249, 251), box(-111, -109)],
  [box(-200, 200), box(-180, 180)],
  [box(-180, 180), box(-180, 180)],
])('%o of a repeated world is %o of one', (seen, expected) => {
  expect(wrapped(seen)).toEqual(expected)
})

describe('the box around boxes', () => {
  it.each([
    [[box(179, 180), box(-180, -179)], box(179, -179)],
    [[box(-180, -179), box(170, 171), box(179, 180)], box(170, -179)],
    [[box(-111, -110), box(-112, -109)], box(-112, -109)],
    [[box(-5, 5), box(100, 101)], box(-5, 101)],
    [[box(-180, 180), box(1, 2)], box(-180, 180)],
  ])('of %o is %o', (boxes, expected) => {
    expect(boxAround(boxes)).toEqual(expected)
  })

  it('contains each of them, and is never wider than the one that does not cross', () => {
    const lng = fc.integer({ min: -180, max: 180 })
    const some = fc.tuple(lng, lng).map(([one, other]) => box(Math.min(one, other), Math.max(one, other)))
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 6 }), (boxes) => {
        const around = boxAround(boxes) as Box
        const parts = partsOfBox(around)
        for (const { west, east } of boxes)
          expect(parts.some((part) => part.west <= west && part.east >= east)).toBe(true)
        const { west, east } = unwrapped(around)
        const plain = Math.max(...boxes.map((one) => one.east)) - Math.min(...boxes.map((one) => one.west))
        expect(east - west).toBeLessThanOrEqual(plain)
      }),
    )
  })
})

describe('boxes that are added one by one', () => {
  const gather = (boxes: readonly Box[]) => {
    const gathered = new GatheredBoxes()
    for (const one of boxes) gathered.add(one)
    return gathered.around()
  }

  it('have a box around all of them, also across the date line', () => {
    const lots = Array.from({ length: 1_000 }, (_, at) => at / 1_000)
    expect(gather(lots.map((at) => box(-111 + at, -110.9 + at)))).toEqual({
      ...box(-111, 0),
      east: expect.closeTo(-109.901, 9),
    })
    expect(
      gather(lots.map((at) => (at < 0.5 ? box(179 + at, 179.5 + at) : box(-181 + at + 1, -179)))),
    ).toEqual(box(179, -179))
  })

  it('are all within the gathered box', () => {
    const lng = fc.integer({ min: -180, max: 180 })
    const some = fc.tuple(lng, lng).map(([one, other]) => box(Math.min(one, other), Math.max(one, other)))
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 9 }), (boxes) => {
        const parts = partsOfBox(gather(boxes) as Box)
        for (const { west, east } of boxes)
          expect(parts.some((part) => part.west <= west && part.east >= east)).toBe(true)
      }),
    )
  })
})

it('is null without boxes', () => {
  expect(boxAround([])).toBeNull()
  expect(new GatheredBoxes().around()).toBeNull()
})
