import { expect, it } from 'vitest'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { TouchGraph } from './find-polygon-problem.ts'

const square: Position[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
]
const segments = square.slice(1).map((to, index) => ({ from: square[index] as Position, to }))

it('returns one point of each stretch between touches: a free vertex, or the middle of an edge', () => {
  const touches = new TouchGraph()
  expect(touches.chainStarts(0, segments)).toEqual([[0, 0]])
  touches.add(0, 1, [0, 0], false)
  expect(touches.chainStarts(0, segments)).toEqual([[4, 0]])
  touches.add(0, 1, [4, 0], false)
  expect(touches.chainStarts(0, segments)).toEqual([
    [2, 0],
    [4, 4],
  ])
})

it('detects touches that close a loop, but not repeated touches', () => {
  const touches = new TouchGraph()
  expect(touches.add(0, 1, [0, 0], true)).toBe(false)
  expect(touches.add(1, 0, [0, 0], true)).toBe(false)
  expect(touches.add(1, 2, [1, 1], true)).toBe(false)
  expect(touches.add(0, 2, [2, 2], true)).toBe(true)
})
