import { expect, it } from 'vitest'
import type { ShapesInBox } from '#domain/features/shapes.schema.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Box } from '#domain/geometry/segments.ts'
import { boxOf, findLandProblems } from './find-land-problems.ts'
import { type FixOptions, fixProblems } from './fix-problems.ts'
import type { LandProblem } from './land-problem.ts'

const u = 0.001
const lot = (west: number, east: number, south = 0): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west * u, south * u],
      [east * u, south * u],
      [east * u, (south + 1) * u],
      [west * u, (south + 1) * u],
      [west * u, south * u],
    ],
  ],
})
const shapesOf = (...geometries: Geometry[]): Shape[] =>
  geometries.map((geometry, index) => ({ id: 'abcdef'.charAt(index), name: `Lot ${index + 1}`, geometry }))

async function problemsOf(shapes: Shape[], name: LandProblem['class']) {
  const { problems } = await findLandProblems(shapes)
  return problems
    .filter((one) => one.class === name)
    .map(({ key, geometry, place }) => ({
      key,
      box: [...boxOf(geometry ?? { type: 'Point', coordinates: place })],
    }))
}

function loaderOf(shapes: Shape[]) {
  const loads: Box[] = []
  const meets = (one: Box, other: Box) =>
    one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]
  const load = async (box: Box): Promise<ShapesInBox['items']> => {
    loads.push(box)
    return shapes
      .filter(({ geometry }) => meets(boxOf(geometry), box))
      .map((shape) => ({ ...shape, version: 7, area: null }))
  }
  return { loads, load }
}

const fix = (
  shapes: Shape[],
  problems: Awaited<ReturnType<typeof problemsOf>>,
  options: Partial<FixOptions> = {},
) =>
  fixProblems(problems, { load: loaderOf(shapes).load, maxChanges: 500, pause: async () => {}, ...options })

const overlapping = () => shapesOf(lot(0, 1.2), lot(1, 2), lot(0, 1.3, 3), lot(1, 2, 3))

it('fixes problems in turn, as one change', async () => {
  const shapes = overlapping()
  const fixes = await fix(shapes, await problemsOf(shapes, 'overlap'))
  expect(fixes).toMatchObject({ fixed: { length: 2 }, gone: 0, left: 0, versions: { a: 7, c: 7 } })
  expect([...fixes.edit.keys()].sort()).toEqual(['a', 'c'])
  const after = shapes.map((shape) => fixes.edit.get(shape.id)?.after ?? shape)
  expect(await problemsOf(after, 'overlap')).toEqual([])
})

it('lets the chosen lot keep the common land', async () => {
  const shapes = overlapping()
  const [problem] = await problemsOf(shapes, 'overlap')
  const { edit } = await fix(shapes, problem ? [problem] : [], { keeper: 'c' })
  expect([...edit.keys()]).toEqual(['d'])
})

it('goes on from changes that are not saved', async () => {
  const shapes = shapesOf(lot(0, 1.2), lot(1, 2), lot(1.9, 3))
  const [first, second] = await problemsOf(shapes, 'overlap')
  if (!first || !second) throw new Error('the overlaps were not found')
  const start = (await fix(shapes, [first], { keeper: 'a' })).edit
  const again = await fix(shapes, [first, second], { start, keeper: 'c' })
  expect(again).toMatchObject({ fixed: { length: 1 }, gone: 1, versions: {} })
  expect(again.edit.get('b')?.before).toEqual(start.get('b')?.after)
})

it('loads the shapes around problems that are close together once', async () => {
  const shapes = shapesOf(lot(0, 1.2), lot(1, 2), lot(1.9, 3))
  const { load, loads } = loaderOf(shapes)
  expect(await fix(shapes, await problemsOf(shapes, 'overlap'), { load })).toMatchObject({
    fixed: { length: 2 },
  })
  expect(loads).toHaveLength(1)
})

it('skips problems that no longer exist', async () => {
  const problems = await problemsOf(overlapping(), 'overlap')
  const now = shapesOf(lot(0, 1), lot(1, 2))
  expect(await fix(now, problems)).toMatchObject({ fixed: { length: 0 }, gone: 2, edit: new Map() })
})

it('refuses where too many shapes meet', async () => {
  const shapes = overlapping()
  const problems = await problemsOf(shapes, 'overlap')
  const { refused } = await fix(shapes, problems, { load: async () => null })
  expect([...refused.keys()]).toEqual(problems.map(({ key }) => key))
})

it('leaves problems that would exceed the number of changes', async () => {
  const shapes = overlapping()
  expect(await fix(shapes, await problemsOf(shapes, 'overlap'), { maxChanges: 1 })).toMatchObject({
    fixed: { length: 1 },
    left: 1,
  })
})
