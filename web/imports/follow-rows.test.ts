import { expect, it } from 'vitest'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import { extentOfRows, overlap } from './follow-rows.ts'

const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north })
const view = box(-112, 33, -111, 34)

it.each([
  ['rows inside the view', box(-111.6, 33.4, -111.5, 33.5), true],
  ['rows around the view', box(-120, 30, -100, 40), true],
  ['rows that reach into the view', box(-111.1, 33.9, -110, 35), true],
  ['rows east of the view', box(-110.9, 33.4, -110, 33.5), false],
  ['rows north of the view', box(-111.6, 34.1, -111.5, 35), false],
  ['rows across the date line, elsewhere', box(179, 33, -179, 34), false],
])('%s', (_what, rows, isInView) => {
  expect(overlap(rows, view)).toBe(isInView)
  expect(overlap(view, rows)).toBe(isInView)
})

it('sees rows across the date line from a view on either side of it', () => {
  expect(overlap(box(179, -18, -179, -17), box(-179.5, -18, -178, -17))).toBe(true)
  expect(overlap(box(179, -18, -179, -17), box(178, -18, 179.5, -17))).toBe(true)
})

it('follows the first rows, then the rows of the trial and of the import', () => {
  const [first, all] = [box(0, 0, 1, 1), box(0, 0, 2, 2)]
  const extentIn = (state: string) =>
    extentOfRows({ state, found: { extent: first }, outcome: { extent: all } } as unknown as ImportDraft)
  expect(['examined', 'tried', 'imported', 'undone', 'trying'].map(extentIn)).toEqual([
    first,
    all,
    all,
    null,
    null,
  ])
})
