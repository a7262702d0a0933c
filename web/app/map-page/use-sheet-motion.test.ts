import { expect, it } from 'vitest'
import { restAfter } from './use-sheet-motion.ts'

/** Of a screen 740 pixels high. */
const offsets = { full: 0, half: 258, peek: 528 }

it.each([
  ['nearest', 258 - 120, 0, 'half'],
  ['nearest', 258 - 140, 0, 'full'],
  ['nearest', 520, 0, 'peek'],
  ['next upwards', 258 - 60, -0.5, 'full'],
  ['next downwards', 40, 0.5, 'half'],
  ['next downwards', 258 + 40, 0.5, 'peek'],
  ['last', 528, 0.5, 'peek'],
  ['nearest after a slow drag', 258 - 60, -0.3, 'half'],
])('moves to the %s rest', (_, offset, speed, rest) => {
  expect(restAfter(offsets, offset, speed)).toBe(rest)
})
