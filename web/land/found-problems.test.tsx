import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { boxOf, findProblemsInWindow } from '#domain/land-check/find-land-problems.ts'
import type { LandCheckAnswer } from '#domain/land-check/land-check.schema.ts'
import { parcel, squareAt } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { shapeDrafts } from '#web/workspace/shaping.ts'
import { FoundProblems } from './found-problems.tsx'

const page = preparePage()
const editorId = 'rosa'

beforeEach(() => page.signIn('administrator', { id: editorId, name: 'Rosa' }))

it('says which problems are fixed but not saved, until the fix is undone', async () => {
  const lots = [
    parcel({ id: 'a', name: 'Lot A', geometry: squareAt(0, 0, 40) }),
    parcel({ id: 'b', name: 'Lot B', geometry: squareAt(30, 0, 40) }),
  ]
  const mapId = await page.given(lots)
  const saved = (await Promise.all(lots.map(({ id }) => page.saved(mapId, id)))) as unknown as FeatureDetail[]
  const shapes = saved.map(({ id, geometry }) => ({ id, name: `Lot ${id.toUpperCase()}`, geometry }))
  const window = shapes.map(({ geometry }) => boxOf(geometry))
  const [one = [0, 0, 0, 0], other = one] = window
  // Corners on a border are problems as well.
  const found = findProblemsInWindow(shapes, [one[0], one[1], other[2], other[3]]).filter(
    (problem) => problem.class === 'overlap',
  )
  expect(found).toHaveLength(1)
  const problems = found.map(({ key, ids, size, class: name }) => ({
    ...{ class: name, key, ids, size, isCurrent: true },
    names: ids.map((id) => `Lot ${id.toUpperCase()}`),
    box: [one[0], one[1], other[2], other[3]],
  }))
  const check: LandCheckAnswer = {
    id: 'check',
    state: 'done',
    progress: 1,
    startedAt: '2026-11-29T00:00:00Z',
    finishedAt: '2026-11-29T00:00:01Z',
    isOutdated: false,
    failure: null,
    parcels: 2,
    counts: { overlap: 1 },
    problems,
    unchecked: [],
  }
  const [onShow, onEdit] = [vi.fn(), vi.fn()]
  await page.show(
    <FoundProblems mapId={mapId} editorId={editorId} check={check} onShow={onShow} onEdit={onEdit} />,
  )
  await page.press('button', /^Overlaps/)
  await page.press('button', 'Give to Lot A')
  const list = within(screen.getByRole('region', { name: 'Overlaps' }))
  await list.findByText('Fixed, but not saved yet')
  expect(list.queryByRole('button', { name: 'Give to Lot B' })).toBeNull()
  expect(onEdit).toHaveBeenCalledTimes(1)
  const drafts = shapeDrafts(editorId, mapId)
  const draft = drafts.get()
  if (!draft) throw new Error('There is no draft.')
  expect(draft.steps.flatMap(({ changes }) => changes.map(([id]) => id))).toEqual(['b'])
  act(() => drafts.set({ ...draft, done: 0 }))
  await list.findByRole('button', { name: 'Give to Lot B' })
  expect(list.queryByText('Fixed, but not saved yet')).toBeNull()
})
