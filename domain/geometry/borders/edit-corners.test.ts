import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '../geometry.schema.ts'
import { measureAcres } from '../measure-acres.ts'
import { extentOfGeometry } from '../measure-geometry.ts'
import { metersBetween, scaleAt } from '../scale.ts'
import { cornerKey, roundPosition } from './corners.ts'
import { mergeShapes, splitShape } from './divide-shapes.ts'
import { deleteCorner, insertCorner, moveCorner } from './edit-corners.ts'
import { lineByArea, lineByDistance } from './line-by-area.ts'
import { cutHole, reshapeBorder, squareCorners } from './reshape-shapes.ts'
import { combineEdits, type ShapeEdit, ShapeGraph } from './shape-graph.ts'
import { snapCorner } from './snap-corner.ts'

// Lots of 0.001 degrees: 1 | 2 | 3 from west to east, 4 north of 1 and 2.

const u = 0.001
const at = (x: number, y: number) => roundPosition([x * u, y * u])
const area = (...corners: readonly (readonly [number, number])[]): Geometry => {
  const ring = corners.map(([x, y]) => at(x, y))
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as Position]] }
}
const lot = (id: string, geometry: Geometry) => ({ id, name: `Lot ${id}`, geometry })

const lots = () =>
  new ShapeGraph([
    lot('1', area([0, 0], [1, 0], [1, 1], [0, 1])),
    lot('2', area([1, 0], [2, 0], [2, 1], [1, 1])),
    lot('3', area([2, 0], [3, 0], [3, 1], [2, 1])),
    // Without a corner where lots 1 and 2 meet.
    lot('4', area([0, 1], [2, 1], [2, 2], [0, 2])),
  ])

const ringsOf = (edit: ShapeEdit, id: string) =>
  edit.get(id)?.after?.geometry.coordinates as Position[][] | undefined
const ringOf = (edit: ShapeEdit, id: string) => ringsOf(edit, id)?.[0]

it('moves a shared corner in all shapes that have it, and inserts it in an edge that it lies on', () => {
  const edit = moveCorner(lots(), cornerKey(at(1, 1)), at(1.2, 1.1))
  expect([...edit.keys()].sort()).toEqual(['1', '2', '4'])
  expect(ringOf(edit, '1')).toContainEqual(at(1.2, 1.1))
  expect(ringOf(edit, '4')).toEqual([at(0, 1), at(1.2, 1.1), at(2, 1), at(2, 2), at(0, 2), at(0, 1)])
})

it('moves a detached corner in one shape', () => {
  const edit = moveCorner(lots(), cornerKey(at(1, 1)), at(0.9, 0.9), { only: '1' })
  expect([...edit.keys()]).toEqual(['1'])
})

it('inserts a corner that is dropped on the edge of a neighbor there', () => {
  const graph = lots()
  graph.apply(moveCorner(graph, cornerKey(at(3, 0)), at(3, -1), { only: '3' }))
  const edit = moveCorner(graph, cornerKey(at(3, -1)), at(2, 0.5))
  expect(ringOf(edit, '2')).toContainEqual(at(2, 0.5))
})

describe('an edge that a hole and a part of others share', () => {
  const start = () =>
    new ShapeGraph([
      lot('ponds', {
        type: 'MultiPolygon',
        coordinates: [area([8, 8], [9, 8], [9, 9]), area([1, 1], [2, 1], [2, 2], [1, 2])].map(
          ({ coordinates }) => coordinates as Position[][],
        ),
      }),
      lot('park', {
        type: 'Polygon',
        coordinates: [
          [at(0, 0), at(3, 0), at(3, 3), at(0, 3), at(0, 0)],
          [at(1, 1), at(1, 2), at(2, 2), at(2, 1), at(1, 1)],
        ],
      }),
    ])
  const sharedRings = (graph: ShapeGraph) => [
    (graph.shape('ponds').geometry.coordinates as Position[][][])[1]?.[0],
    (graph.shape('park').geometry.coordinates as Position[][])[1],
  ]

  it('gets an inserted corner in all of them', () => {
    const graph = start()
    graph.apply(insertCorner(graph, at(1.5, 1)))
    for (const ring of sharedRings(graph)) {
      expect(ring).toHaveLength(6)
      expect(ring).toContainEqual(at(1.5, 1))
    }
  })

  it('loses a deleted corner in all of them', () => {
    const graph = start()
    graph.apply(insertCorner(graph, at(1.5, 1)))
    graph.apply(deleteCorner(graph, cornerKey(at(1.5, 1))))
    expect(sharedRings(graph)).toEqual(sharedRings(start()))
  })
})

it('rounds a corner once, and uses the same numbers in all shapes', () => {
  const third = [1 / 3e3, 1e-3] as Position
  const edit = insertCorner(lots(), third)
  const inserted = ['1', '4'].map((id) => ringOf(edit, id)?.find(([lng]) => lng > 0 && lng < u))
  expect(inserted[0]).toEqual([0.000333333, 0.001])
  expect(inserted[1]).toEqual(inserted[0])
})

it('uses the same numbers for a cut in both pieces and in neighbors with longer edges', () => {
  // The edge of lot b is twice as long as that of lot a, so that they round differently.
  const graph = new ShapeGraph([
    lot('a', area([0, 0], [1, 0], [1.3, 1], [0, 1])),
    lot('b', area([1, 0], [2, 0], [2, 2], [1.6, 2])),
  ])
  const { edit, pieces } = splitShape(graph, 'a', [at(-1, 0.3), at(3, 0.717)])
  const cutOf = (ring: readonly Position[] = []) =>
    ring.slice(1).filter(([x, y]) => x > 1.01 * u && x < 1.29 * u && y > 0.01 * u && y < 0.99 * u)
  const piece = cutOf((pieces as { coordinates: Position[][] }[])[0]?.coordinates[0])
  expect(piece).toHaveLength(1)
  expect(piece).toEqual(piece.map(roundPosition))
  for (const id of ['a', 'b']) expect(cutOf(ringOf(edit, id)), id).toEqual(piece)
})

it('treats corners that differ by less than the rounding as one', () => {
  const graph = lots()
  const apart: Geometry = area([2, 0], [3, 0], [3, 1], [2 + 1e-11, 1])
  graph.apply(new Map([['3', { before: graph.shape('3'), after: lot('3', apart) }]]))
  const edit = moveCorner(graph, cornerKey(at(2, 1)), at(2.1, 1.2))
  for (const id of ['2', '3', '4']) expect(ringOf(edit, id)).toContainEqual(at(2.1, 1.2))
})

it.each([1e-9, 3e-9, 3e-6])('moves only equal corners, not one %d degrees away', (difference) => {
  const graph = lots()
  const apart = area([2, 0], [3, 0], [3, 1], [2 + difference / u, 1])
  graph.apply(new Map([['3', { before: graph.shape('3'), after: lot('3', apart) }]]))
  const edit = moveCorner(graph, cornerKey(at(2, 1)), at(2.1, 1.2))
  expect([...edit.keys()].sort()).toEqual(['2', '4'])
  expect(ringOf(edit, '2')).toEqual([at(1, 0), at(2, 0), at(2.1, 1.2), at(1, 1), at(1, 0)])
})

it('deletes a corner from all shapes with that edge', () => {
  const graph = lots()
  graph.apply(insertCorner(graph, at(1, 0.5)))
  const edit = deleteCorner(graph, cornerKey(at(1, 0.5)))
  expect([...edit.keys()].sort()).toEqual(['1', '2'])
  expect(ringOf(edit, '1')).toEqual(lots().shape('1').geometry.coordinates[0])
})

it('refuses to delete a corner where borders meet, and the third corner of a ring', () => {
  expect(() => deleteCorner(lots(), cornerKey(at(1, 1)))).toThrow(/Borders meet/)
  const triangle = new ShapeGraph([lot('1', area([0, 0], [1, 0], [1, 1]))])
  expect(() => deleteCorner(triangle, cornerKey(at(1, 1)))).toThrow('Lot 1 needs at least 3 corners.')
})

it('refuses a change of more than 500 records', () => {
  const fan = Array.from({ length: 501 }, (_, index) =>
    lot(`${index}`, area([0, 0], [1, index], [1, index + 1])),
  )
  expect(() => moveCorner(new ShapeGraph(fan), cornerKey(at(0, 0)), at(0, -1))).toThrow(/501 records/)
})

it('reverts to the last digit', () => {
  const graph = lots()
  const before = [...graph.all()]
  const inserted = insertCorner(graph, at(0.4, 1))
  graph.apply(inserted)
  const moved = moveCorner(graph, cornerKey(at(0.4, 1)), at(0.41234567, 1.3))
  graph.apply(moved)
  graph.revert(combineEdits(inserted, moved))
  for (const shape of before) expect(graph.shape(shape.id)).toStrictEqual(shape)
})

it('merges lots along their borders, also past a corner that only one of them has', () => {
  const graph = lots()
  const edit = mergeShapes(graph, ['2', '1', '4'])
  expect(edit.get('1')?.after).toBeNull()
  expect(edit.get('4')?.after).toBeNull()
  const merged = edit.get('2')?.after?.geometry as Geometry
  expect(merged.type).toBe('Polygon')
  expect(merged.coordinates).toHaveLength(1)
  const sum = ['1', '2', '4'].reduce((all, id) => all + (measureAcres(graph.shape(id).geometry) ?? 0), 0)
  expect(measureAcres(merged)).toBeCloseTo(sum, 9)
  // The corner on the border with lot 3 stays.
  expect((merged.coordinates as Position[][])[0]).toContainEqual(at(2, 1))
})

it('leaves a hole where merged lots surround another', () => {
  const ring = [
    lot('1', area([0, 0], [3, 0], [3, 1], [2, 1], [1, 1], [0, 1])),
    lot('2', area([2, 1], [3, 1], [3, 3], [0, 3], [0, 1], [1, 1], [1, 2], [2, 2])),
  ]
  const merged = mergeShapes(new ShapeGraph(ring), ['1', '2']).get('1')?.after?.geometry
  expect(merged?.coordinates).toHaveLength(2)
})

it('refuses to merge lots that do not touch, only touch at a corner, or overlap', () => {
  const graph = new ShapeGraph([
    lot('1', area([0, 0], [1, 0], [1, 1], [0, 1])),
    lot('2', area([1, 1], [2, 1], [2, 2], [1, 2])),
    lot('3', area([0.5, 0.5], [1.5, 0.5], [1.5, 0.9], [0.5, 0.9])),
    lot('4', area([5, 0], [6, 0], [6, 1], [5, 1])),
    lot('5', area([6, 0.5], [7, 1.5], [7, 2.5])),
    lot('6', area([6, 0.5], [7, -1], [7, 0.5])),
  ])
  expect(() => mergeShapes(graph, ['1', '2'])).toThrow('Lot 1 and Lot 2 only touch at a corner.')
  expect(() => mergeShapes(graph, ['4', '5'])).toThrow('Lot 4 and Lot 5 only touch at a corner.')
  expect(() => mergeShapes(graph, ['6', '4'])).toThrow('Lot 6 and Lot 4 only touch at a corner.')
  expect(() => mergeShapes(graph, ['1', '4'])).toThrow('Lot 1 and Lot 4 do not touch.')
  expect(() => mergeShapes(graph, ['1', '2', '4'])).toThrow(/do not share a border with the others/)
  expect(() => mergeShapes(graph, ['1', '3'])).toThrow()
})

it('splits a lot, and inserts the new corners into its neighbors', () => {
  const graph = lots()
  const { edit, pieces } = splitShape(graph, '1', [at(0.3, -0.5), at(0.3, 1.5)])
  expect(pieces).toHaveLength(1)
  expect(pieces[0]?.coordinates).toEqual([[at(0, 0), at(0.3, 0), at(0.3, 1), at(0, 1), at(0, 0)]])
  expect(ringOf(edit, '1')).toHaveLength(5)
  expect(ringOf(edit, '4')).toContainEqual(at(0.3, 1))
})

it('splits around a hole, and ignores ends of the line inside', () => {
  const graph = new ShapeGraph([
    lot('park', {
      type: 'Polygon',
      coordinates: [
        [at(0, 0), at(3, 0), at(3, 3), at(0, 3), at(0, 0)],
        [at(1, 1), at(1, 2), at(2, 2), at(2, 1), at(1, 1)],
      ],
    }),
  ])
  const { edit, pieces } = splitShape(graph, 'park', [at(1.5, -1), at(1.5, 4)])
  expect(pieces).toHaveLength(1)
  expect(edit.get('park')?.after?.geometry.coordinates).toHaveLength(1)
  expect(() => splitShape(graph, 'park', [at(1.5, -1), at(1.5, 0.5)])).toThrow(/from one border to another/)
  expect(() => splitShape(graph, 'park', [at(-1, 0.5), at(4, 0.5), at(2.5, 0.8), at(2.5, 0.2)])).toThrow(
    /must not cross itself/,
  )
})

it.each([0, 45, 90, 200])('divides an area off the end in direction %d', (bearing) => {
  const graph = lots()
  const line = lineByArea(graph.shape('4').geometry, { acres: 2, bearing })
  const { edit, pieces } = splitShape(graph, '4', line)
  const acres = [edit.get('4')?.after?.geometry, ...pieces].map((one) => measureAcres(one as Geometry))
  expect(Math.min(...acres.map((one) => Math.abs((one ?? 0) - 2)))).toBeLessThan(1e-4)
})

it.each([0, 90, 180])('divides at a distance from the end in direction %d', (bearing) => {
  const graph = lots()
  const line = lineByDistance(graph.shape('4').geometry, { meters: 25, bearing })
  const { edit, pieces } = splitShape(graph, '4', line)
  const widths = [edit.get('4')?.after?.geometry, ...pieces].map((one) => {
    const { west, south, east, north } = extentOfGeometry(one as Geometry)
    const [from, to] =
      bearing === 90
        ? [
            [west, south],
            [east, south],
          ]
        : [
            [west, south],
            [west, north],
          ]
    return metersBetween(from as Position, to as Position, scaleAt(south))
  })
  expect(Math.min(...widths)).toBeCloseTo(25, 3)
  expect(() => lineByDistance(graph.shape('4').geometry, { meters: 1e5, bearing })).toThrow(/smaller than/)
})

it('snaps to corners first, then to edges, then to right angles', () => {
  const graph = lots()
  const corner = cornerKey(at(3, 1))
  const around = [
    [at(3, 0), at(2, 0)],
    [at(2, 1), at(2, 0)],
  ] as const
  const snap = (x: number, y: number) => snapCorner(graph, at(x, y), { reach: 0.1 * u, corner, around })
  expect(snap(2.05, 1.95)).toMatchObject({ kind: 'corner', to: at(2, 2), id: '4' })
  expect(snap(2.05, 1.5)).toMatchObject({ kind: 'edge', to: at(2, 1.5), id: '4' })
  expect(snap(3.04, 1.4)).toMatchObject({ kind: 'right angle', to: at(3, 1.4) })
  expect(snap(3.5, 1.5)).toBeNull()
})

it('reshapes a border with one neighbor in both', () => {
  const graph = lots()
  const edit = reshapeBorder(graph, '1', [at(1, 0.2), at(1.3, 0.5), at(1, 0.8)])
  expect([...edit.keys()].sort()).toEqual(['1', '2'])
  for (const id of ['1', '2']) expect(ringOf(edit, id)).toContainEqual(at(1.3, 0.5))
  const areas = (one: (id: string) => Geometry) => ['1', '2'].map((id) => measureAcres(one(id)) ?? 0)
  const [before, after] = [
    areas((id) => graph.shape(id).geometry),
    areas((id) => edit.get(id)?.after?.geometry as Geometry),
  ]
  expect(after[0]).toBeGreaterThan(before[0] as number)
  expect((after[0] as number) + (after[1] as number)).toBeCloseTo(
    (before[0] as number) + (before[1] as number),
    6,
  )
})

it('reshapes a border without neighbors, and refuses one with several', () => {
  const edit = reshapeBorder(lots(), '1', [at(0, 0.2), at(-0.5, 0.5), at(0, 0.8)])
  expect([...edit.keys()]).toEqual(['1'])
  expect(ringOf(edit, '1')).toHaveLength(8)
  expect(() => reshapeBorder(lots(), '4', [at(0.5, 1), at(1, 0.5), at(1.5, 1)])).toThrow(/Several records/)
})

it('squares corners, also in neighbors', () => {
  const graph = lots()
  graph.apply(moveCorner(graph, cornerKey(at(1, 1)), at(1.01, 1.02)))
  const edit = squareCorners(graph, '1')
  expect([...edit.keys()].sort()).toEqual(['1', '2', '4'])
  const ring = ringOf(edit, '1') as Position[]
  for (const [index, [x, y]] of ring.slice(1, -1).entries()) {
    const [[px, py], [nx, ny]] = [ring[index] as Position, ring[index + 2] as Position]
    const cosine =
      ((px - x) * (nx - x) + (py - y) * (ny - y)) / Math.hypot(px - x, py - y) / Math.hypot(nx - x, ny - y)
    expect(Math.abs(cosine)).toBeLessThan(1e-4)
  }
})

it('cuts a hole', () => {
  const edit = cutHole(lots(), '1', [at(0.2, 0.2), at(0.8, 0.2), at(0.5, 0.8)])
  expect(edit.get('1')?.after?.geometry.coordinates).toHaveLength(2)
})

it('inserts both ends of a cut into one edge of a neighbor', () => {
  const { edit } = splitShape(lots(), '4', [at(0.5, 0.5), at(1, 1.5), at(1.5, 0.5)])
  expect(ringOf(edit, '1')).toContainEqual([0.00075, 0.001])
  expect(ringOf(edit, '2')).toContainEqual([0.00125, 0.001])
  const wide = new ShapeGraph([
    lot('1', area([0, 0], [4, 0], [4, 1], [0, 1])),
    lot('2', area([0, 1], [4, 1], [4, 2], [0, 2])),
  ])
  expect(ringOf(splitShape(wide, '2', [at(1, 0), at(1, 1.5), at(3, 1.5), at(3, 0)]).edit, '1')).toHaveLength(
    7,
  )
})

it('keeps the corners of neighbors on edges beside a corner that moves or is deleted', () => {
  // Lots 1 and 2 meet at (1, 1), in the middle of the edge of lot 4.
  const edit = moveCorner(lots(), cornerKey(at(0, 1)), at(0, 1.4))
  expect([...edit.keys()].sort()).toEqual(['1', '4'])
  expect(ringOf(edit, '4')).toContainEqual(at(1, 1))
  expect(() => deleteCorner(lots(), cornerKey(at(2, 1)))).toThrow(/Borders meet/)
})

it('splits off an island by a closed line', () => {
  const ring = [at(0.2, 0.2), at(0.8, 0.2), at(0.8, 0.8), at(0.2, 0.8), at(0.2, 0.2)]
  const { edit, pieces } = splitShape(lots(), '1', ring)
  expect(ringsOf(edit, '1')).toHaveLength(2)
  expect(pieces).toHaveLength(1)
})

it('squares thousands of corners in a second', () => {
  const circle = Array.from({ length: 4_000 }, (_, index) => {
    const angle = (index / 4_000) * 2 * Math.PI
    return [Math.cos(angle), Math.sin(angle)] as const
  })
  const start = performance.now()
  squareCorners(new ShapeGraph([lot('round', area(...circle))]), 'round')
  expect(performance.now() - start).toBeLessThan(3_000)
})
