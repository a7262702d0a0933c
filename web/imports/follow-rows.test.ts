import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ImportDraft } from '#domain/imports/import-draft.schema.ts'
import { extentOfRows, overlap, useFollowRows } from './follow-rows.ts'

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

it('moves the map to rows out of view, and back to the land once their import is undone', () => {
  const [land, far] = [box(-111.5, 33.5, -111.4, 33.6), box(10, 50, 11, 51)]
  const onFollow = vi.fn()
  const { rerender } = renderHook(
    ({ state, seen }) => {
      const draft = { id: 'd', state, found: { extent: null }, outcome: { extent: far } }
      useFollowRows(draft as unknown as ImportDraft, { land, view: seen, onFollow })
    },
    { initialProps: { state: 'tried', seen: view } },
  )
  expect(onFollow.mock.calls).toEqual([[far]])
  rerender({ state: 'imported', seen: far })
  expect(onFollow).toHaveBeenCalledTimes(1)
  rerender({ state: 'undone', seen: far })
  expect(onFollow.mock.calls).toEqual([[far], [land]])
  rerender({ state: 'undone', seen: view })
  expect(onFollow).toHaveBeenCalledTimes(2)
})
