import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { aGeneralFeature } from '#test/databases/feature-builders.ts'
import {
  applyConfiguration,
  asset,
  incident,
  origin,
  parcel,
  pointAt,
  squareAt,
} from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { showValue } from '#web/features/feature-facts.tsx'
import { WhatIsHere } from '#web/workspace/what-is-here.tsx'

const page = preparePage()

function fact(label: string): HTMLElement {
  const term = within(page.details()).getByText(label, { selector: 'dt > span' })
  return term.parentElement?.nextElementSibling as HTMLElement
}
const datesOf = (label: string) => fact(label).querySelector('time')?.dateTime
const hasFact = (label: string, text: string) => waitFor(() => expect(fact(label).textContent).toBe(text))

describe('details', () => {
  const burn = incident({
    id: 'burn-1',
    title: 'Brush fire behind the barn',
    description: 'Put out by the neighbours.\nNobody was hurt.',
    type: 'fire',
    severity: 'high',
    date: '2026-03-01T18:30:00Z',
    parcelId: 'lot-1',
    reportedBy: 'Ada Moreno',
    resolved: true,
    resolvedDate: '2026-03-02T09:00:00Z',
  })
  const dates = ['2025-11-03', '2024-10-01', '2023-09-15', '2020-01-20', '2016-06-30']
  const well = asset({
    id: 'well-1',
    name: 'North well',
    type: 'water',
    status: 'maintenance',
    parcelId: 'lot-1',
    installDate: '2009-05-04',
    lastMaintenance: '2025-11-03',
    maintenancePlan: { task: 'Pump test', everyMonths: 3, month: null, firstDue: null },
    maintenanceHistory: dates.map((date) => ({ date, description: `Visit of ${date}` })),
    metadata: [
      { name: 'Depth', value: 120 },
      { name: 'Fenced', value: true },
      { name: 'Maker', value: '' },
    ],
    geometry: pointAt(-900, -600),
  })
  const lot = parcel({
    id: 'lot-1',
    name: 'Lot 1',
    owner: 'Ira Whitfield',
    area: 12.34,
    buildings: 2,
    purchaseDate: '2011-08-09',
    zoning: { type: 'Residential', restrictions: 'No commercial use' },
    taxInfo: { annualAmount: 1845, lastPaid: '2025-12-10' },
    geometry: squareAt(0, 0, 300),
  })
  const open = async (select: string) => {
    const mapId = await page.given([burn, well, lot])
    const settings = { showPersonalData: true, publicMetadata: ['Depth', 'Fenced', 'Maker'] }
    await applyConfiguration(page.server.database, mapId, settings)
    await page.open(`/map/${mapId}?select=${select}`)
  }

  it('opened from a found incident keep the list with the search', async () => {
    const mapId = await page.given([burn, well, lot])
    await page.open(`/map/${mapId}?text=barn&select=burn-1`)
    await page.press('button', 'Lot 1')
    await page.hasDetailsOf('Lot 1')
    expect(page.search()).toMatchObject({ select: 'lot-1', text: 'barn' })
    expect(page.search()).not.toHaveProperty('tab')
    expect(screen.getByRole('tab', { selected: true }).textContent).toMatch(/^Incidents/)
  })

  it('show the fields of an incident', async () => {
    await open('burn-1')
    await page.hasDetailsOf('Brush fire behind the barn')
    await hasFact('Status', 'Resolved')
    await hasFact('Severity', 'High')
    await hasFact('Type', 'Fire')
    await hasFact('Reported by', 'Ada Moreno')
    await hasFact('Parcel', 'Lot 1')
    expect(datesOf('Date')).toBe('2026-03-01T18:30:00.000Z')
    expect(datesOf('Resolved')).toMatch(/^2026-03-02T09:00:00/)
    expect(page.details().textContent).toMatch(/Incident · Fire.*Nobody was hurt\./s)
    for (const label of ['ID', 'Location']) expect(within(page.details()).queryByText(label)).toBeNull()
    await page.press('button', 'Close details')
    await waitFor(() => expect(page.search()).toEqual({}))
  })

  it('show the fields of an asset with three maintenance entries, and lead to its parcel', async () => {
    await open('well-1')
    await page.hasDetailsOf('North well')
    await hasFact('Status', 'Maintenance')
    await hasFact('Type', 'Water')
    await hasFact('Depth', '120')
    await hasFact('Fenced', 'Yes')
    expect(datesOf('Installed')).toBe('2009-05-04')
    expect(datesOf('Last maintenance')).toBe('2025-11-03')
    const entries = within(fact('Maintenance history')).getAllByRole('listitem')
    expect(entries.map(({ textContent }) => textContent)).toEqual(
      dates.slice(0, 3).map((date) => expect.stringMatching(`Visit of ${date}$`)),
    )
    await page.user.click(within(fact('Parcel')).getByRole('button', { name: 'Lot 1' }))
    await page.hasDetailsOf('Lot 1')
    expect(screen.getByRole('tab', { name: /^Parcels/ }).getAttribute('aria-selected')).toBe('true')
    await hasFact('Owner', 'Ira Whitfield')
    await hasFact('Area', '12.3 acres (4.99 ha)')
    await hasFact('Buildings', '2')
    await hasFact('Zoning', 'Residential')
    await hasFact('Restrictions', 'No commercial use')
    await hasFact('Annual tax', '$1,845')
    await hasFact('Boundary', '4 corners')
    expect([datesOf('Purchased'), datesOf('Tax last paid')]).toEqual(['2011-08-09', '2025-12-10'])
    await page.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Details' })).toBeNull())
  })

  it('show staff the id, the place, and marks of what the public does not see', async () => {
    const hasLabels = (...expected: string[]) =>
      waitFor(() => {
        const terms = [...page.details().querySelectorAll('dl > div > dt')]
        expect(terms.map(({ textContent }) => textContent)).toEqual(expected)
      })
    await page.signIn()
    await open('burn-1')
    await hasLabels(
      ...['Status', 'Severity', 'Type', 'Date', 'Resolved', 'Reported by', 'Parcel', 'Location', 'ID'],
    )
    await open('well-1')
    // Staff see maintenance in a part of its own.
    await hasLabels(
      ...['Status', 'Type', 'Installed', 'Last maintenance', 'Parcel', 'Location', 'ID', 'Depth', 'Fenced'],
    )
    const untitled = incident({ id: 'i1', title: '', parcelId: 'gone' })
    const mapId = await page.given([untitled, aGeneralFeature({ id: 'sign' })])
    await page.open(`/map/${mapId}?select=sign`)
    await hasLabels('Status', 'Feature type', 'Location', 'ID')
    await page.open(`/map/${mapId}?select=i1`)
    await page.hasDetailsOf('Untitled')
    await hasLabels(
      ...['Status', 'Severity', 'Type', 'Date', 'Reported bystaff only', 'Parcel', 'Location', 'ID'],
    )
    await hasFact('Parcel', 'No longer on the map')
    await hasFact('ID', 'i1')
  })

  it('link web addresses only', () => {
    const link = { label: 'Manual', value: { type: 'link' } } as const
    expect(showValue(link, 'javascript:alert(1)', { name: null, onSelect: null })).toBe('javascript:alert(1)')
  })

  it('show markup as text, as does the list at one place', async () => {
    const attack = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>'
    const history = [{ date: '2025-01-01', description: attack }]
    const mapId = await page.given(
      [
        incident({
          ...{ id: 'i1', title: attack, description: attack, reportedBy: attack },
          metadata: [{ name: attack, value: attack }],
        }),
        asset({ id: 'a1', name: attack, description: attack, maintenanceHistory: history }),
        parcel({ id: 'p1', name: attack, owner: attack, zoning: { type: attack, restrictions: attack } }),
      ],
      { name: attack, location: attack },
    )
    const settings = { showPersonalData: true, publicMetadata: [attack] }
    await applyConfiguration(page.server.database, mapId, settings)
    for (const [select, label] of [
      ['i1', attack],
      ['a1', 'Maintenance history'],
      ['p1', 'Restrictions'],
    ] as const) {
      await page.open(`/map/${mapId}?select=${select}`)
      await page.hasDetailsOf(attack)
      await waitFor(() => expect(fact(label).textContent).toContain(attack))
      await page.row(attack)
      expect(document.querySelectorAll('img, [data-app] script')).toHaveLength(0)
      expect(document.title).toBe(`${attack} – POA Land Management`)
    }
    const hit = {
      shape: 'point',
      type: null,
      status: null,
      severity: null,
      count: 1,
      isDimmed: false,
    } as const
    const hits = (['incident', 'asset', 'parcel'] as const).map((kind) => ({
      ...hit,
      kind,
      id: `${kind[0]}1`,
    }))
    const click = { hits, lngLat: origin, point: { x: 0, y: 0 }, isDataLoaded: true }
    const ignore = () => {}
    await page.show(
      <WhatIsHere
        mapId={mapId}
        click={click}
        isChooser={false}
        filter={{}}
        onSelect={ignore}
        onAdd={ignore}
        onReport={ignore}
        onClose={ignore}
      />,
    )
    await waitFor(() => expect(screen.getAllByText(attack)).toHaveLength(3))
    expect(document.querySelectorAll('img, [data-app] script')).toHaveLength(0)
  })
})

describe('the status', () => {
  const features = [incident({ id: 'i1', title: 'Smoke' }), asset({ id: 'a1', name: 'Old well' })]
  let mapId: string
  beforeEach(async () => {
    mapId = await page.given(features)
  })
  const open = async (select: string) => {
    await page.open(`/map/${mapId}?select=${select}`)
    await page.hasDetailsOf(select === 'i1' ? 'Smoke' : 'Old well')
  }

  it('is changed by staff in the details', async () => {
    await page.signIn()
    await open('i1')
    await page.press('button', 'Resolve Smoke')
    await hasFact('Status', 'Resolved')
    await page.press('button', 'Reopen Smoke')
    await hasFact('Status', 'Unresolved')
    await page.user.click(screen.getByRole('tab', { name: /^Assets/ }))
    await page.user.click(await page.row('Old well'))
    await page.choose('Status of Old well', 'Offline')
    await page.undo('‘Old well’: offline')
    await page.alert('‘Old well’: operational')
    await page.choose('Status of Old well', 'Maintenance')
    await page.alert('‘Old well’: maintenance')
    await page.reload()
    await hasFact('Status', 'Maintenance')
  })

  it('is saved again if it is changed while it is being saved', async () => {
    await page.signIn()
    await open('i1')
    const released = Promise.withResolvers<void>()
    page.answer(/features\/i1\/status/, (ask) => released.promise.then(ask))
    await page.press('button', 'Resolve Smoke')
    await page.press('button', 'Reopen Smoke')
    released.resolve()
    await page.alert('‘Smoke’: unresolved')
    await hasFact('Status', 'Unresolved')
    expect(await page.saved(mapId, 'i1')).toMatchObject({ resolved: false, version: 3 })
  })

  it('returns to the saved one without a connection', async () => {
    await page.signIn()
    await open('a1')
    const field = await screen.findByLabelText<HTMLSelectElement>('Status of Old well')
    await page.setOffline(true)
    await page.user.selectOptions(field, 'Offline')
    await page.alert('Could not change ‘Old well’')
    expect(field.value).toBe('operational')
  })

  it.each([null, 'nobody'])('is not offered to a visitor with the role %s', async (role) => {
    if (role) await page.signIn(role)
    await open('i1')
    await hasFact('Status', 'Unresolved')
    expect(within(page.details()).queryByRole('button', { name: /^(Resolve|Reopen)/ })).toBeNull()
    expect(within(page.details()).queryByRole('combobox')).toBeNull()
  })

  it('changes immediately, and shows the current one after a conflict', async () => {
    await page.signIn()
    page.stream = 'silent'
    await open('a1')
    const field = await screen.findByLabelText<HTMLSelectElement>('Status of Old well')
    await page.server.database.write((transaction) =>
      transaction
        .updateTable('features')
        .set({ status: 'offline', version: 2 })
        .where('map_id', '=', mapId)
        .where('id', '=', 'a1')
        .execute(),
    )
    const released = Promise.withResolvers<void>()
    page.answer(/features\/a1\/status/, (ask) => released.promise.then(ask))
    await page.user.selectOptions(field, 'Maintenance')
    await waitFor(() => expect(field.value).toBe('maintenance'))
    released.resolve()
    const { alert } = await page.alert('Could not change ‘Old well’')
    expect(alert.textContent).toContain('Someone else just changed it. You now see the latest version.')
    await waitFor(() => expect(field.value).toBe('offline'))
    await page.user.selectOptions(field, 'Operational')
    await page.alert('‘Old well’: operational')
  })
})
