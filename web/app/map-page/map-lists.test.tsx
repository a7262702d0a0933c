import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { asset, incident, lineThrough, parcel, squareAt } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { phoneQuery } from '#web/ui/media-queries.ts'

const page = preparePage()
const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const features = [
  incident({ id: 'fire', title: 'Grass fire at the gate', type: 'fire', date: daysAgo(2) }),
  incident({ id: 'flood', title: 'Flood', type: 'flood', date: daysAgo(20) }),
  incident({ id: 'tree', title: 'Limb', type: 'fallen_tree', date: daysAgo(200), resolved: true }),
  asset({ id: 'well', name: 'Gate house', type: 'water' }),
  asset({ id: 'club', name: 'Club', type: 'facility', status: 'offline' }),
  parcel({ id: 'p1', name: 'Lot 7' }),
]
const all = { Incidents: 3, Assets: 2, Parcels: 1 }
const open = async (search = '') => page.open(`/map/${await page.given(features)}${search}`)
const openTab = (name: string) => page.press('tab', new RegExp(`^${name}`))

describe('the sidebar', () => {
  it('names the client, and collapses to a rail whose icons open their tab', async () => {
    await open()
    const sidebar = await screen.findByRole('complementary', { name: 'Sidebar' })
    within(sidebar).getByRole('heading', { level: 1, name: 'POA Land Management' })
    within(sidebar).getByText('Quiet Hollow Property Owners’ Association')
    await page.press('button', 'Collapse the sidebar')
    expect(screen.queryByRole('listbox')).toBeNull()
    await page.press('button', 'Assets')
    await page.row('Club')
    expect(screen.getByRole('tab', { name: /^Assets/ }).getAttribute('aria-selected')).toBe('true')
  })

  it('counts each kind, and lists the chosen one', async () => {
    await open()
    await page.hasCounts(all)
    await openTab('Parcels')
    await page.row('Lot 7')
    expect(page.rows()).toHaveLength(1)
    expect(page.search()).toEqual({ tab: 'parcel' })
    await openTab('Incidents')
    await page.row('Limb')
    expect(page.search()).toEqual({})
  })

  it('shows date, type, severity and status of features, and size and owner of land', async () => {
    await page.signIn()
    const mapId = await page.given([
      incident({ id: 'i1', title: '', type: 'fire', severity: null, date: daysAgo(2) }),
      incident({ id: 'i2', title: 'Burn', type: 'fire', severity: 'high', date: daysAgo(3), resolved: true }),
      asset({ id: 'a1', name: 'Well', type: 'water' }),
      parcel({ id: 'p1', name: 'Lot 7', area: 12.34, owner: 'Ada Byron' }),
    ])
    await page.open(`/map/${mapId}`)
    for (const [tab, ...texts] of [
      ['Incidents', 'UntitledFireSeverity unknown2 days ago', 'BurnFireHighResolved3 days ago'],
      ['Assets', 'WellWaterOperational'],
      ['Parcels', 'Lot 712.3 acresAda Byron'],
    ] as const) {
      await openTab(tab)
      await waitFor(() => expect(page.rows().map(({ textContent }) => textContent?.trim())).toEqual(texts))
    }
  })

  it('moves to the tab with a matching name once per search, and Enter opens the first match', async () => {
    await page.open(
      `/map/${await page.given([...features, incident({ id: 'leak', title: 'Leak', description: 'At the club' })])}`,
    )
    await page.hasCounts({ ...all, Incidents: 4 })
    await page.type('Search the list', 'club')
    await page.row('Club')
    expect(page.search()).toEqual({ text: 'club', tab: 'asset' })
    await openTab('Incidents')
    await page.row('Leak')
    expect(page.search()).toEqual({ text: 'club' })
    await openTab('Assets')
    await page.row('Club')
    screen.getByLabelText('Search the list').focus()
    await page.user.keyboard('{Enter}')
    await screen.findByRole('heading', { name: 'Club' })
    expect(page.search()).toEqual({ text: 'club', tab: 'asset', select: 'club' })
  })

  it('cuts descriptions at 60 characters', async () => {
    const [long, fitting] = ['x'.repeat(61), 'y'.repeat(60)]
    const mapId = await page.given([
      asset({ id: 'a1', description: long }),
      asset({ id: 'a2', description: fitting }),
    ])
    await page.open(`/map/${mapId}?tab=asset`)
    await screen.findByText(`${'x'.repeat(60)}…`)
    screen.getByText(fitting)
    await openTab('Parcels')
    await screen.findByText('No parcels found.')
    expect(screen.queryByRole('button', { name: 'Clear filters and search' })).toBeNull()
  })
})

describe('the search', () => {
  it('offers the matches of other tabs where the filters leave none', async () => {
    await open('?tab=asset&severity=low&text=gate')
    await screen.findByText('No assets found with the current filters.')
    await page.press('button', 'Show incidents (1)')
    await page.row('Grass fire')
    expect(page.search()).toEqual({ severity: 'low', text: 'gate' })
  })

  it('narrows list and counts, with the specified words for empty lists', async () => {
    await open('?within=view')
    await page.type('Search the list', 'gate')
    await page.hasCounts({ Incidents: 1, Assets: 1, Parcels: 0 })
    await page.row('Grass fire')
    await page.type('Search the list', 'no such words')
    await screen.findByText('No incidents found with the current filters.')
    expect(screen.queryByRole('button', { name: /^Show / })).toBeNull()
    await openTab('Assets')
    await screen.findByText('No assets found with the current filters.')
    await openTab('Parcels')
    await screen.findByText('No parcels found.')
    await page.press('button', 'Clear filters and search')
    await page.row('Lot 7')
    expect(screen.getByLabelText<HTMLInputElement>('Search the list').value).toBe('')
    expect(page.search()).toEqual({ tab: 'parcel' })
  })

  it.each([
    ['Esc', () => page.user.keyboard('{Escape}')],
    ['its button', () => page.press('button', 'Clear search')],
  ])('is cleared with %s, which leaves the details open', async (_, clear) => {
    await open('?tab=parcel')
    await page.user.click(await page.row('Lot 7'))
    await page.type('Search the list', 'no such words')
    await page.hasCounts({ Parcels: 0 })
    await clear()
    await page.hasCounts({ Parcels: 1 })
    expect(document.activeElement).toBe(screen.getByLabelText('Search the list'))
    await page.hasDetailsOf('Lot 7')
  })
})

describe('filters', () => {
  const filtersButton = () => screen.getByRole('button', { name: /^Layers & Filters/ })
  const openFilters = async () => {
    await open()
    await page.hasCounts(all)
    if (filtersButton().getAttribute('aria-expanded') !== 'true') await page.user.click(filtersButton())
  }

  it.each([
    ['Incident type', 'Flood', { Incidents: 1, Assets: 2 }],
    ['Asset type', 'Water', { Assets: 1, Parcels: 1 }],
    ['Time range', 'Last week', { Incidents: 1, Assets: 2 }],
    ['Time range', 'Last month', { Incidents: 2 }],
    ['Time range', 'Last year', { Incidents: 3 }],
    ['Status', 'Offline', { Incidents: 0, Assets: 1, Parcels: 0 }],
    ['Status', 'Unresolved', { Incidents: 2, Assets: 0 }],
  ])('of %s: %s', async (filter, choice, counts) => {
    await openFilters()
    await page.choose(filter, choice)
    await page.hasCounts(counts)
  })

  it('and layers in use are counted and reset together; layers do not filter lists', async () => {
    await openFilters()
    await page.choose('Asset type', 'Water')
    await page.choose('Status', 'Operational')
    await page.user.click(screen.getByRole('checkbox', { name: 'Assets' }))
    await page.hasCounts({ Assets: 1 })
    expect(page.search()).toEqual({ assets: 'water', status: 'operational', off: 'asset' })
    expect(filtersButton().textContent).toBe('Layers & Filters 3 active')
    await page.press('button', 'Reset layers and filters')
    await page.hasCounts(all)
    expect(filtersButton().textContent?.trim()).toBe('Layers & Filters')
    const section = screen.getByRole('region', { name: 'Layers & Filters' })
    await waitFor(() => expect(document.activeElement).toBe(section))
    expect(page.search()).toEqual({})
  })
})

it('the limit to the view counts as a filter on a phone, and is reset', async () => {
  const onMatch = vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      ...{ media, matches: media === phoneQuery, onchange: null },
      ...{ addListener() {}, removeListener() {} },
    }),
  )
  await open('?within=view')
  await screen.findByRole('button', { name: 'Layers & Filters 1 active' })
  await page.press('button', 'Reset layers and filters')
  await screen.findByRole('button', { name: 'Layers & Filters' })
  expect(page.search()).toEqual({})
  onMatch.mockRestore()
})

describe('the viewer', () => {
  it('lists by shape, filters all of its lists, with the specified words for empty lists', async () => {
    const mapId = await page.given([
      asset({ id: 'pump', name: 'Pump', type: 'water' }),
      incident({ id: 'fire', title: 'Fire', type: 'fire', date: '2020-01-01T00:00:00Z' }),
      asset({ id: 'road', type: 'road', geometry: lineThrough([0, -600], [0, 600]) }),
      asset({ id: 'field', name: 'Field', type: 'recreation', geometry: squareAt(900, 0, 500) }),
      incident({
        id: 'burn',
        title: 'Burn scar',
        type: 'fire',
        geometry: squareAt(1_700, 0, 500),
        date: null,
      }),
    ])
    await page.open(`/webgl/${mapId}`)
    await page.hasCounts({ Points: 2, Lines: 1, Polygons: 2 })
    await openTab('Layers & Filters')
    await page.choose('Time range', 'Last week')
    await page.hasCounts({ Points: 1 })
    await page.choose('Asset type', 'Electrical')
    await page.hasCounts({ Points: 0, Lines: 0 })
    await page.choose('Incident type', 'Flood')
    for (const [tab, shapes] of [
      ['Points', 'points'],
      ['Lines', 'lines'],
      ['Polygons', 'polygons'],
    ] as const) {
      await openTab(tab)
      await screen.findByText(`No ${shapes} found with the current filters.`)
    }
    const filters = screen.getByRole('tab', { name: /^Layers & Filters/ })
    expect(filters.textContent).toBe('Layers & Filters 3 active')
    await page.user.click(filters)
    await page.press('button', 'Reset layers and filters')
    await page.hasCounts({ Polygons: 2 })
  })
})

describe('an address', () => {
  it('with unknown values opens the map without them', async () => {
    await open(
      '?tab=ghosts&off=moon,asset&incidents=1&assets=%F0%9F%90%84&time=never&base=paper&x=y#map/of/x',
    )
    await page.hasCounts(all)
    expect(screen.getByRole('tab', { name: /^Incidents/ }).getAttribute('aria-selected')).toBe('true')
    await waitFor(() => screen.getByRole('button', { name: /^Layers & Filters 1 active/ }))
  })

  it.each(['gone', '<script>'])('that selects %s shows that the feature is missing', async (id) => {
    await open(`?select=${encodeURIComponent(id)}`)
    await page.hasDetailsOf('Not found')
  })

  it.each(['/map/nobody-has-this', '/map/Not%20a%20slug'])(
    '%s says that there is no such map',
    async (path) => {
      await page.given(features)
      await page.open(path)
      await screen.findByRole('heading', { name: 'Map not found' })
      expect(screen.getByRole('link', { name: 'Go to main map' }).getAttribute('href')).toBe('/map')
    },
  )

  it.each(['/', '/map', '/somewhere/else?tab=parcel'])('%s is the main map', async (path) => {
    const main = await page.given([parcel({ id: 'p1', name: 'Lot of the main map' })], { name: 'Main POA' })
    page.answer(/api\/settings/, async (ask) =>
      Response.json({ ...(await (await ask()).json()), defaultMapId: main }),
    )
    await page.open(path)
    await screen.findByText('Main Property Owners’ Association')
    if (path.includes('tab')) await page.row('Lot of the main map')
    await waitFor(() => expect(document.title).toBe('Main POA – POA Land Management'))
  })
})
