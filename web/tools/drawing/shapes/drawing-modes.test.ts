import type { Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { pathRule } from './drawing-modes.ts'

const crossing = [
  [0, 0],
  [2, 0],
  [1, 1],
  [1, -1],
]
const project = (lng: number, lat: number) => ({ x: lng * 100, y: lat * 100 })

function check(mayCross: boolean, updateType: 'commit' | 'provisional' | 'finish', coordinates: Position[]) {
  let refusals = 0
  const rule = pathRule('polyline', { mayCross, onCrossing: () => refusals++ })
  const feature = {
    type: 'Feature',
    properties: {},
    geometry: { type: 'LineString', coordinates },
  } as const
  return { isValid: rule(feature, { updateType, project }).valid, refusals }
}

describe('pathRule', () => {
  it.each([
    [false, 'commit', { isValid: false, refusals: 1 }],
    [false, 'finish', { isValid: false, refusals: 1 }],
    // The pointer may cross an edge; only a placed point counts.
    [false, 'provisional', { isValid: true, refusals: 0 }],
    [true, 'commit', { isValid: true, refusals: 0 }],
    [true, 'finish', { isValid: true, refusals: 0 }],
  ] as const)('with crossing allowed: %s, at %s: %j', (mayCross, updateType, expected) => {
    expect(check(mayCross, updateType, crossing)).toEqual(expected)
  })

  it.each([
    [1, false],
    [2, true],
  ])('a polyline of %i point finishes: %s', (count, isValid) => {
    expect(check(false, 'finish', crossing.slice(0, count)).isValid).toBe(isValid)
  })
})
