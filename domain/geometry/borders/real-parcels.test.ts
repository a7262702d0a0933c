import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasRealData, realDataFile } from '#test/imports/real-data-files.ts'
import { isLong, timeLimit } from '#test/random/how-much.ts'
import { seededRandom } from '#test/random/seeded-random.ts'
import type { Geometry, Position } from '../geometry.schema.ts'
import { cornerKey, pathsOf } from './corners.ts'
import { mergeShapes, splitShape } from './divide-shapes.ts'
import { deleteCorner, insertCorner, moveCorner } from './edit-corners.ts'
import { edgesOf, type Shape, type ShapeEdit, ShapeGraph, ShapeRefusal } from './shape-graph.ts'
import { planarArea } from './trace-areas.ts'

describe.runIf(hasRealData)('13,116 real parcels', () => {
  let parcels: Shape[]
  beforeAll(() => {
    const { features } = JSON.parse(
      readFileSync(realDataFile('parcels/cambridge-parcels-fy2014-joined.geojson'), 'utf8'),
    ) as { features: { geometry: Geometry }[] }
    parcels = features.map(({ geometry }, index) => ({ id: `${index}`, name: `Lot ${index}`, geometry }))
  })

  it(
    'keep their shared borders through random edits, and return to the last digit',
    () => {
      const graph = new ShapeGraph(parcels)
      const untouched = new Map(parcels.map(({ id, geometry }) => [id, JSON.stringify(geometry)]))
      const done: ShapeEdit[] = []
      let count = 0
      const { next } = seededRandom('real parcels')
      while (done.length < editCount && count++ < 3 * editCount) {
        const shapes = [...graph.all()]
        const shape = shapes[Math.floor(next() * shapes.length)] as Shape
        try {
          const edit = randomEdit(graph, shape, next, done)
          if (edit === null) continue
          const concerned = [...new Set([...around(graph, shape), ...edit.edit.keys()])]
          const [areaBefore, oneSidedBefore] = [areaOf(graph, concerned), oneSided(graph, concerned)]
          graph.apply(edit.edit)
          done.push(edit.edit)
          for (const id of edit.edit.keys()) untouched.delete(id)
          if (edit.keepsArea)
            expect(Math.abs(areaOf(graph, concerned) - areaBefore), edit.what).toBeLessThan(roundingArea)
          expect(
            edit.delta(oneSided(graph, [...concerned, ...edit.edit.keys()]) - oneSidedBefore),
            edit.what,
          ).toBe(true)
        } catch (error) {
          if (!(error instanceof ShapeRefusal)) throw error
        }
      }
      expect(done).toHaveLength(editCount)
      for (const [id, geometry] of untouched) expect(JSON.stringify(graph.shape(id).geometry)).toBe(geometry)
      for (const edit of done.toReversed()) graph.revert(edit)
      expect([...graph.all()].length).toBe(parcels.length)
      for (const { id, geometry } of parcels) expect(graph.shape(id).geometry).toStrictEqual(geometry)
    },
    timeLimit(60_000),
  )
})

const editCount = isLong ? 1_000 : 100

/** Square degrees: an edge of 0.005 degrees, moved by the rounding. */
const roundingArea = 5e-12

type Tried = {
  what: string
  edit: ShapeEdit
  keepsArea: boolean
  delta(difference: number): boolean
}

function randomEdit(
  graph: ShapeGraph,
  shape: Shape,
  next: () => number,
  done: readonly ShapeEdit[],
): Tried | null {
  const corners = pathsOf(shape.geometry).flatMap((path) => [...path.corners])
  const corner = corners[Math.floor(next() * corners.length)] as Position
  const of = (what: string, edit: ShapeEdit, rest: Partial<Tried> = {}): Tried => ({
    what,
    edit,
    keepsArea: true,
    delta: (difference) => difference === 0,
    ...rest,
  })
  const kind = next()
  if (kind < 0.35) {
    const to: Position = [corner[0] + (next() - 0.5) * 2e-6, corner[1] + (next() - 0.5) * 2e-6]
    return of('move', moveCorner(graph, cornerKey(corner), to), { keepsArea: false })
  }
  if (kind < 0.5) {
    const edges = edgesOf(shape)
    const { from, to } = edges[Math.floor(next() * edges.length)] as (typeof edges)[number]
    const share = 0.1 + next() * 0.8
    const place: Position = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    return of('insert', insertCorner(graph, place), {
      delta: (difference) => difference === 0 || difference === 1,
    })
  }
  if (kind < 0.6)
    return of('delete', deleteCorner(graph, cornerKey(corner)), {
      keepsArea: false,
      delta: (difference) => difference <= 0 && difference >= -1,
    })
  if (kind < 0.75) {
    const other = corners[Math.floor(next() * corners.length)] as Position
    const { edit, pieces } = splitShape(graph, shape.id, [corner, other])
    const added = pieces.map((geometry, index) => ({
      id: `${shape.id}-${done.length}-${index}`,
      name: 'piece',
      geometry,
    }))
    const all: ShapeEdit = new Map([
      ...edit,
      ...added.map((after) => [after.id, { before: null, after }] as const),
    ])
    return of('split', all, { delta: (difference) => difference >= 0 && difference <= 4 })
  }
  if (kind < 0.9) {
    const neighbor = [...graph.idsWith(cornerKey(corner))].find((id) => id !== shape.id)
    if (!neighbor) return null
    return of('merge', mergeShapes(graph, [shape.id, neighbor]), { delta: (difference) => difference <= 0 })
  }
  const last = done.at(-1)
  if (!last) return null
  return of(
    'undo',
    new Map([...last].map(([id, { before, after }]) => [id, { before: after, after: before }])),
    { keepsArea: false, delta: () => true },
  )
}

/** All that share a corner with the shape. */
function around(graph: ShapeGraph, { geometry }: Shape): Set<string> {
  const corners = pathsOf(geometry).flatMap((path) => [...path.corners])
  return new Set(corners.flatMap((corner) => [...graph.idsWith(cornerKey(corner))]))
}

const areaOf = (graph: ShapeGraph, ids: readonly string[]) =>
  [...new Set(ids)].reduce((sum, id) => sum + (graph.get(id) ? planarArea(graph.shape(id).geometry) : 0), 0)

/** Edges that only one of the shapes has. */
function oneSided(graph: ShapeGraph, ids: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const id of new Set(ids)) {
    const shape = graph.get(id)
    for (const { from, to } of shape ? edgesOf(shape) : []) {
      const key = [cornerKey(from), cornerKey(to)].sort().join(' to ')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts.values()].filter((count) => count === 1).length
}
