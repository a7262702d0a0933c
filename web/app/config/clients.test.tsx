import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { asset, incident, parcel } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

const page = preparePage()
const main = () => within(screen.getByRole('main'))
const cards = () => main().queryAllByRole('listitem')
const names = () =>
  main()
    .queryAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent)
const hasNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
const count = (text: string) => screen.findByText(text)
const dialog = async () => within(await screen.findByRole('dialog'))
const fill = async (values: Record<string, string>) => {
  for (const [label, text] of Object.entries(values))
    await page.fill((await dialog()).getByLabelText(new RegExp(`^${label}`)), text)
}
const submit = async (name: string) => (await dialog()).getByRole('button', { name })
const choose = async (client: string, item: string) => {
  await page.press('button', `More actions for ${client}`)
  await page.press('menuitem', item)
}
const open = async (search = '') => {
  await page.signIn()
  await page.open(`/config/map${search}`)
}
const path = () => window.location.pathname

describe('client selection', () => {
  it('finds clients by name or place, and opens their map', async () => {
    const lots = [parcel({ id: 'p1' }), parcel({ id: 'p2' })]
    const mapId = await page.given(lots, { name: 'Peña Blanca Ranches', location: 'Río Rico, Sonora' })
    await open()
    await screen.findByText('Select a client to view their land parcels and incidents')
    expect(document.title).toBe('Rural Land Parcel Incident Map CMS')
    screen.getByText('Rural Land Parcel Incident Map CMS')
    for (const sought of ['pena bl', 'RIO RICO']) {
      await page.type('Search clients', sought)
      await count('1 client')
      await hasNames('Peña Blanca Ranches')
    }
    expect(cards()[0]?.textContent).toMatch(
      /Río Rico, Sonora2 properties · Last updated \w{3} \d{1,2}, 20\d\d/,
    )
    expect(cards()[0]?.querySelector('img')?.getAttribute('src')).toMatch(/thumbnail\?land=\d+$/)
    await page.type('Search clients', 'no such place')
    await screen.findByText('No clients found matching "no such place".')
    expect(cards()).toEqual([])
    await page.press('button', 'Clear search')
    expect(document.activeElement).toBe(screen.getByLabelText('Search clients'))
    await page.type('Search clients', 'pena blanca')
    await waitFor(() => expect(page.search()).toEqual({ text: 'pena blanca' }))
    await page.reload()
    await count('1 client')
    await page.press('link', 'Select Peña Blanca Ranches')
    await screen.findByRole('link', { name: 'Peña Blanca Ranches' })
    expect(path()).toBe(`/config/map/${mapId}/map`)
  })

  it('sorts by open work, and shows totals in a table', async () => {
    await page.given([parcel({ id: 'p1' }), parcel({ id: 'p2' })], { name: 'Lookout Quiet' })
    const incidents = [incident({ id: 'i1', severity: 'high' }), incident({ id: 'i2', severity: null })]
    await page.given([...incidents, asset({ id: 'a1', status: 'offline' })], { name: 'Lookout Zealous' })
    await open('?text=lookout')
    await hasNames('Lookout Quiet', 'Lookout Zealous')
    expect(cards().map((card) => card.querySelector('img') !== null)).toEqual([true, false])
    await page.choose('Sort by', 'Sort by: Open incidents')
    await hasNames('Lookout Zealous', 'Lookout Quiet')
    await page.user.click(screen.getByText('List', { exact: true }))
    const rows = () => within(screen.getByRole('table')).getAllByRole('row')
    const cells = (row: number) =>
      within(rows()[row] as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)
    await waitFor(() => expect(rows()[1]?.textContent).toContain('All 2 clients'))
    expect(cells(1)).toEqual(['2', '1 High1 Unknown', '1 Offline', '', ''])
    expect(rows()[2]?.textContent).toContain('Lookout Zealous')
    expect(cells(3).slice(0, 3)).toEqual(['2', 'None', 'None'])
    await page.reload()
    await waitFor(() => expect(rows()[2]?.textContent).toContain('Lookout Zealous'))
    expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('incidents')
  })
})

describe('a client', () => {
  it('is added once by a double click, and renamed', async () => {
    await open()
    await page.press('button', 'Add client')
    await page.user.click(await submit('Add client'))
    expect((await dialog()).getByLabelText(/^Name/).getAttribute('aria-invalid')).toBe('true')
    ;(await dialog()).getByText(/must not be blank/)
    await fill({ Name: 'Twice Told Ranch', Location: 'Bisbee, Arizona' })
    expect(unsavedWork()).toEqual([{ text: 'Client: Twice Told Ranch', isStored: false }])
    expect(page.asksBeforeClosing()).toBe(true)
    const button = await submit('Add client')
    // Faster than the button can show that it is busy.
    act(() => {
      button.click()
      button.click()
    })
    await page.alert('Twice Told Ranch added')
    await screen.findByRole('link', { name: 'Twice Told Ranch' })
    expect(path()).toBe('/config/map/twice-told-ranch/map')
    expect(page.asksBeforeClosing()).toBe(false)
    expect(page.requests.filter((request) => request === 'POST /api/clients')).toHaveLength(1)

    await page.press('link', 'Map Selection')
    await choose('Twice Told Ranch', 'Edit')
    await fill({ Name: '  ' })
    await page.user.click(await submit('Save'))
    ;(await dialog()).getByText(/must not be blank/)
    await fill({ Name: 'Thrice Told Ranch', Location: 'Douglas, Arizona' })
    await page.user.click(await submit('Save'))
    await page.alert('Thrice Told Ranch saved')
    await waitFor(() => expect(names()).toContain('Thrice Told Ranch'))
    expect(names()).not.toContain('Twice Told Ranch')
  })

  it('renamed by another user shows the conflict, and can be renamed again', async () => {
    const mapId = await page.given([], { name: 'Two Hands POA' })
    await open('?text=hands')
    await choose('Two Hands POA', 'Edit')
    await fill({ Name: 'My Hands POA' })
    await page.send('PATCH', `/api/clients/${mapId}`, { name: 'Their Hands POA' }, 1)
    await page.hear()
    await hasNames('Their Hands POA')
    await page.user.click(await submit('Save'))
    await page.alert(/changed this client to ‘Their Hands POA’, Payson, Arizona/)
    await page.user.click(await submit('Save'))
    await hasNames('My Hands POA')
  })

  it('is archived and restored', async () => {
    const mapId = await page.given([parcel({ id: 'p1' })], { name: 'Shut Gate POA' })
    await open('?text=shut')
    await choose('Shut Gate POA', 'Archive')
    await hasNames()
    await page.undo('Shut Gate POA archived')
    await hasNames('Shut Gate POA')
    await page.alert('Shut Gate POA restored')
    await choose('Shut Gate POA', 'Archive')
    await hasNames()
    await page.user.click(screen.getByText('Archived', { exact: true }))
    await hasNames('Shut Gate POA')
    expect(cards()[0]?.textContent).toContain('Archived')
    expect(screen.queryByRole('link', { name: 'Select Shut Gate POA' })).toBeNull()
    await choose('Shut Gate POA', 'Restore')
    await hasNames()
    await page.open(`/map/${mapId}`)
    await page.hasCounts({ Parcels: 1 })
  })

  it('archived by another user closes its open map', async () => {
    const mapId = await page.given([parcel({ id: 'p1' })])
    await page.signIn()
    await page.open(`/config/map/${mapId}/configuration`)
    await screen.findByRole('heading', { name: 'Map Configuration' })
    await page.send('POST', `/api/clients/${mapId}/archive`)
    await page.hear()
    await screen.findByRole('heading', { name: 'Map not found' })
    expect(screen.queryByRole('heading', { name: 'Map Configuration' })).toBeNull()
  })
})

describe('the sidebar of the configuration area', () => {
  it('links to every section of the chosen client', async () => {
    const mapId = await page.given([parcel({ id: 'p1' })], { name: 'Signpost POA' })
    await open()
    const sidebar = within(await screen.findByRole('complementary', { name: 'Sidebar' }))
    const places = () => within(screen.getByRole('navigation', { name: 'Configuration' }))
    const tabs = sidebar.getAllByRole('tab').map(({ textContent }) => textContent)
    expect(tabs).toEqual(['Map', 'Notifications'])
    for (const name of ['Overview', 'Map Config', 'Map Features']) {
      expect(places().queryByRole('link', { name })).toBeNull()
      expect(places().getByText(name).closest('[aria-disabled=true]')).not.toBeNull()
    }
    await page.press('tab', 'Notifications')
    await screen.findByText('Select a client to see its notifications.')
    await page.press('tab', 'Map')
    await page.press('link', 'Select Signpost POA')
    const isAt = (place: string, section: string) =>
      waitFor(() => {
        expect(path()).toBe(`/config/map/${mapId}/${section}`)
        const current = places()
          .getAllByRole('link')
          .filter((link) => link.getAttribute('aria-current') === 'page')
        expect(current.map(({ textContent }) => textContent)).toEqual([place])
      })
    await isAt('Overview', 'map')
    expect(document.title).toBe('Overview · Signpost POA – POA Land Management')
    const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
    expect(await href('Public map')).toBe(`/map/${mapId}`)
    expect(await href('Viewer')).toBe(`/webgl/${mapId}`)
    for (const [place, section, heading] of [
      ['Map Config', 'configuration', 'Map Configuration'],
      ['Map Features', 'features', 'Map Features'],
      ['Overview', 'map', 'Overview'],
    ] as const) {
      await page.press('link', place)
      await isAt(place, section)
      await screen.findByRole('heading', { name: heading })
    }
    for (const unknown of ['', '/nonsense']) {
      await page.open(`/config/map/${mapId}${unknown}`)
      await waitFor(() => expect(path()).toBe(`/config/map/${mapId}/map`))
    }
  })
})
