import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { asset } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
const features = [
  asset({ id: 'a1', name: 'Old well', type: 'water' }),
  asset({ id: 'a2', name: 'Hydrant', type: 'water' }),
]
const kind = (name = 'Assets') => within(screen.getByRole('region', { name }))
const press = (name: string | RegExp) => page.user.click(kind().getByRole('button', { name }))
const name = () => kind().getByRole('textbox', { name: 'Name' })
const button = (text: string) => screen.getByRole<HTMLButtonElement>('button', { name: text })
const status = (text: string | RegExp) => screen.findByText(text)
const save = async () => {
  await page.press('button', 'Save')
  await status('No unsaved changes')
}
const plain = { type: 'line', choices: [], isRequired: false, visibleTo: 'everyone', help: null }
const none = { incident: [], asset: [], parcel: [], feature: [] }
const put = (mapId: string, fields: object, version = 0) =>
  page.send('PUT', `/api/maps/${mapId}/fields`, { fields: { ...none, ...fields } }, version)

async function open() {
  await page.signIn()
  const mapId = await page.given(features)
  await page.open(`/config/map/${mapId}/fields`)
  await screen.findByRole('region', { name: 'Assets' })
  return mapId
}
async function addField(text: string) {
  await press('Add field to assets')
  await waitFor(() => expect(document.activeElement).toBe(name()))
  await page.user.keyboard(text)
}

describe('the fields of a client', () => {
  it('are kept in other sections, and asked about before their map is left', async () => {
    const mapId = await open()
    await addField('Color')
    await page.press('link', 'Overview')
    await screen.findByText(/fields not saved yet/)
    const leave = async (answer: string) => {
      await page.press('link', 'Map Selection')
      await page.answerDialog('Unsaved fields', answer)
    }
    await leave('Stay')
    await page.press('link', 'Fields')
    await status('Unsaved: Color')
    await leave('Leave without saving')
    await screen.findByRole('heading', { name: 'Client Selection', level: 1 })
    await page.open(`/config/map/${mapId}/fields`)
    await status('No unsaved changes')
  })

  it('are added by managers, filled in by editors, and public if so chosen', async () => {
    const mapId = await open()
    await addField('Color')
    await page.choose('Type', 'Choice')
    for (const [index, choice] of ['Red', 'Safety yellow'].entries()) {
      await press('Add choice')
      await page.user.type(kind().getByRole('textbox', { name: `Choice ${index + 1}` }), choice)
    }
    const visibleTo = () => kind().getByRole<HTMLSelectElement>('combobox', { name: 'Visible to' })
    expect(visibleTo().value).toBe('staff')
    await page.choose('Visible to', 'Everyone')
    kind().getByText(/visible to everyone/)
    await addField('Installed')
    await page.press('button', 'Save')
    await status(/Is a built-in field of assets/)
    await page.fill(name(), 'Gate code')
    await page.reload()
    await status('Unsaved: Color, Gate code')
    await press('Move Gate code up')
    await save()

    await page.open(`/map/${mapId}?select=a1`)
    await page.press('button', 'Edit Old well')
    await page.choose('Color', 'Safety yellow')
    await page.type(/^Gate code/, 'Zebra 4711')
    await page.press('button', 'Save')
    await page.hasFact('Gate code', 'Zebra 4711')
    await page.hasFact('Color', 'Safety yellow')
    within(page.details())
      .getByText(/Gate code/)
      .closest('dt')
    expect(await page.saved(mapId, 'a1')).toMatchObject({
      own: { color: 'safetyYellow', gateCode: 'Zebra 4711' },
    })

    page.signOut()
    await page.open(`/map/${mapId}?tab=asset&select=a1`)
    await page.hasFact('Color', 'Safety yellow')
    expect(page.details().textContent).not.toContain('Gate code')
    await page.open(`/map/${mapId}?tab=asset&text=yellow`)
    await page.row('Old well')
    expect(page.rows()).toHaveLength(1)
    await page.open(`/map/${mapId}?tab=asset&text=zebra`)
    await screen.findByText('No assets found with the current filters.')
  })

  it('are removed and restored', async () => {
    await open()
    await addField('Key holder')
    await page.press('checkbox', 'Required')
    await save()
    await press('Remove Key holder')
    await save()
    await press('Restore Key holder')
    kind().getByRole('button', { name: 'Key holder Text · required · visible to staff only' })
    await save()
    expect(kind().queryByText('(removed)')).toBeNull()
  })

  it('of one kind, changed by another user, too, are kept or replaced', async () => {
    const mapId = await open()
    await addField('Mine')
    await put(mapId, {
      asset: [{ ...plain, key: 'theirs', label: 'Theirs' }],
      parcel: [{ ...plain, key: 'lot', label: 'Lot number' }],
    })
    await page.press('button', 'Save')
    await status(/Someone else changed the fields/)
    const conflict = await screen.findByRole('group', { name: 'Assets: mine or theirs?' })
    expect(conflict.textContent).toMatch(/Someone else .*Theirs/)
    kind('Parcels').getByRole('group', { name: 'Lot number' })
    await page.reload()
    await page.press('button', 'Save')
    await page.press('button', 'Keep mine')
    await save()
    const { fields, version } = await page.send('GET', `/api/maps/${mapId}/fields`)
    expect(fields).toMatchObject({ asset: [{ label: 'Mine' }], parcel: [{ label: 'Lot number' }] })
    await addField('Mine again')
    await put(mapId, { asset: [{ ...plain, key: 'theirs', label: 'Theirs' }] }, version)
    await page.client.invalidateQueries()
    await page.press('button', 'Take theirs')
    await status('No unsaved changes')
    kind().getByRole('group', { name: 'Theirs' })
    expect(button('Save').disabled).toBe(true)
  })

  it('are copied to other clients, which keep theirs', async () => {
    await page.signIn()
    const own = await page.given(features, { name: 'Field Source' })
    const other = await page.given(features, { name: 'Field Target' })
    const asset = [
      { ...plain, key: 'color', label: 'Color' },
      { ...plain, key: 'flow', label: 'Flow', type: 'number' },
    ]
    const parcel = [{ ...plain, key: 'flow', label: 'Flow of the well' }]
    await put(own, { asset, parcel })
    const theirs = { ...plain, key: 'shade', label: 'COLOR' }
    await put(other, { asset: [theirs] })
    await page.open(`/config/map/${own}/fields`)
    await page.press('button', 'Copy to others')
    const title = 'Copy fields to other clients'
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    await page.user.type(dialog.getByLabelText('Search clients'), 'field t')
    await page.user.click(await dialog.findByRole('checkbox', { name: 'Field Target' }))
    await page.answerDialog(title, 'Copy to 1 client')
    await dialog.findByText('Fields added')
    const { fields } = await page.send('GET', `/api/maps/${other}/fields`)
    expect(fields).toEqual({ ...none, asset: [theirs, asset[1]], parcel })

    await page.open(`/config/map/${own}/features`)
    await page.press('button', 'Columns')
    for (const column of screen.getAllByRole('checkbox', { name: /^(Color|Flow)$/ }))
      await page.user.click(column)
    await page.user.keyboard('{Escape}')
    const cell = () => {
      const row = [...document.querySelectorAll('tr')].find((one) => one.textContent?.includes('Hydrant'))
      return row?.querySelector('td[data-column="own.flow"]') as HTMLElement
    }
    await waitFor(() => expect(cell().textContent).toBe('–'))
    await page.user.dblClick(cell())
    await page.user.keyboard('12.5{Enter}')
    await page.alert('‘Hydrant’ saved')
    await page.reload()
    await waitFor(() => expect(cell()?.textContent).toBe('12.5'))
  })
})
