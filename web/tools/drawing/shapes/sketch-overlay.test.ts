import { expect, it } from 'vitest'
import { guidelineBetween } from './sketch-overlay.tsx'

it('a guideline reaches from the last point to the pointer', () => {
  expect(guidelineBetween({ x: 0, y: 0 }, { x: 300, y: 400 })).toEqual({
    from: { x: 0, y: 0 },
    to: { x: 300, y: 400 },
  })
})

it('a guideline has at most 4000 pixels and ends at the pointer', () => {
  expect(guidelineBetween({ x: -3_000, y: 0 }, { x: 2_000, y: 0 })).toEqual({
    from: { x: -2_000, y: 0 },
    to: { x: 2_000, y: 0 },
  })
})

it('a guideline may have no length', () => {
  expect(guidelineBetween({ x: 5, y: 5 }, { x: 5, y: 5 })).toEqual({
    from: { x: 5, y: 5 },
    to: { x: 5, y: 5 },
  })
})
