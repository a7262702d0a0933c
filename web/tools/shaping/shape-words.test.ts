import { expect, it } from 'vitest'
import { cornerKey } from '#domain/geometry/borders/corners.ts'
import { insertCorner, moveCorner } from '#domain/geometry/borders/edit-corners.ts'
import { type ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { placeAt, squareAt } from '#test/databases/test-map.ts'
import { areaWords, nameOfPiece } from './shape-words.ts'

it.each([1, 30, 900])('tells the area during a drag as after it: %d m', (meters) => {
  const lot = { id: 'a', name: 'Lot 1', geometry: squareAt(0, 0, 200) }
  const [from, to] = [placeAt(100, 100), placeAt(100, 100 + meters)]
  const edit: ShapeEdit = moveCorner(new ShapeGraph([lot]), cornerKey([from.lng, from.lat]), [to.lng, to.lat])
  const words = areaWords(edit, 'a')
  expect(words).toMatch(/^Lot 1: 9\.86 to \d/)
  expect(areaWords(edit, 'a', true)).toBe(words)
})

it('tells that a shape with the same area has a new corner', () => {
  const lot = { id: 'a', name: 'Lot 1', geometry: squareAt(0, 0, 200) }
  const graph = new ShapeGraph([lot])
  const place = placeAt(0, -100)
  const edit = insertCorner(graph, [place.lng, place.lat])
  expect(areaWords(edit, 'a')).toMatch(/acres, as before, with 1 new corner$/)
})

it('numbers the pieces of a lot, also those of pieces', () => {
  const taken = new Set(['Lot 12', 'Lot 12 (2)'])
  expect(nameOfPiece('Lot 12', taken)).toBe('Lot 12 (3)')
  expect(nameOfPiece('Lot 12 (2)', taken)).toBe('Lot 12 (4)')
  expect(nameOfPiece('Tract (A)', taken)).toBe('Tract (A) (2)')
})
