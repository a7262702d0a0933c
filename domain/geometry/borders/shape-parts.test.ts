import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '../geometry.schema.ts'
import { scaleAt } from '../scale.ts'
import { cornerKey } from './corners.ts'
import { type ShapeEdit, ShapeGraph } from './shape-graph.ts'
import { addPart, placeOf, removeHole, removePart, straightenAt, transformShape } from './shape-parts.ts'

const ring = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const box = (west: number, south: number, side: number, ...holes: Position[][]): Geometry => ({
  type: 'Polygon',
  coordinates: [ring(west, south, side), ...holes],
})
const graphOf = (geometry: Geometry, neighbor?: Geometry) =>
  new ShapeGraph([
    { id: 'a', name: 'Lot A', geometry },
    ...(neighbor ? [{ id: 'b', name: 'Lot B', geometry: neighbor }] : []),
  ])
const shapeAfter = (edit: ShapeEdit, id = 'a') => edit.get(id)?.after?.geometry as Geometry

describe('parts', () => {
  it('are added, found by their corners, and removed again', () => {
    const graph = graphOf(box(0, 0, 1))
    const edit = addPart(graph, 'a', ring(2, 0, 1).slice(0, -1))
    const both: Geometry = { type: 'MultiPolygon', coordinates: [[ring(0, 0, 1)], [ring(2, 0, 1)]] }
    expect(shapeAfter(edit)).toEqual(both)
    expect(placeOf(box(0, 0, 1), cornerKey([0, 0]))).toBeNull()
    expect(placeOf(both, cornerKey([3, 1]))).toBe('part')
    graph.apply(edit)
    const removal = removePart(graph, 'a', cornerKey([0, 0]))
    expect(shapeAfter(removal.edit)).toEqual(box(2, 0, 1))
    expect(removal.part).toEqual(box(0, 0, 1))
  })

  it('are refused if there is only one', () => {
    expect(() => removePart(graphOf(box(0, 0, 1)), 'a', cornerKey([0, 0]))).toThrow('no other part')
  })

  it('may be lines', () => {
    const lines: Geometry = {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 0],
          [3, 1],
        ],
      ],
    }
    const { edit } = removePart(graphOf(lines), 'a', cornerKey([2, 0]))
    expect(shapeAfter(edit)).toEqual({ type: 'LineString', coordinates: lines.coordinates[0] })
  })
})

it('removes the hole of a corner, and no other', () => {
  const holes = [ring(0.1, 0.1, 0.2), ring(0.6, 0.6, 0.2)]
  const graph = graphOf(box(0, 0, 1, ...holes))
  expect(placeOf(graph.shape('a').geometry, cornerKey([0.6, 0.6]))).toBe('hole')
  expect(shapeAfter(removeHole(graph, 'a', cornerKey([0.6, 0.6])))).toEqual(box(0, 0, 1, ring(0.1, 0.1, 0.2)))
  expect(() => removeHole(graph, 'a', cornerKey([0, 0]))).toThrow('no hole')
})

describe('a transformation', () => {
  const [perLng, perLat] = scaleAt(0)

  it('moves a shape without its neighbor', () => {
    const graph = graphOf(box(0, 0, 0.001), box(0.001, 0, 0.001))
    const edit = transformShape(graph, 'a', { east: 0.001 * perLng, north: 0, clockwise: 0 })
    expect([...edit.keys()]).toEqual(['a'])
    expect((shapeAfter(edit).coordinates as Position[][])[0]?.[0]?.[0]).toBeCloseTo(0.001, 8)
  })

  it('turns clockwise, around the middle', () => {
    const graph = graphOf({
      type: 'LineString',
      coordinates: [
        [0, -0.001],
        [0, 0.001],
      ],
    })
    const [from, to] = shapeAfter(transformShape(graph, 'a', { east: 0, north: 0, clockwise: 90 }))
      .coordinates as Position[]
    const half = (0.001 * perLat) / perLng
    expect(from?.[0]).toBeCloseTo(-half, 8)
    expect(to?.[0]).toBeCloseTo(half, 8)
    expect([from?.[1], to?.[1]]).toEqual([0, 0])
  })
})

describe('straightening', () => {
  const bent: Geometry = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [0.001, 0],
        [0.001, 0.001],
        [0.0005, 0.0012],
        [0, 0.001],
        [0, 0],
      ],
    ],
  }

  it('moves a corner onto the line between the corners beside it, in all shapes', () => {
    const neighbor: Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0.001],
          [0.0005, 0.0012],
          [0.001, 0.001],
          [0.0005, 0.003],
          [0, 0.001],
        ],
      ],
    }
    const edit = straightenAt(graphOf(bent, neighbor), 'a', cornerKey([0.0005, 0.0012]))
    for (const id of ['a', 'b']) expect(JSON.stringify(shapeAfter(edit, id))).toContain('[0.0005,0.001]')
  })

  it('is refused where a border turns', () => {
    expect(() => straightenAt(graphOf(bent), 'a', cornerKey([0, 0]))).toThrow('turns too much')
  })

  it('is refused at the end of a line', () => {
    const line: Geometry = {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    }
    expect(() => straightenAt(graphOf(line), 'a', cornerKey([0, 0]))).toThrow('between two others')
  })
})
