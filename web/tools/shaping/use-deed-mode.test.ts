import { expect, it } from 'vitest'
import type { Call } from '#domain/deeds/call.ts'
import { drawTraverse } from '#domain/deeds/traverse.ts'
import { closed } from './use-deed-mode.tsx'

const side = (azimuthDegrees: number, lengthMeters: number): Call => ({
  kind: 'straight',
  azimuthDegrees,
  form: 'quadrant',
  lengthMeters,
  unit: 'm',
})

it.each([
  ['30 mm', 0.03, true],
  ['60 mm', 0.06, false],
])('ends a deed with a closing error of %s at its start if it is the same corner', (_, error, isSame) => {
  const calls = [side(0, 100), side(90, 100), side(180, 100), side(270, 100 - error)]
  const { corners } = closed(drawTraverse(calls, [-111, 34]))
  expect(corners).toHaveLength(5)
  expect(String(corners.at(-1)) === String(corners[0])).toBe(isSame)
})
