import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asset, incident, origin, parcel } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { MapView } from '#web/map/map-view.tsx'
import { phoneQuery, stackedQuery } from '#web/ui/media-queries.ts'
import { shapeDrafts } from '#web/workspace/shaping.ts'

vi.mock('#web/map/map-view.tsx', { spy: true })

const page = preparePage()
const features = [
  incident({
    id: 'i1',
    title: 'Fallen cottonwood',
    type: 'fallen_tree',
    severity: 'medium',
    date: '2026-05-03T10:00:00Z',
    parcelId: 'p2',
  }),
  incident({
    id: 'i2',
    title: 'Smoke over the ridge',
    type: 'fire',
    severity: 'high',
    date: '2026-05-01T10:00:00Z',
  }),
  incident({
    id: 'i3',
    title: 'Creek over the road',
    type: 'flood',
    date: '2026-05-02T10:00:00Z',
    resolved: true,
    parcelId: 'p1',
  }),
  asset({ id: 'a1', name: 'Well 2', type: 'water', status: 'offline' }),
  asset({ id: 'a2', name: 'Well 10', type: 'water' }),
  parcel({ id: 'p1', name: 'Lot 1' }),
  parcel({ id: 'p2', name: 'Lot 2' }),
]
const urgentFirst = [
  'Smoke over the ridge',
  'Fallen cottonwood',
  'Well 2',
  'Well 10',
  'Creek over the road',
  'Lot 1',
  'Lot 2',
]

async function open(shown = features, search = '') {
  await page.signIn()
  await page.open(`/config/map/${await page.given(shown)}/features${search}`)
  if (shown.length > 0) await screen.findByRole('grid', { name: 'Features' })
}
const grid = () => screen.getByRole('grid', { name: 'Features' })
const names = () => [...grid().querySelectorAll('td[data-column=name]')].map((cell) => cell.textContent)
const hasNames = (expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
const cell = (name: string, column: string) =>
  [...grid().querySelectorAll('tr')]
    .find((row) => row.querySelector('td[data-column=name]')?.textContent === name)
    ?.querySelector(`td[data-column=${column}]`)
const header = (column: string) =>
  within(grid()).getByRole('columnheader', { name: new RegExp(`^${column}`) })
async function sortBy(column: string, becomes: string) {
  await page.user.click(within(header(column)).getByRole('button'))
  await waitFor(() => expect(header(column).getAttribute('aria-sort')).toBe(becomes))
}
const filterOfTiles = () => new URL(vi.mocked(MapView).mock.lastCall?.[0].tiles ?? '').search
const selectedRow = () => grid().querySelector('tr[aria-selected=true]')

describe('the table of features', () => {
  it('starts with features that need attention, and shows each column as text', async () => {
    await open()
    await hasNames(urgentFirst)
    expect(header('Status').getAttribute('aria-sort')).toBe('ascending')
    expect(
      within(grid())
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(
      ['', 'Name', 'Status', 'Severity', 'Type', 'Date', 'Parcel'].map((name) =>
        expect.stringContaining(name),
      ),
    )
    const text = (column: string) => cell('Fallen cottonwood', column)?.textContent?.trim()
    expect(text('kind')).toBe('Incident')
    expect(text('type')).toBe('Fallen tree')
    expect(text('severity')).toBe('Medium')
    await waitFor(() => expect(text('parcel')).toBe('Lot 2'))
    expect(cell('Fallen cottonwood', 'date')?.querySelector('time')?.dateTime).toMatch(/^2026-05-03T10:00/)
    expect(cell('Lot 1', 'status')?.textContent).toBe('–')
    expect(screen.getByLabelText<HTMLSelectElement>('Status of Well 2').value).toBe('offline')
  })

  it('sorts ascending, descending and by default with three clicks', async () => {
    const byName = [...urgentFirst]
      .sort()
      .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    await open()
    await hasNames(urgentFirst)
    await sortBy('Name', 'ascending')
    await hasNames(byName)
    await sortBy('Name', 'descending')
    await hasNames(byName.toReversed())
    await sortBy('Date', 'ascending')
    expect(header('Name').getAttribute('aria-sort')).toBe('none')
    await waitFor(() => expect(names()[0]).toBe('Smoke over the ridge'))
    await sortBy('Date', 'descending')
    await waitFor(() => expect(names()[0]).toBe('Fallen cottonwood'))
    await sortBy('Date', 'none')
    await hasNames(urgentFirst)
  })

  it('sorts by kind and in the first order from its menu', async () => {
    await open()
    const sort = async (name: string | RegExp) => {
      await page.press('button', 'Sort')
      await page.press('menuitem', name)
    }
    await sort('Kind')
    await waitFor(() => expect(names()[0]).toBe('Well 2'))
    await sort(/^Kind.*ascending/)
    await waitFor(() => expect(names()[0]).toBe('Lot 1'))
    await sort('Needs attention first')
    await hasNames(urgentFirst)
  })

  it('selects all rows from its head, and none', async () => {
    await open()
    const all = () => screen.getByLabelText<HTMLInputElement>('Select all')
    await page.user.click(await screen.findByLabelText('Select Well 2'))
    expect([all().checked, all().indeterminate]).toEqual([false, true])
    await page.user.click(all())
    await screen.findByText('7 records selected')
    await page.user.click(all())
    await waitFor(() => expect([all().checked, all().indeterminate]).toEqual([false, false]))
  })

  it('ticks a row by Space on its box, without opening it', async () => {
    await open()
    await hasNames(urgentFirst)
    grid().focus()
    await page.user.keyboard('{ArrowDown} ')
    await screen.findByText('1 incident selected')
    expect(screen.getByLabelText<HTMLInputElement>('Select Fallen cottonwood').checked).toBe(true)
    expect(selectedRow()).toBeNull()
  })

  it('changes the width of a column from its head', async () => {
    await open()
    const width = () => Number(screen.getByLabelText('Width of Status').getAttribute('aria-valuenow'))
    within(header('Status')).getByRole('button').focus()
    const before = width()
    await page.user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{ArrowLeft}{/Shift}')
    await waitFor(() => expect(width()).toBe(before + 16))
  })

  it.each([
    ['Type', ['Fallen tree', 'Fire', 'Flood', 'Water']],
    ['Severity', ['High', 'Medium', 'Low']],
    ['Parcel', ['Lot 1', 'Lot 2']],
  ])('sorts by %s', async (column, expected) => {
    await open()
    const texts = () =>
      [...grid().querySelectorAll(`td[data-column=${column.toLowerCase()}]`)]
        .map((one) => one.textContent?.trim() ?? '')
        .filter((text, index, all) => text !== '–' && text !== all[index - 1])
    await sortBy(column, 'ascending')
    await waitFor(() => expect(texts()).toEqual(expected))
    await sortBy(column, 'descending')
    await waitFor(() => expect(texts()).toEqual(expected.toReversed()))
  })

  it('filters the matches on the map, too', async () => {
    await open(features, '?status=offline&text=well')
    await hasNames(['Well 2'])
    const matches = await waitFor(() => {
      const found = page.requests.find((request) => request.includes('/features.geojson'))
      expect(found).toBeTruthy()
      return new URLSearchParams(found?.split('?')[1])
    })
    expect(Object.fromEntries(matches)).toEqual({ status: 'offline', text: 'well' })
  })

  it('is filtered by filters and search in the address', async () => {
    await open()
    await page.filterTable('Kind', 'Incidents')
    await screen.findByText('3 features')
    await page.filterTable('Incident type', 'Flood')
    await hasNames(['Creek over the road'])
    await page.filterTable('Incident type', 'All incidents')
    await page.filterTable('Severity', 'Medium')
    await hasNames(['Fallen cottonwood'])
    await page.filterTable('Severity', 'Any severity')
    await page.filterTable('Status', 'Unresolved')
    await waitFor(() => expect(filterOfTiles()).toBe('?status=unresolved&kind=incident'))
    // The rest stays on the map, dimmed.
    expect(vi.mocked(MapView).mock.lastCall?.[0].rest).toMatch(/\.mvt$/)
    await page.type('Search features', 'RIDGE')
    await hasNames(['Smoke over the ridge'])
    await waitFor(() =>
      expect(page.search()).toEqual({ kind: 'incident', status: 'unresolved', text: 'RIDGE' }),
    )
    await page.reload()
    await waitFor(() => hasNames(['Smoke over the ridge']))
    expect(screen.getByLabelText<HTMLInputElement>('Search features').value).toBe('RIDGE')
    // Kept by the sidebar while other pages are visited.
    await page.press('link', 'Map Config')
    await screen.findByRole('heading', { name: 'Map Configuration' })
    await page.press('link', 'Map Features')
    await waitFor(() => hasNames(['Smoke over the ridge']))
    await page.filterTable('Kind', 'Parcels')
    await screen.findByText('No features found with the current filters.')
    await page.press('button', 'Clear the filters')
    await screen.findByText('7 features')
  })

  it('counts what each choice would match', async () => {
    await open(features, '?kind=incident&status=unresolved')
    await page.press('button', 'Filters, 2 active')
    const choices = (label: string) =>
      [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text)
    await waitFor(() =>
      expect(choices('Kind')).toEqual(['All kinds', 'Incidents (2)', 'Assets (0)', 'Parcels (0)']),
    )
    expect(choices('Status')).toEqual(['All statuses', 'Unresolved (2)', 'Resolved (1)'])
    expect(choices('Incident type')).toContain('Flood (0)')
  })

  it('understands addresses of earlier versions', async () => {
    await open(features, '?kind=incident&type=flood')
    await hasNames(['Creek over the road'])
  })

  it('shows why it is empty, and offers a next step', async () => {
    await open([parcel({ id: 'p1', name: 'Lot 1' })])
    await page.filterTable('Kind', 'Assets')
    await screen.findByText('This map has no assets yet.')
    await page.press('button', 'Show all kinds')
    await hasNames(['Lot 1'])
    await page.reload()
  })

  it('offers to add and import features on an empty map', async () => {
    await open([])
    await screen.findByText('No features yet')
    const [add] = (await screen.findAllByRole('button', { name: 'Add' })).reverse()
    await page.user.click(add as HTMLElement)
    await screen.findByRole('menuitem', { name: 'Parcel' })
    await page.user.keyboard('{Escape}')
    await page.user.click(
      within(screen.getByRole('region', { name: 'Map Features' })).getByRole('link', {
        name: 'Import a file',
      }),
    )
    await screen.findByRole('region', { name: 'Import' })
  })

  it('shows the feature that a link selects, with its details', async () => {
    await open(features, '?select=i3')
    await page.hasDetailsOf('Creek over the road')
    await waitFor(() => expect(selectedRow()?.textContent).toContain('Creek over the road'))
  })

  it('names its column headers without their width', async () => {
    await open()
    await hasNames(urgentFirst)
    within(grid()).getByRole('columnheader', { name: 'Name' })
    await page.filterTable('Kind', 'Parcels')
    await waitFor(() => within(grid()).getByRole('columnheader', { name: 'Owner' }))
  })

  it('is reached by skip links, F6 and shortcuts', async () => {
    await open(features, '?select=i3')
    await page.hasDetailsOf('Creek over the road')
    const details = screen.getByRole('region', { name: 'Details' })
    // The map cannot be drawn here.
    const canvas = Object.assign(document.createElement('canvas'), { className: 'maplibregl-canvas' })
    canvas.tabIndex = 0
    document.body.append(canvas)
    await page.press('button', 'Skip to content')
    expect(document.activeElement).toBe(grid())
    for (const [keys, part] of [
      ['{F6}', details],
      ['{F6}', canvas],
      ['{F6}', grid()],
      ['{Shift>}{F6}{/Shift}', canvas],
      ['/', screen.getByLabelText('Search features')],
    ] as const) {
      await page.user.keyboard(keys)
      expect(document.activeElement).toBe(part)
    }
  })

  it('selects one of several features under a click on the map', async () => {
    const view = vi.mocked(MapView).mockImplementation(({ children }) => <>{children}</>)
    onTestFinished(() => void view.mockReset())
    await open(features, '?select=i2')
    await page.hasDetailsOf('Smoke over the ridge')
    const hit = { kind: 'asset', shape: 'point', type: 'water', status: null, severity: null } as const
    const clickMap = async () => {
      const click = { lngLat: origin, point: { x: 0, y: 0 }, isDataLoaded: true }
      const hits = [{ ...hit, id: 'a1', location: origin, count: 2, isDimmed: false }]
      await act(async () => view.mock.lastCall?.[0].onClick?.({ ...click, hits }))
      const chooser = within(await screen.findByRole('dialog', { name: 'Select a feature' }))
      await waitFor(() => expect(chooser.getAllByRole('listitem')).toHaveLength(2))
      return chooser
    }
    await clickMap()
    await page.user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(selectedRow()?.textContent).toContain('Smoke over the ridge')
    await page.user.click((await clickMap()).getByRole('button', { name: 'Well 10' }))
    await page.hasDetailsOf('Well 10')
    expect(selectedRow()?.textContent).toContain('Well 10')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('names the lots on its map, from zoom 15', async () => {
    const view = vi.mocked(MapView).mockImplementation(({ children }) => <>{children}</>)
    onTestFinished(() => void view.mockReset())
    await open()
    const { lat, lng } = origin
    const extent = { north: lat + 0.01, south: lat - 0.01, east: lng + 0.01, west: lng - 0.01 }
    const named = () => view.mock.lastCall?.[0].parcelNames.map(({ name }) => name)
    const moveTo = (zoom: number) =>
      act(async () => view.mock.lastCall?.[0].onCameraChange({ ...origin, zoom }, extent))
    await moveTo(14)
    expect(named()).toEqual([])
    await moveTo(15)
    await waitFor(() => expect(named()).toEqual(['Lot 1', 'Lot 2']))
  })

  it('keeps the active row when the position of a selection loads late', async () => {
    await open()
    await hasNames(urgentFirst)
    const released = Promise.withResolvers<void>()
    page.answer(/\/position/, (ask) => released.promise.then(ask))
    grid().focus()
    await page.user.keyboard('{ArrowRight} {ArrowLeft}')
    await waitFor(() => expect(selectedRow()?.textContent).toContain(urgentFirst[0]))
    await page.user.keyboard('{Control>}{End}{/Control}')
    await page.hasDetailsOf('Smoke over the ridge')
    released.resolve()
    await waitFor(() => expect(page.client.isFetching()).toBe(0))
    await page.user.keyboard('{Enter}')
    await waitFor(() => expect(selectedRow()?.textContent).toContain('Lot 2'))
  })
})

it('shows the status as text to users without a role', async () => {
  await page.signIn([])
  await page.open(`/config/map/${await page.given(features)}/features`)
  const grid = within(await screen.findByRole('grid', { name: 'Features' }))
  const row = await grid.findByRole('row', { name: /Well 2/ })
  expect(row.textContent).toContain('Offline')
  expect(grid.queryByRole('combobox')).toBeNull()
})

it('shows the map while a shape is edited on a phone', async () => {
  const onMatch = vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      ...{ media, matches: media === phoneQuery || media === stackedQuery, onchange: null },
      ...{ addListener() {}, removeListener() {} },
    }),
  )
  onTestFinished(() => onMatch.mockRestore())
  const editorId = 'rosa'
  await page.signIn('administrator', { id: editorId, name: 'Rosa' })
  const mapId = await page.given(features)
  await page.open(`/config/map/${mapId}/features?select=p1`)
  const workspace = () => screen.getByRole('main')
  await screen.findByRole('button', { name: 'Show map' })
  await page.press('button', 'Edit shape of Lot 1')
  await waitFor(() => expect(workspace().dataset.folded).toBeUndefined())
  expect(screen.queryByRole('button', { name: 'Hide map' })).toBeNull()
  act(() => shapeDrafts(editorId, mapId).set(null))
  await waitFor(() => expect(workspace().dataset.folded).toBe('by-choice'))
})
