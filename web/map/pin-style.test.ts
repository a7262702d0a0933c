import { expect, it } from 'vitest'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { darkGround, luminance, pinColors } from './pin-style.ts'

const contrast = (one: string, other: string) => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

it.each(incidentTypes)('draws a resolved %s pin on dark maps legibly, without white', (type) => {
  const { fill, stroke, glyph } = pinColors(type, true, true)
  expect(fill).toBe(darkGround)
  expect(glyph).toBe(stroke)
  expect(contrast(stroke, darkGround)).toBeGreaterThan(3)
  expect(contrast(stroke, darkGround)).toBeLessThan(contrast('#ffffff', darkGround) / 2)
})

it('draws a resolved pin on light maps in white with the color of its type', () => {
  expect(pinColors('fire', true, false)).toEqual({ fill: '#ffffff', stroke: '#d92d20', glyph: '#d92d20' })
})
