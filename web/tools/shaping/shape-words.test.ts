import { expect, it } from 'vitest'
import { nameOfPiece } from './shape-words.ts'

it('numbers the pieces of a lot, also those of pieces', () => {
  const taken = new Set(['Lot 12', 'Lot 12 (2)'])
  expect(nameOfPiece('Lot 12', taken)).toBe('Lot 12 (3)')
  expect(nameOfPiece('Lot 12 (2)', taken)).toBe('Lot 12 (4)')
  expect(nameOfPiece('Tract (A)', taken)).toBe('Tract (A) (2)')
})
