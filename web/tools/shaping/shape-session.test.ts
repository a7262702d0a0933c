import { expect, it } from 'vitest'
import { cornerKey } from '#domain/geometry/borders/corners.ts'
import { mergeShapes, splitShape } from '#domain/geometry/borders/divide-shapes.ts'
import { moveCorner } from '#domain/geometry/borders/edit-corners.ts'
import type { ShapeEdit } from '#domain/geometry/borders/shape-graph.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import type { ShapeDraft } from '#web/workspace/shaping.ts'
import {
  type LoadedShape,
  landChangeOf,
  newRecordOf,
  operationsOf,
  ShapeSession,
  savedWords,
  withMine,
  withTheirs,
} from './shape-session.ts'

const square = (x: number, y: number): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y + 1],
      [x, y],
    ],
  ],
})
const loaded = [
  { id: 'a', name: 'Lot A', version: 3, area: null, geometry: square(0, 0) },
  { id: 'b', name: 'Lot B', version: 5, area: null, geometry: square(1, 0) },
]
const empty: ShapeDraft = {
  kind: 'parcel',
  id: 'a',
  steps: [],
  done: 0,
  versions: {},
  added: {},
  record: null,
  isPaused: false,
}
const corner = cornerKey([1, 1])
const move = (draft: ShapeDraft, to: Position) => {
  const session = new ShapeSession(loaded, draft)
  return session.add(
    'Move',
    moveCorner(session.graph, session.graph.idsWith(corner).size ? corner : cornerKey(to), to),
  )
}

it('sends the net effect of all steps with the versions that were changed first', () => {
  const once = move(empty, [1.2, 1])
  const session = new ShapeSession(loaded, once)
  const twice = session.add('Move', moveCorner(session.graph, cornerKey([1.2, 1]), [1.3, 1]))
  expect(operationsOf(twice)).toMatchObject([
    {
      action: 'change',
      id: 'a',
      version: 3,
      change: {
        geometry: {
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1.3, 1],
              [0, 1],
              [0, 0],
            ],
          ],
        },
      },
    },
    { action: 'change', id: 'b', version: 5 },
  ])
})

it('sends nothing for steps that were undone, or that cancel each other out', () => {
  const moved = move(empty, [1.2, 1])
  expect(operationsOf({ ...moved, done: 0 })).toEqual([])
  const session = new ShapeSession(loaded, moved)
  const back = session.add('Move', moveCorner(session.graph, cornerKey([1.2, 1]), [1, 1]))
  expect(operationsOf(back)).toEqual([])
})

it('discards undone steps when another one follows', () => {
  const other = move({ ...move(empty, [1.2, 1]), done: 0 }, [1, 1.5])
  expect(other.steps).toHaveLength(1)
})

it('names shapes that someone else has changed since', () => {
  const moved = move(empty, [1.2, 1])
  const newer = loaded.map((shape) => (shape.id === 'b' ? { ...shape, version: 6 } : shape))
  const conflicts = new ShapeSession(newer, moved).conflicts(() => true)
  expect(conflicts).toMatchObject([{ before: { id: 'b' }, theirs: { id: 'b', version: 6 } }])
  const [conflict] = conflicts
  if (!conflict) return
  const mine = withMine(moved, conflict)
  expect(new ShapeSession(newer, mine).conflicts(() => true)).toEqual([])
  expect(operationsOf(mine)).toMatchObject([
    { id: 'a', version: 3 },
    { id: 'b', version: 6, change: { geometry: {} } },
  ])
  const theirs = withTheirs(moved, conflict)
  expect(new ShapeSession(newer, theirs).conflicts(() => true)).toEqual([])
  expect(operationsOf(theirs)).toMatchObject([{ id: 'a', version: 3 }])
  expect(theirs).toMatchObject({ done: 1, versions: { a: 3 } })
})

it('adds the pieces of a split, removes merged records, and names where they came from', () => {
  const session = new ShapeSession(loaded, empty)
  const { edit, pieces } = splitShape(session.graph, 'a', [
    [0.3, -1],
    [0.3, 2],
  ])
  const piece = { id: 'new', name: 'Lot A (2)', geometry: pieces[0] as Geometry }
  const whole: ShapeEdit = new Map([...edit, ['new', { before: null, after: piece }]])
  const split = session.add('Split', whole, {
    added: { new: { owner: 'Rosa' } },
    origins: [{ id: 'new', from: ['a'] }],
  })
  const next = new ShapeSession(loaded, split)
  const ids = ['a', 'b']
  const merged = next.add('Merge', mergeShapes(next.graph, ids), { origins: [{ id: 'a', from: ids }] })
  expect(operationsOf(merged).map(({ action }) => action)).toEqual(['remove', 'change', 'add'])
  // The recorded areas were those of the former lots.
  expect(operationsOf(merged)[1]).toMatchObject({ id: 'a', change: { area: null } })
  expect(operationsOf(merged)[2]).toMatchObject({
    feature: { id: 'new', kind: 'parcel', name: 'Lot A (2)', owner: 'Rosa' },
  })
  expect(landChangeOf(merged)).toEqual({
    record: null,
    origins: [
      { id: 'new', from: ['a'] },
      { id: 'a', from: ['a', 'b'] },
    ],
  })
  expect(landChangeOf(move(empty, [1.2, 1]))).toBeUndefined()
  expect(newRecordOf(merged)).toBeUndefined()
})

it('selects the last record that came from no other one', () => {
  const add = (draft: ShapeDraft, id: string) => {
    const after = { id, name: id, geometry: square(5, 5) }
    return new ShapeSession(loaded, draft).add('New', new Map([[id, { before: null, after }]]))
  }
  const added = add(add(move(empty, [1.2, 1]), 'one'), 'two')
  expect(newRecordOf(added)).toBe('two')
  expect(newRecordOf({ ...added, done: 2 })).toBe('one')
  expect(newRecordOf({ ...added, done: 1 })).toBeUndefined()
})

it('sends the values that a merge takes from other records, until it is undone', () => {
  const session = new ShapeSession(loaded, empty)
  const merge = (ids: [target: string, other: string], taken: object) =>
    session.add('Merge', mergeShapes(session.graph, ids), {
      origins: [{ id: ids[0], from: ids }],
      values: { [ids[0]]: { ...taken } },
    })
  const merged = merge(['a', 'b'], { owner: 'Rosa', taxInfo: { annualAmount: 5 } })
  expect(operationsOf(merged)).toMatchObject([
    { action: 'remove', id: 'b' },
    { action: 'change', id: 'a', change: { owner: 'Rosa', taxInfo: { annualAmount: 5 }, geometry: {} } },
  ])
  const again = new ShapeSession(loaded, { ...merged, done: 0 })
  const moved = again.add('Move', moveCorner(again.graph, corner, [1.2, 1]))
  expect(operationsOf(moved)[0]).toEqual({
    action: 'change',
    id: 'a',
    version: 3,
    change: { geometry: expect.anything() },
  })
  const [conflict] = new ShapeSession([{ ...loaded[0], version: 4 } as LoadedShape], merged).conflicts(
    () => false,
  )
  expect(conflict && withTheirs(merged, conflict).steps[0]?.values).toEqual({})
})

it('adds a record with the values that a merge takes from others', () => {
  const piece = { id: 'piece', name: 'Lot C', geometry: square(2, 0) }
  const added = { piece: { zoning: { type: 'R-1', restrictions: 'none' }, owner: 'Sam' } }
  const first = new ShapeSession(loaded, empty).add(
    'New lot',
    new Map([['piece', { before: null, after: piece }]]),
    { added, origins: [] },
  )
  const { graph } = new ShapeSession(loaded, first)
  const ids = ['piece', 'b']
  const merged = new ShapeSession(loaded, first).add('Merge', mergeShapes(graph, ids), {
    origins: [{ id: 'piece', from: ids }],
    values: { piece: { zoning: { type: 'R-2' } } },
  })
  expect(operationsOf(merged)[1]).toMatchObject({
    action: 'add',
    feature: { name: 'Lot C', owner: 'Sam', zoning: { type: 'R-2', restrictions: 'none' } },
  })
})

it('forgets versions of shapes whose changes were undone', () => {
  const undone = { ...move(empty, [1.2, 1]), done: 0 }
  const newer = loaded.map((shape) => (shape.id === 'b' ? { ...shape, version: 6 } : shape))
  const session = new ShapeSession(newer, undone)
  expect(session.conflicts(() => true)).toEqual([])
  const again = session.add('Move', moveCorner(session.graph, corner, [1.3, 1]))
  expect(new ShapeSession(newer, again).conflicts(() => true)).toEqual([])
  expect(operationsOf(again)).toMatchObject([
    { id: 'a', version: 3 },
    { id: 'b', version: 6 },
  ])
})

it('names changed shapes that were removed from the area in view', () => {
  const moved = move(empty, [1.2, 1])
  const session = new ShapeSession(loaded.slice(0, 1), moved)
  expect(session.conflicts(() => true)).toMatchObject([{ before: { id: 'b' }, theirs: null }])
  expect(session.conflicts(() => false)).toEqual([])
})

it('names saved merges, and the shapes of other changes', () => {
  const session = new ShapeSession(loaded, empty)
  const merged = session.add('Merge Lot A and Lot B', mergeShapes(session.graph, ['a', 'b']), {
    origins: [{ id: 'a', from: ['a', 'b'] }],
  })
  expect(savedWords(merged)).toBe('Merged Lot B into Lot A')
  expect(savedWords(move(empty, [1.2, 1]))).toBe('Saved the shapes of Lot A and Lot B')
})
