import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { asset, incident, parcel, squareAt } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'

const page = preparePage()
const hydrants = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    asset({ id: `hydrant-${index + 1}`, name: `Hydrant ${index + 1}`, type: 'water' }),
  )
const grid = () => within(screen.getByRole('grid', { name: 'Features' }))
const row = (name: string) =>
  grid()
    .getByRole('checkbox', { name: `Select ${name}` })
    .closest('tr') as HTMLElement
const select = (name: string) => page.press('checkbox', `Select ${name}`)
const status = (name: string) => grid().getByLabelText<HTMLSelectElement>(`Status of ${name}`)
const hasStatus = (name: string, value: string) => waitFor(() => expect(status(name).value).toBe(value))
const setStatus = async (name: string, to: string) =>
  page.user.selectOptions(await grid().findByLabelText(`Status of ${name}`), to)
const dialog = async () => within(await screen.findByRole('dialog'))
const says = async (text: RegExp) => {
  const shown = await screen.findByRole('dialog')
  await waitFor(() => expect(shown.textContent).toMatch(text))
}
async function clickWith(key: 'Shift' | 'Control', element: HTMLElement) {
  await page.user.keyboard(`{${key}>}`)
  await page.user.click(element)
  await page.user.keyboard(`{/${key}}`)
}
const canUndo = (alert: HTMLElement) => within(alert).queryByRole('button', { name: 'Undo' }) !== null

async function open(features: Parameters<typeof page.given>[0], search = '?sort=name') {
  await page.signIn()
  const mapId = await page.given(features)
  await page.open(`/config/map/${mapId}/features${search}`)
  await screen.findByRole('grid', { name: 'Features' })
  return mapId
}

describe('rows of the table', () => {
  it('are selected by mouse and keyboard, also those that are not loaded, until the filter changes', async () => {
    const others = ['Smoke', 'Tree'].map((title) => incident({ id: title, title }))
    await open([...hydrants(140), ...others, asset({ id: 'well', name: 'Well', type: 'water' })])
    const selected = (text: string) =>
      waitFor(() =>
        expect(
          within(screen.getByRole('region', { name: 'Selected records' })).getByRole('status').textContent,
        ).toBe(text),
      )
    await select('Hydrant 1')
    await selected('1 asset selected')
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
    await clickWith('Shift', grid().getByRole('checkbox', { name: 'Select Hydrant 3' }))
    await selected('3 assets selected')
    await clickWith('Control', row('Hydrant 5'))
    await selected('4 assets selected')
    await select('Hydrant 2')
    await selected('3 assets selected')
    await page.press('button', 'Clear selection')
    screen.getByRole('grid', { name: 'Features' }).focus()
    await page.user.keyboard('{Control>}{Home}{/Control}{Shift>} {ArrowDown}{ArrowDown}{/Shift}')
    await selected('3 assets selected')
    await page.user.keyboard('{Control>}{End}{/Control}{Shift>}{ArrowUp}{/Shift}')
    await selected('142 records selected')
    await page.user.keyboard('{Control>}{Home}a{/Control}')
    await selected('143 records selected')
    await page.filterTable('Kind', 'Assets')
    await screen.findByText('141 features')
    expect(screen.queryByRole('region', { name: 'Selected records' })).toBeNull()
  })

  it('are changed together after a preview, and restored by one undo', async () => {
    await open([
      ...hydrants(3),
      asset({ id: 'well', name: 'Well', type: 'water', status: 'maintenance' }),
      parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(900, 0, 400) }),
    ])
    await page.filterTable('Kind', 'Assets')
    await screen.findByText('4 features')
    await select('Hydrant 1')
    await page.bulk('Select all 4')
    await select('Hydrant 2')
    await page.press('button', 'Set status')
    await page.press('menuitem', 'Maintenance')
    await says(/2 of 3 assets will change; 1 already matches\..*Operational → Maintenance/)
    await page.user.click((await dialog()).getByRole('button', { name: 'Set 2 assets to maintenance' }))
    await page.alert('Set 2 assets to maintenance')
    await hasStatus('Hydrant 1', 'maintenance')
    expect(status('Hydrant 2').value).toBe('operational')
    await page.press('tab', /^Notifications/)
    const items = () =>
      within(screen.getByRole('tabpanel', { name: /^Notifications/ })).getAllByRole('listitem')
    await waitFor(() => expect(items()[0]?.textContent).toContain('Maya Ortiz set 2 assets to maintenance'))
    await within(items()[0] as HTMLElement).findByRole('button', { name: /^Undo/ })
    await page.undo('Set 2 assets to maintenance')
    await page.alert('Change to 2 assets undone')
    await hasStatus('Hydrant 1', 'operational')
    await waitFor(() => expect(items()[0]?.textContent).toContain('undid changes to 2 assets'))
    await setStatus('Well', 'Operational')
    await waitFor(() => expect(items()[0]?.textContent).toContain('changed ‘Well’'))
    await setStatus('Well', 'Offline')
    await waitFor(() => expect(items()[0]?.textContent).toContain('to offline'))
    const undoOf = (item: HTMLElement | undefined) =>
      within(item as HTMLElement).queryByRole('button', { name: /^Undo/ })
    expect(undoOf(items()[1])).toBeNull()
    await page.user.click(undoOf(items()[0]) as HTMLElement)
    await hasStatus('Well', 'operational')
  })

  it('show mixed values of their fields, and are removed together', async () => {
    await open([...hydrants(3), asset({ id: 'well', name: 'Well', type: 'water', description: 'Deep' })])
    await select('Well')
    await page.bulk('Select all 4')
    await page.bulk('Edit fields…')
    const description = await (await dialog()).findByLabelText<HTMLInputElement>('Description')
    expect([description.placeholder, description.value]).toEqual(['2 different values', ''])
    expect((await dialog()).getByLabelText<HTMLSelectElement>('Status').value).toBe('operational')
    await says(/No changes yet\./)
    await page.fill(description, 'Deep')
    await says(/3 of 4 assets will change; 1 already matches\./)
    await page.user.selectOptions((await dialog()).getByLabelText('Type'), 'Road')
    const change = 'Change description and type of 4 assets'
    const button = await (await dialog()).findByRole('button', { name: change })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'))
    await page.user.click(button)
    await page.alert('Changed description and type of 4 assets')
    await waitFor(() => expect(row('Well').textContent).toContain('Road'))
    await select('Hydrant 1')
    await clickWith('Shift', grid().getByRole('checkbox', { name: 'Select Hydrant 3' }))
    await page.bulk('Remove…')
    await says(/You can restore them for 30 days\./)
    await page.user.click((await dialog()).getByRole('button', { name: 'Remove 3 assets' }))
    await screen.findByText('1 feature')
    await page.undo('Removed 3 assets')
    await screen.findByText('4 features')
  })

  it('show the progress of a long change, which can be canceled', async () => {
    await open(hydrants(600))
    await select('Hydrant 1')
    await page.bulk('Select all 600')
    await page.press('button', 'Set status')
    await page.press('menuitem', 'Offline')
    const released = Promise.withResolvers<void>()
    page.answer(/\/bulk-changes\/[\w-]+$/, (ask) => released.promise.then(ask))
    await page.user.click(await (await dialog()).findByRole('button', { name: 'Set 600 assets to offline' }))
    const running = await screen.findByRole('region', { name: 'Change in progress' })
    expect(running.textContent).toMatch(/Set 600 assets to offline….* of 600/)
    await page.user.click(within(running).getByRole('button', { name: 'Cancel' }))
    released.resolve()
    await page.alert(/Stopped after|Set 600 assets to offline\./)
  })
})

describe('an undo', () => {
  const features = [
    parcel({ id: 'p1', name: 'Lot 1' }),
    asset({ id: 'a1', name: 'Old well' }),
    asset({ id: 'a2', name: 'Pump' }),
  ]

  it('is withdrawn when another user changes the record again', async () => {
    const mapId = await open(features)
    await setStatus('Old well', 'Maintenance')
    const { alert: well } = await page.alert('‘Old well’: maintenance')
    await setStatus('Pump', 'Maintenance')
    const { alert: pump } = await page.alert('‘Pump’: maintenance')
    expect([canUndo(well), canUndo(pump)]).toEqual([true, true])
    await waitFor(() => expect(page.client.isFetching()).toBe(0))
    await page.changeElsewhere(mapId, 'a1', { status: 'offline' })
    await page.hear()
    await hasStatus('Old well', 'offline')
    await waitFor(() => expect([canUndo(well), canUndo(pump)]).toEqual([false, true]))
    status('Pump').focus()
    await page.user.keyboard('{Control>}z{/Control}')
    await hasStatus('Pump', 'operational')
    expect(status('Old well').value).toBe('offline')
  })

  it('of a bulk change is withdrawn when it is undone elsewhere', async () => {
    const mapId = await open(features)
    await select('Old well')
    await select('Pump')
    await page.press('button', 'Set status')
    await page.press('menuitem', 'Maintenance')
    await page.user.click(await (await dialog()).findByRole('button', { name: /^Set/ }))
    const { alert } = await page.alert('Set 2 assets to maintenance')
    await waitFor(() => expect(canUndo(alert)).toBe(true))
    const { items } = await page.send('GET', `/api/maps/${mapId}/activity`)
    const id = items[0].subject ?? items[0].details.changeId
    await page.send('POST', `/api/maps/${mapId}/bulk-changes/${id}/undo`, { id: 'undo-elsewhere' })
    await page.hear()
    await hasStatus('Pump', 'operational')
    await waitFor(() => expect(canUndo(alert)).toBe(false))
  })

  it('is offered at once, however many notifications are open', async () => {
    await open(features, '')
    for (const count of [1, 2, 3, 4, 5, 6]) showSuccess(`Change ${count}`)
    // Less than a notification stays open.
    await waitFor(() => screen.getByText('Change 6.'), { timeout: 5_000 })
    await waitFor(() => expect(screen.queryByText('Change 1.')).toBeNull(), { timeout: 2_000 })
  })

  it('by Ctrl+Z restores the last change and Ctrl+Shift+Z redoes it, but not while a field has edits of its own', async () => {
    await open(features, '')
    const undo = () => page.user.keyboard('{Control>}z{/Control}')
    const focus = () => screen.getByRole('grid', { name: 'Features' }).focus()
    focus()
    await undo()
    await page.alert('Nothing to undo')
    await setStatus('Pump', 'Maintenance')
    await page.alert('‘Pump’: maintenance')
    focus()
    await undo()
    await hasStatus('Pump', 'operational')
    await setStatus('Pump', 'Offline')
    await page.alert('‘Pump’: offline')
    await page.type('Search features', 'p')
    await undo()
    expect(status('Pump').value).toBe('offline')
    await page.user.clear(screen.getByLabelText('Search features'))
    await waitFor(() => grid().getByRole('checkbox', { name: 'Select Old well' }))
    const name = () => row('Old well').querySelector('td[data-column=name]') as HTMLElement
    await page.user.dblClick(name())
    const editor = await waitFor(() => name().querySelector('input') as HTMLInputElement)
    await page.fill(editor, 'New well')
    await page.user.keyboard('{Enter}')
    await page.alert('‘New well’ saved')
    focus()
    await undo()
    await page.alert('Change to ‘New well’ undone')
    await undo()
    await hasStatus('Pump', 'operational')
    const redo = () => page.user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
    await redo()
    await hasStatus('Pump', 'offline')
    await redo()
    await page.alert('Change to ‘New well’ redone')
    await waitFor(() => row('New well'))
    await undo()
    await waitFor(() => row('Old well'))
    await setStatus('Pump', 'Maintenance')
    await page.alert('‘Pump’: maintenance')
    focus()
    await redo()
    await page.alert('Nothing to redo')
  })
})
