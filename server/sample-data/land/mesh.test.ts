import { expect, test } from 'vitest'
import { cutBlocks, meshOf, piecesInRing, pointsOfFace, splitFace } from './mesh.ts'
import { type Point, ringArea } from './plane.ts'

const square: Point[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
]

test('a cut gives two faces with the area of the one', () => {
  const mesh = meshOf(square)
  cutBlocks(
    mesh,
    [
      [-10, 30],
      [60, 50],
      [110, 40],
    ],
    { snapMeters: 1 },
  )
  expect(mesh.faces).toHaveLength(2)
  const areas = mesh.faces.map((face) => ringArea(pointsOfFace(mesh, face)))
  expect(Math.min(...areas)).toBeGreaterThan(0)
  expect((areas[0] ?? 0) + (areas[1] ?? 0)).toBeCloseTo(10_000, 6)
})

test('a cut that ends on a neighbour gives the neighbour the same vertex', () => {
  const mesh = meshOf(square)
  cutBlocks(
    mesh,
    [
      [-10, 50],
      [110, 50],
    ],
    { snapMeters: 1 },
  )
  const upper = mesh.faces.find((face) => pointsOfFace(mesh, face).some(([, y]) => y > 50))
  if (!upper) throw new Error('There is no upper half')
  const lower = mesh.faces.find((face) => face !== upper)
  expect(
    splitFace(
      mesh,
      upper,
      [
        [40, 50],
        [40, 100],
      ],
      { snapMeters: 1 },
    ),
  ).toBe(true)
  expect(lower && pointsOfFace(mesh, lower)).toContainEqual([40, 50])
})

test('ends near a vertex take the vertex, and a part below the least area is refused', () => {
  const mesh = meshOf(square)
  const [face] = mesh.faces
  if (!face) throw new Error('There is no face')
  expect(
    splitFace(
      mesh,
      face,
      [
        [3, 0],
        [0, 3],
      ],
      { snapMeters: 1, minAreaSquareMeters: 10 },
    ),
  ).toBe(false)
  expect(mesh.faces).toHaveLength(1)
  expect(
    splitFace(
      mesh,
      face,
      [
        [3, 0],
        [98, 100],
      ],
      { snapMeters: 5 },
    ),
  ).toBe(true)
  expect(mesh.faces.map((part) => ringArea(pointsOfFace(mesh, part)))).toEqual([5_000, 5_000])
})

test('a line that only passes by is cut into nothing', () => {
  expect(
    piecesInRing(
      [
        [-10, 120],
        [110, 120],
      ],
      square,
      false,
    ),
  ).toEqual([])
  expect(
    piecesInRing(
      [
        [50, 50],
        [150, 50],
      ],
      square,
      true,
    ),
  ).toEqual([
    [
      [50, 50],
      [100, 50],
    ],
  ])
  expect(
    piecesInRing(
      [
        [50, 50],
        [150, 50],
      ],
      square,
      false,
    ),
  ).toEqual([])
})
