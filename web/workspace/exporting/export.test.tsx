import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { asset, incident, parcel } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
const features = [
  incident({ id: 'i1', title: 'Fallen cottonwood' }),
  asset({ id: 'a1', name: 'Well 2', type: 'water', status: 'offline' }),
  asset({ id: 'a2', name: 'Well 10', type: 'water' }),
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie' }),
]
async function open(path: string) {
  const mapId = await page.given(features)
  await page.open(path.replace('MAP', mapId))
  return mapId
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const choose = async (name: string, radio: string) =>
  page.user.click(await (await dialog(name)).findByRole('radio', { name: radio }))

/** Exports, which closes the dialog, and returns the file. */
async function download(name: string) {
  const files = vi.spyOn(URL, 'createObjectURL')
  const follow = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const button = (await (await dialog(name)).findAllByText('Export')).at(-1) as HTMLElement
  button.addEventListener('click', (event) => event.preventDefault())
  await page.user.click(button)
  await waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())
  const [file] = files.mock.calls[0] ?? []
  const [link = button.closest('a')] = follow.mock.contexts as HTMLAnchorElement[]
  files.mockRestore()
  follow.mockRestore()
  return file ? new Response(file as Blob) : fetch(link?.href ?? '')
}

describe('an export', () => {
  it('has the filter, order and columns of the table', async () => {
    await page.signIn()
    const mapId = await open('/config/map/MAP/features?kind=asset&sort=-name')
    await screen.findByText('2 features')
    await page.press('button', 'More')
    await page.press('menuitem', 'Export…')
    const excel = await (await dialog('Export 2 assets')).findByRole('radio', { name: 'Excel' })
    expect(excel.matches(':checked')).toBe(true)
    await choose('Export 2 assets', 'CSV')
    const answer = await download('Export 2 assets')
    await page.alert('The export is downloading')
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`${mapId}-assets-\\d{4}-\\d\\d-\\d\\d-for-reading\\.csv`),
    )
    // Without its byte order mark.
    expect((await answer.text()).trimEnd().split('\r\n')).toEqual([
      'Name,Status,Type,Next due,Parcel',
      'Well 10,Operational,Water,,',
      'Well 2,Offline,Water,,',
    ])
  })

  it('has names and places for re-import', async () => {
    await page.signIn()
    await open('/config/map/MAP/features?kind=asset')
    await screen.findByText('2 features')
    await page.press('button', 'More')
    await page.press('menuitem', 'Export…')
    const offered = within(await screen.findByRole('dialog', { name: 'Export 2 assets' }))
    await choose('Export 2 assets', 'GeoJSON')
    expect(offered.queryByRole('radio', { name: 'For reading' })).toBeNull()
    await choose('Export 2 assets', 'CSV')
    await choose('Export 2 assets', 'For re-import')
    const [head] = (await (await download('Export 2 assets')).text()).split('\r\n')
    expect(head).toBe('id,kind,mapId,name,status,type,nextDue,parcel,latitude,longitude,wkt')
  })

  it('has only selected rows, with all fields', async () => {
    await page.signIn()
    await open('/config/map/MAP/features')
    await page.press('checkbox', 'Select Lot 1')
    await page.press('checkbox', 'Select Well 2')
    await page.bulk('Export…')
    await choose('Export 2 features', 'GeoJSON')
    await choose('Export 2 features', 'All fields')
    const text = await (await download('Export 2 features')).text()
    expect(
      JSON.parse(text)
        .features.map(({ id }: { id: string }) => id)
        .sort(),
    ).toEqual(['a1', 'p1'])
    expect(text).toContain('Ann Zabriskie')
  })

  it('has no personal data for visitors', async () => {
    await open('/map/MAP?tab=parcel')
    await page.row('Lot 1')
    await page.press('button', 'Export')
    await choose('Export 1 parcel', 'CSV')
    const text = await (await download('Export 1 parcel')).text()
    expect(text).toContain('Lot 1')
    expect(text).not.toMatch(/Zabriskie|owner/)
  })
})
