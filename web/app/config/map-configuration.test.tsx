import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import {
  applyConfiguration,
  origin,
  parcel,
  placeAt,
  putFeatures,
  squareAt,
  tellOfConfiguration,
} from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
const land = [parcel({ id: 'p1', geometry: squareAt(600, 200, 400) })]
const middle = placeAt(600, 200)

async function open(
  features = land,
  applied: Parameters<typeof applyConfiguration>[2] | null = { center: origin },
) {
  await page.signIn()
  const mapId = await page.given(features)
  if (applied) await applyConfiguration(page.server.database, mapId, applied)
  await page.open(`/config/map/${mapId}/configuration`)
  await field('Latitude')
  return mapId
}
async function applyElsewhere(mapId: string, changes: Parameters<typeof applyConfiguration>[2], version = 2) {
  await applyConfiguration(page.server.database, mapId, changes, version)
  await tellOfConfiguration(page.server.database, mapId)
  await page.hear()
}
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)
const hasValue = (label: string, value: string) =>
  waitFor(async () => expect((await field(label)).value).toBe(value))
const types = () => within(screen.getByRole('group', { name: 'Map types' }))
const mapType = (name: string) => types().getByLabelText<HTMLInputElement>(name)
const says = (text: string | RegExp) => screen.findByText(text)
const apply = async () => {
  await page.press('button', 'Apply Settings')
  await says('No unsaved changes')
}
const version = (number: number) =>
  waitFor(() => {
    const items = within(screen.getByRole('region', { name: 'Versions' })).getAllByRole('listitem')
    const item = items.find(({ textContent }) => textContent?.match(new RegExp(`^Version ${number}\\b`)))
    if (!item) throw new Error(`There is no version ${number}.`)
    return item
  })
const dialog = (name: string) => screen.findByRole('dialog', { name })
const conflicts = () =>
  screen.queryAllByRole('group', { name: /mine or theirs/ }).map((one) => one.getAttribute('aria-label'))
async function conflict(label: string, theirs: string) {
  const found = await screen.findByRole('group', { name: `${label}: mine or theirs?` })
  expect(found.textContent).toContain(theirs)
  return found
}
const clickIn = (element: HTMLElement, name: string) =>
  page.user.click(within(element).getByRole('button', { name }))
const undo = async (text: string) => (await page.alert(text)).click('Undo')

describe('the fields of the map settings', () => {
  it('keep the last map type, and move the default to the first that remains', async () => {
    await open()
    await hasValue('Default map type', 'street')
    await page.user.click(mapType('Street'))
    await hasValue('Default map type', 'satellite')
    await says('Unsaved: Map types, Default map type')
    await page.user.click(mapType('Satellite'))
    expect(mapType('Satellite').checked).toBe(true)
  })

  it('report invalid values, which cannot be applied', async () => {
    await open(land, null)
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Apply Settings' })
    await page.type('Latitude', '91')
    await says('Latitude must be between -90 and 90.')
    expect((await field('Latitude')).getAttribute('aria-invalid')).toBe('true')
    expect(button().disabled).toBe(true)
    await page.user.clear(await field('Latitude'))
    await says('Latitude must be between -90 and 90.')
    await page.type('Latitude', '34.1')
    await page.user.click(await field('Keep the map within bounds'))
    for (const [side, degrees] of Object.entries({ North: '-80', South: '10', East: '11', West: '10' }))
      await page.type(side, degrees)
    await says('North must be greater than south.')
    await page.press('button', 'Revert')
    await hasValue('Latitude', middle.lat.toFixed(4))
    expect((await field('Keep the map within bounds')).checked).toBe(false)
    expect(button().disabled).toBe(false)
  })

  it('proposes bounds around the land', async () => {
    await open()
    await page.user.click(await field('Keep the map within bounds'))
    const side = async (name: string) => Number((await field(name)).value)
    await waitFor(async () => expect(await side('North')).toBeGreaterThan(await side('South')))
    expect(screen.queryByText(/outside the bounds/)).toBeNull()
  })

  it('are read-only for editors', async () => {
    await page.signIn(['editor:any-map'])
    const mapId = await page.given(land)
    await page.signIn([`editor:${mapId}`])
    await page.open(`/config/map/${mapId}/configuration`)
    await says('Only managers of this client can change its settings.')
    expect((await field('Latitude')).matches(':disabled, fieldset:disabled *')).toBe(true)
    expect(screen.queryByRole('button', { name: 'Apply Settings' })).toBeNull()
  })

  it('load both file formats, and ignore an invalid file', async () => {
    await open()
    const choose = (content: unknown) =>
      page.user.upload(
        document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement,
        new File([typeof content === 'string' ? content : JSON.stringify(content)], 'map.json', {
          type: 'application/json',
        }),
      )
    await choose({ center: [35, -112], zoom: 9, mapTypes: ['hybrid'] })
    await hasValue('Latitude', '35')
    await hasValue('Default map type', 'hybrid')
    await choose({ center: { lat: 36.5, lng: -112.4 } })
    await hasValue('Latitude', '36.5')
    await choose({ mapBouds: { north: 36, south: 35, east: -111, west: -112 } })
    await hasValue('North', '36')
    await choose({ mapBouds: { north: -111, south: 34, east: -110, west: 35 } })
    await page.alert('Could not import map.json: mapBounds.north: Latitude must be between')
    await choose('{ "center":')
    await page.alert('Could not import map.json: not valid JSON')
    await hasValue('North', '36')
  })
})

describe('unsaved map settings', () => {
  it('survive a reload, and report that another user has applied settings', async () => {
    const mapId = await open()
    await page.type('Latitude', '36')
    await page.reload()
    await hasValue('Latitude', '36')
    await says('Unsaved: Center')
    await applyConfiguration(page.server.database, mapId, { startZoom: 13 }, 2)
    await page.reload()
    await hasValue('Latitude', '36')
    await says(/Someone else changed these settings/)
    await page.press('button', 'Revert')
    await page.reload()
    await hasValue('Latitude', '34.05')
  })

  it('stay in other sections, and ask before leaving the map', async () => {
    await open()
    await page.type('Latitude', '36')
    await page.press('link', 'Map Features')
    await says(/settings not applied yet/)
    await page.press('link', 'Map Config')
    await hasValue('Latitude', '36')
    await page.press('link', 'Map Selection')
    await clickIn(await dialog('Unsaved settings'), 'Stay')
    await hasValue('Latitude', '36')
    await page.press('link', 'Map Selection')
    await clickIn(await dialog('Unsaved settings'), 'Leave without applying')
    await screen.findByRole('heading', { name: 'Client Selection' })
  })

  it('are compared when they are applied, if no live update arrived', async () => {
    const mapId = await open()
    await page.type('Longitude', '-112')
    await applyConfiguration(page.server.database, mapId, { center: { lat: 35, lng: -110 } }, 2)
    await page.press('button', 'Apply Settings')
    await conflict('Center', '35, -110')
  })

  it('are compared field by field with those of another user', async () => {
    const mapId = await open()
    await page.type('Longitude', '-112')
    await page.user.click(mapType('Terrain'))
    await applyElsewhere(mapId, { center: { lat: 35, lng: -110 }, startZoom: 9 })
    await says(/Someone else changed these settings/)
    await hasValue('Longitude', '-112')
    expect(conflicts()).toEqual(['Center: mine or theirs?'])
    await page.press('button', 'Apply Settings')
    await page.reload()
    await clickIn(await conflict('Center', '35, -110'), 'Take theirs')
    await hasValue('Latitude', '35')
    await says(/Unsaved: Map types$/)
    expect(screen.getByRole('slider', { name: 'Zoom' }).getAttribute('aria-valuenow')).toBe('9')
    await apply()
    expect(mapType('Terrain').checked).toBe(true)
    await hasValue('Longitude', '-110')
  })
})

describe('applied map settings', () => {
  it('are versions that can be restored, and restoring can be undone', async () => {
    await open(land, null)
    await page.type('Latitude', '36')
    await apply()
    await page.user.click(mapType('Terrain'))
    await apply()
    await page.press('button', 'Versions')
    expect((await version(2)).textContent).toMatch(/current/)
    expect((await version(2)).textContent).toContain(
      'Map types: Satellite, Street → Street, Satellite, Terrain',
    )
    await page.press('button', 'Restore version 1')
    await waitFor(async () => expect((await version(3)).textContent).toContain('Restored from version 1'))
    expect(mapType('Terrain').checked).toBe(false)
    await page.type('Latitude', '37')
    await undo('Restored version 1 of the settings')
    await waitFor(() => expect(mapType('Terrain').checked).toBe(true))
    await hasValue('Latitude', '37')
  })

  it('are not restored over unsaved ones without confirmation', async () => {
    await open()
    await page.user.click(mapType('Terrain'))
    await apply()
    await page.type('Latitude', '37')
    await page.press('button', 'Versions')
    await version(2)
    await page.press('button', 'Restore version 1')
    const unsaved = await dialog('Discard unsaved settings?')
    expect(unsaved.textContent).toContain('Restoring version 1 discards your changes: Center.')
    await clickIn(unsaved, 'Keep my changes')
    await hasValue('Latitude', '37')
    await page.press('button', 'Restore version 1')
    await clickIn(await dialog('Discard unsaved settings?'), 'Restore version 1')
    await says('No unsaved changes')
    await hasValue('Latitude', String(origin.lat))
  })

  it('are downloaded as a file, which can be loaded again', async () => {
    const mapId = await open(land, { startZoom: 9 })
    const downloaded = vi.spyOn(URL, 'createObjectURL')
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    await page.press('button', 'Export')
    const [link] = click.mock.contexts as HTMLAnchorElement[]
    expect(link?.download).toBe(`${mapId}-configuration.json`)
    const file = downloaded.mock.calls[0]?.[0] as Blob
    click.mockRestore()
    downloaded.mockRestore()
    expect(JSON.parse(await file.text())).toMatchObject({ startZoom: 9, center: { lat: 34.05 } })
    await page.type('Latitude', '36')
    await page.user.upload(
      document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement,
      new File([file], 'map.json', { type: 'application/json' }),
    )
    await hasValue('Latitude', '34.05')
    await says('No unsaved changes')
  })

  it('publish metadata by name, and personal data', async () => {
    await page.signIn()
    const metadata = Array.from({ length: 13 }, (_, at) => ({ name: `Column ${at + 1}`, value: at }))
    const mapId = await page.given([parcel({ id: 'p1', owner: 'Ada Byron', metadata })])
    await applyConfiguration(page.server.database, mapId, { publicMetadata: ['Gone'] })
    await page.open(`/config/map/${mapId}/configuration`)
    const names = () => within(screen.getByRole('group', { name: 'Public metadata' }))
    await waitFor(() =>
      expect(names().getByRole<HTMLInputElement>('checkbox', { name: 'Gone 0 features' }).checked).toBe(true),
    )
    await page.type('Search metadata', 'column 1')
    expect(names().getAllByRole('checkbox')).toHaveLength(5)
    await page.user.click(names().getByRole('checkbox', { name: 'Column 13 1 feature' }))
    await says('Unsaved: Public metadata')
    await apply()
    const isSeen = async (label: string, value: string | null) => {
      await page.hasDetailsOf('Parcel p1')
      if (value !== null) return page.hasFact(label, value)
      expect(within(page.details()).queryByText(label)).toBeNull()
    }
    page.signOut()
    await page.open(`/map/${mapId}?select=p1`)
    await isSeen('Column 13', '12')
    await isSeen('Column 1', null)
    await page.hasFact('Owner', '–')
    expect(page.details().textContent).not.toMatch(/staff only/i)
    await applyElsewhere(mapId, { showPersonalData: true }, 3)
    await page.hasFact('Owner', 'Ada Byron')

    await page.signIn()
    await page.open(`/map/${mapId}?select=p1`)
    const hidden = await screen.findByRole('region', { name: 'Staff only' })
    expect(hidden.textContent).toContain('Not visible to the public.')
    within(hidden).getByText('Column 1')
  })

  it('are copied to other clients without the location', async () => {
    const copied = { mapTypes: ['terrain' as const], defaultMapType: 'terrain' as const }
    await page.signIn()
    const [own, other] = await Promise.all(
      ['Source', 'Target'].map((name) => page.given(land, { name: `Copy ${name}` })),
    )
    await applyConfiguration(page.server.database, own as string, { ...copied, center: middle })
    await applyConfiguration(page.server.database, other as string, { center: origin })
    await page.open(`/config/map/${own}/configuration`)
    await page.press('button', 'Copy to others')
    const copying = await dialog('Copy settings to other clients')
    within(copying).getByRole('group', { name: 'What to copy' })
    within(copying).getByRole('searchbox', { name: 'Search clients' })
    const checked = within(copying)
      .getAllByRole<HTMLInputElement>('checkbox')
      .filter((box) => box.checked)
    expect(checked.map((box) => box.labels?.[0]?.textContent)).toEqual(['Base maps', 'Drawing tools'])
    expect(within(copying).queryByLabelText('Copy Source')).toBeNull()
    await page.user.click(await within(copying).findByLabelText('Copy Target'))
    await clickIn(copying, 'Copy to 1 client')
    await within(copying).findByText(/Settings applied, version 2/)
    const answer = await page.server.getJson<{ configuration: object }>(`/api/maps/${other}/configuration`)
    expect(answer.configuration).toMatchObject({ ...copied, center: origin })
  })
})

describe('while nothing is applied', () => {
  const note = () => screen.queryByText(/^No settings applied:/)
  const removeSettings = async () => {
    await page.press('button', 'Reset to defaults')
    return dialog('Reset settings to defaults?')
  }

  it('the default is proposed, and new land changes the untouched fields', async () => {
    const mapId = await open([], null)
    expect(note()?.textContent).toMatch(/the map opens on the whole country. These are suggestions./)
    await hasValue('Latitude', '34.05')
    await hasValue('Longitude', '-111.09')
    await page.user.click(mapType('Terrain'))
    await putFeatures(page.server.database, mapId, land)
    await page.hear()
    await hasValue('Latitude', middle.lat.toFixed(4))
    expect(mapType('Terrain').checked).toBe(true)
    await says('Unsaved: Map types')
  })

  it('the land is proposed; applying it unchanged can be undone', async () => {
    await open(land, null)
    expect(note()?.textContent).toMatch(/the map opens on the first parcel.*based on the land/)
    await says('Suggested, not applied yet')
    await apply()
    expect(note()).toBeNull()
    await undo('Applied the settings')
    await waitFor(() => expect(note()).toBeTruthy())
  })

  it('the map offers all that it does by default, until a version is restored', async () => {
    const mapId = await open(land, { center: origin, mapTypes: ['hybrid'], defaultMapType: 'hybrid' })
    const removal = await removeSettings()
    expect(removal.textContent).toContain('open on the first parcel, offer Street, Satellite, and Terrain')
    await clickIn(removal, 'Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(note()).toBeNull()
    await clickIn(await removeSettings(), 'Reset')
    await waitFor(() => expect(note()).toBeTruthy())
    await hasValue('Latitude', middle.lat.toFixed(4))
    expect(screen.queryByRole('button', { name: 'Reset to defaults' })).toBeNull()
    await page.press('button', 'Versions')
    expect((await version(2)).textContent).toContain('Settings reset to defaults')
    await page.press('button', 'Restore version 1')
    await hasValue('Default map type', 'hybrid')
    expect(note()).toBeNull()
    await undo('Restored version 1 of the settings')
    await version(4)
    await waitFor(() => expect(note()).toBeTruthy())
    const { items } = await page.send('GET', `/api/maps/${mapId}/activity`)
    expect(items[0]).toMatchObject({ action: 'configuration.removed', details: { version: 4 } })
  })

  it('a user who edited during the removal chooses between both', async () => {
    const mapId = await open()
    await page.type('Latitude', '36')
    const ifMatch = { 'if-match': '"1"' }
    await fetch(`/api/maps/${mapId}/configuration`, { method: 'DELETE', headers: ifMatch })
    await page.hear()
    await says(/Someone else changed these settings/)
    expect(note()).toBeTruthy()
    await clickIn(await conflict('Center', String(middle.lat.toFixed(4))), 'Keep mine')
    await apply()
    await hasValue('Latitude', '36')
  })

  it('settings that another user applied while the dialog was open stay', async () => {
    const mapId = await open()
    const removal = await removeSettings()
    await applyElsewhere(mapId, { center: middle })
    await hasValue('Latitude', String(middle.lat))
    await clickIn(removal, 'Reset')
    await page.alert('Could not reset the settings')
    expect(note()).toBeNull()
  })
})
