import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { LandRecord, Lineage } from '#domain/features/land-change.schema.ts'
import { lineageQuery } from '#web/api/features.api.ts'
import { landWords, RecordLineage } from './record-lineage.tsx'

afterEach(cleanup)

const [lot12, lot13, lot14] = [12, 13, 14].map((number) => ({ id: `l${number}`, name: `Lot ${number}` }))
const plat = { type: 'plat', number: '2026-14', date: null, fileId: null } as const
const stepOf = (features: unknown[], record: LandRecord | null = plat) =>
  ({ changeId: 'c', at: '2026-01-01T00:00:00Z', actor: 'Rosa', record, features }) as Lineage['cameFrom'][0]

/** The lines in the details of Lot 12. */
function linesOf(lineage: Partial<Lineage>) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(lineageQuery('oak-hills', 'l12').queryKey, {
    cameFrom: [],
    became: [],
    records: [],
    ...lineage,
  })
  render(
    <QueryClientProvider client={client}>
      <RecordLineage feature={{ id: 'l12', mapId: 'oak-hills', kind: 'parcel' }} />
    </QueryClientProvider>,
  )
  const section = screen.queryByRole('region', { name: 'Lineage' })
  return section && [...section.children].map(({ textContent }) => textContent)
}

it.each([
  [
    'a lot that was merged into it',
    { cameFrom: [stepOf([lot12, lot13])] },
    'Lot 13 was merged into this parcel by Plat 2026-14',
  ],
  [
    'lots that were merged into it',
    { cameFrom: [stepOf([lot12, lot13, lot14], null)] },
    'Lot 13 and Lot 14 were merged into this parcel',
  ],
  [
    'the lots of which it was made',
    { cameFrom: [stepOf([lot13, lot14])] },
    'Created from Lot 13 and Lot 14 by Plat 2026-14',
  ],
  [
    'a lot that was split from it',
    { became: [stepOf([lot13])] },
    'Part of this parcel became Lot 13 by Plat 2026-14',
  ],
  [
    'a split that lists the lot itself',
    { became: [stepOf([lot12, lot13], null)] },
    'Part of this parcel became Lot 13',
  ],
  ['a record without other lots', { records: [stepOf([])] }, 'Changed by Plat 2026-14'],
])('names %s', (_case, lineage, line) => {
  expect(linesOf(lineage)).toEqual([line])
})

it.each([
  ['merged Lot 13 into it', { cameFrom: [stepOf([lot12, lot13])] }],
  ['created it from Lot 13 and Lot 14', { cameFrom: [stepOf([lot13, lot14])] }],
  ['made Lot 13 from it', { became: [stepOf([lot13])] }],
  [null, { records: [stepOf([])] }],
])('the timeline says: %s', (words, lineage) => {
  expect(landWords({ cameFrom: [], became: [], records: [], ...lineage }, 'c', 'l12')).toBe(words)
})

it('links the file of a record', () => {
  linesOf({ records: [stepOf([], { ...plat, fileId: 'f1' })] })
  const link = screen.getByRole('link', { name: 'Plat 2026-14' })
  expect(link.getAttribute('href')).toBe('/api/maps/oak-hills/files/f1/original')
})

it('shows nothing of a merge as a result of the lot itself', () => {
  expect(linesOf({ became: [stepOf([lot12])] })).toBeNull()
})
