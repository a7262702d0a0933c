import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import type { ShapeDraft } from '#web/workspace/shaping.ts'
import { MergeDialog } from './merge-dialog.tsx'

afterEach(cleanup)

const geometry: Geometry = { type: 'Polygon', coordinates: [] }
const parcel = { kind: 'parcel', referenceNames: {}, owner: 'Rosa Ortiz', buildings: 4, description: '' }
const saved = {
  l12: { ...parcel, purchaseDate: '2020-02-29', area: 2, taxInfo: { annualAmount: 1234, lastPaid: null } },
  l13: { ...parcel, purchaseDate: null, area: 3, taxInfo: { annualAmount: 50, lastPaid: '2026-01-15' } },
}
const draft: ShapeDraft = {
  kind: 'parcel',
  id: 'l12',
  steps: [],
  done: 0,
  versions: {},
  added: { piece: { owner: 'Sam Lee', buildings: 4, zoning: { type: 'R-1' } } },
  record: null,
  isPaused: false,
}

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(customFieldsQuery('oak').queryKey, { version: 1, fields: noCustomFields } as never)
  for (const [id, detail] of Object.entries(saved))
    client.setQueryData(featureDetailQuery('oak', id).queryKey, { ...detail, id } as never)
  const onMerge = vi.fn<(targetId: string, taken: FeatureChange) => void>()
  const shapes = [
    { id: 'l12', name: 'Lot 12', geometry },
    { id: 'l13', name: 'Lot 13', geometry },
    { id: 'piece', name: 'Lot 14 (2)', geometry },
  ]
  render(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MergeDialog mapId="oak" shapes={shapes} draft={draft} isOpen onClose={() => {}} onMerge={onMerge} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return onMerge
}
const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name, hidden: true }))
const cells = () =>
  Object.fromEntries(
    [...document.querySelectorAll('tbody tr')].map((row) => {
      const [label, ...texts] = [...row.children].map(({ textContent }) => textContent)
      return [label, texts]
    }),
  )
const merge = () => fireEvent.click(screen.getByRole('button', { name: 'Merge', hidden: true }))

it('shows values as the details do, except the area, which is measured', () => {
  open()
  expect(cells()).toMatchObject({
    Owner: ['Rosa Ortiz', 'Rosa Ortiz', 'Sam Lee'],
    Purchased: ['Feb 29, 2020', '–', '–'],
    'Annual tax': ['$1,234', '$50', '–'],
    Zoning: ['–', '–', 'R-1'],
  })
  // Without a choice.
  expect(cells()).toMatchObject({ Buildings: ['4 (same in all)'] })
  expect(cells()).not.toHaveProperty('Area')
  expect(cells()).not.toHaveProperty('Description')
})

it('keeps the values of the first record, and fills its empty fields from others', () => {
  const onMerge = open()
  merge()
  // Not the day of a payment for other land.
  expect(onMerge).toHaveBeenCalledWith('l12', { zoning: { type: 'R-1' } })
})

it('takes single values from other records', () => {
  const onMerge = open()
  choose('All from Lot 13')
  choose('Name of Lot 12')
  choose('Annual tax of Lot 12')
  choose('Tax last paid of Lot 14 (2)')
  choose('Zoning of Lot 14 (2)')
  choose('Owner of Lot 14 (2)')
  choose('Owner of Lot 13')
  merge()
  const filled = { purchaseDate: '2020-02-29', zoning: { type: 'R-1' } }
  const taken = { ...filled, name: 'Lot 12', taxInfo: { annualAmount: 1234, lastPaid: null } }
  expect(onMerge).toHaveBeenCalledWith('l13', taken)
  choose('All from Lot 13')
  merge()
  expect(onMerge).toHaveBeenLastCalledWith('l13', filled)
})
