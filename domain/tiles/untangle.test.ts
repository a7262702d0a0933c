import { union } from 'polyclip-ts'
import { expect, it } from 'vitest'
import { squareRing } from '#test/databases/feature-builders.ts'
import { tileRings } from './tile-geometry.ts'
import { UntanglingBudget, untangle } from './untangle.ts'

type Point = [x: number, y: number]

const bowTie: Point[][] = [
  [
    [0, 0],
    [10, 10],
    [10, 0],
    [0, 10],
    [0, 0],
  ],
]

function star(corners: number): Point[] {
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = (2 * Math.PI * index) / corners
    const radius = 0.02 * (1 + 0.2 * Math.sin(index * 7.1))
    return [-111.08 + radius * Math.cos(angle), 34.04 + radius * Math.sin(angle)]
  })
  return [...points, points[0] as Point]
}

function tileOfStar(z: number) {
  const sine = Math.asinh(Math.tan((34.04 * Math.PI) / 180))
  return {
    z,
    x: Math.floor(((-111.08 + 180) / 360) * 2 ** z),
    y: Math.floor(((1 - sine / Math.PI) / 2) * 2 ** z),
  }
}

// biome-ignore format: one line
const fatal: Point[] = [[25,23],[35,10],[9,30],[34,9],[5,27],[29,34],[3,14],[21,4],[0,34],[36,20],[27,12],[20,20],[27,1],[29,28],[9,32],[5,1],[3,11],[4,25],[30,1],[1,20],[21,15],[9,7],[12,11],[28,35],[16,19],[4,25],[34,27],[25,23],[12,9],[24,8],[25,23]]

it('splits a ring that crosses itself', () => {
  expect(untangle([bowTie], new UntanglingBudget())).toHaveLength(2)
})

it('returns undefined for polygons without crossing edges', () => {
  const square = squareRing(0, 0, 10) as Point[]
  expect(untangle([[square]], new UntanglingBudget())).toBeUndefined()
})

it.each([6, 8, 9, 10, 11, 12, 13, 14])('draws a star of 19,000 corners at zoom %i unchanged', (z) => {
  const budget = new UntanglingBudget()
  const tile = tileOfStar(z)
  const geometry = { type: 'Polygon' as const, coordinates: [star(19_000)] }
  expect(tileRings(tile, geometry, budget)).toHaveLength(1)
  expect(budget.parts).toBe(new UntanglingBudget().parts)
})

it.each([500, 900])('spends no more than the budget of a tile on 40 stars of %i corners', (corners) => {
  const budget = new UntanglingBudget()
  const geometry = { type: 'Polygon' as const, coordinates: [star(corners)] }
  for (let count = 0; count < 40; count++)
    expect(tileRings(tileOfStar(6), geometry, budget).length).toBeGreaterThan(0)
  expect(budget.parts).toBeGreaterThanOrEqual(0)
  expect(budget.parts).toBeLessThan(1_000)
})

it('compares no more edges than the budget of a tile allows', () => {
  const budget = new UntanglingBudget()
  const comb = Array.from({ length: 900 }, (_, index): Point => {
    const end = index % 2 === 0 ? 0 : 2_000
    return [index + end, end]
  })
  const ring: Point[] = [...comb, [3_000, 0], [0, 0]]
  for (let count = 0; count < 40; count++) untangle([[ring]], budget)
  expect(budget.pairs).toBe(0)
})

it('keeps a ring that the clipping library cannot process', () => {
  expect(() => union([fatal])).toThrow()
  expect(untangle([[fatal]], new UntanglingBudget())).toBeUndefined()
})
