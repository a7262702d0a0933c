import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { asset, parcel, squareAt } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'

const page = preparePage()
const features = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann', geometry: squareAt(-900, 0, 300) }),
  parcel({ id: 'p2', name: 'Lot 2', owner: 'Bob' }),
  parcel({ id: 'p3', name: 'Lot 3', owner: 'Cleo', geometry: squareAt(900, 0, 300) }),
  asset({ id: 'a1', name: 'Well' }),
]
const saves = /features\/p\d$/

const grid = () => screen.getByRole('grid', { name: 'Features' })
const cell = (name: string, column: string) => {
  const row = [...grid().querySelectorAll('tr')].find(
    (one) => one.querySelector('td[data-column=name]')?.textContent === name,
  )
  const found = row?.querySelector(`td[data-column="${column}"]`)
  if (!(found instanceof HTMLElement)) throw new Error(`There is no cell ${column} of ${name}.`)
  return found
}
const hasText = (name: string, column: string, text: string) =>
  waitFor(() => expect(cell(name, column).textContent).toContain(text))
const isActive = (name: string, column: string) =>
  waitFor(() => expect(grid().getAttribute('aria-activedescendant')).toBe(cell(name, column).id))
const editor = () => grid().querySelector('td[data-edited] input') as HTMLInputElement
const edits = (label: string, value: string) =>
  waitFor(() => {
    expect(editor().labels?.[0]?.textContent ?? editor().getAttribute('aria-label')).toBe(label)
    expect(editor().value).toBe(value)
    expect(document.activeElement).toBe(editor())
  })
const keys = (text: string) => page.user.keyboard(text)
const notice = () => screen.queryByRole('status', { name: 'Not saved' })
const noticeSays = (text: string) => waitFor(() => expect(notice()?.textContent).toContain(text))

/** Blocks saves until the returned function is called. */
function holdSaves(then: (ask: () => Promise<Response>) => Promise<Response> = (ask) => ask()) {
  const released = Promise.withResolvers<void>()
  page.answer(saves, (ask, method) => (method === 'PATCH' ? released.promise.then(() => then(ask)) : ask()))
  return released.resolve
}

async function openOwners(...columns: string[]) {
  await page.signIn()
  const mapId = await page.given(features)
  await page.open(`/config/map/${mapId}/features?kind=parcel&sort=name`)
  await page.press('button', 'Columns')
  for (const column of columns) await page.press('checkbox', column)
  await keys('{Escape}')
  await hasText('Lot 1', 'owner', 'Ann')
  return mapId
}

describe('cells of the table', () => {
  it('are edited like those of a spreadsheet', async () => {
    const mapId = await openOwners('Status')
    await page.user.click(cell('Lot 1', 'owner'))
    await keys('Dora')
    await edits('Owner', 'Dora')
    expect(page.asksBeforeClosing()).toBe(true)
    await keys('{Escape}')
    await hasText('Lot 1', 'owner', 'Ann')
    expect(page.asksBeforeClosing()).toBe(false)
    expect(document.activeElement).toBe(grid())

    await keys('Dora{Enter}')
    await hasText('Lot 1', 'owner', 'Dora')
    await isActive('Lot 2', 'owner')
    await page.undo('‘Lot 1’ saved')
    await hasText('Lot 1', 'owner', 'Ann')

    grid().focus()
    await keys('{F2}')
    await edits('Owner', 'Bob')
    await keys('Bobby{Tab}')
    await hasText('Lot 2', 'owner', 'Bobby')
    await edits('Area', editor().value)
    await page.user.clear(editor())
    await keys('wide{Enter}')
    await waitFor(() =>
      expect(within(grid()).getByRole('alert').textContent).toBe('Must be a number, such as 12.5'),
    )
    expect(editor().value).toBe('wide')
    await keys('{Escape}{End}{Enter}')
    await screen.findByText('A parcel has no status.')
    await waitFor(async () => expect(await page.saved(mapId, 'p2')).toMatchObject({ owner: 'Bobby' }))
  })

  it('show both values if another user changed the same one', async () => {
    const mapId = await openOwners()
    let isOvertaken = false
    page.answer(/features\/p2$/, async (ask, method) => {
      if (method === 'PATCH' && !isOvertaken) {
        isOvertaken = true
        await page.changeElsewhere(mapId, 'p2', { owner: 'Theo' })
      }
      return ask()
    })
    await page.user.dblClick(cell('Lot 2', 'owner'))
    await edits('Owner', 'Bob')
    await page.user.clear(editor())
    await keys('Mine{Enter}')
    const conflict = await screen.findByRole('group', { name: 'Owner: mine or theirs?' })
    expect(conflict.textContent).toContain('Theo')
    await page.user.click(within(conflict).getByRole('button', { name: 'Keep mine' }))
    await hasText('Lot 2', 'owner', 'Mine')
    await waitFor(async () => expect(await page.saved(mapId, 'p2')).toMatchObject({ owner: 'Mine' }))
  })

  it('are saved in order while the user types in others', async () => {
    const mapId = await openOwners('Area', 'Zoning', 'Buildings')
    const release = holdSaves()
    await page.user.click(cell('Lot 1', 'owner'))
    await keys('Dora{Enter}Emil{Enter}Fritz{Enter}')
    const owners = { 'Lot 1': 'Dora', 'Lot 2': 'Emil', 'Lot 3': 'Fritz' }
    for (const [name, owner] of Object.entries(owners)) {
      await hasText(name, 'owner', owner)
      expect(cell(name, 'owner').getAttribute('aria-busy')).toBe('true')
    }
    await page.user.click(cell('Lot 1', 'owner'))
    await keys('Dorothea{Tab}')
    await edits('Buildings', '')
    await keys('4{ArrowDown}')
    await isActive('Lot 2', 'buildings')
    const isTyped = async () => {
      await hasText('Lot 1', 'owner', 'Dorothea')
      await hasText('Lot 1', 'buildings', '4')
      await hasText('Lot 3', 'owner', 'Fritz')
    }
    await isTyped()
    release()
    await waitFor(() => expect(grid().querySelector('[aria-busy=true]')).toBeNull())
    await isTyped()
    const changes = page.requests.filter((request) => request.startsWith('PATCH'))
    expect(changes).toHaveLength(5)
    expect(await page.saved(mapId, 'p1')).toMatchObject({ owner: 'Dorothea', buildings: 4, version: 4 })
    expect(await page.saved(mapId, 'p3')).toMatchObject({ owner: 'Fritz', version: 2 })
  })

  it('keep a value that was not saved, also after a reload, and link to it', async () => {
    const mapId = await openOwners('Area', 'Zoning', 'Buildings')
    const release = holdSaves(() => Promise.reject(new TypeError('Failed to fetch')))
    await page.user.click(cell('Lot 1', 'owner'))
    await keys('Dora{Enter}Em')
    await edits('Owner', 'Em')
    release()
    await noticeSays('‘Lot 1’, Owner: not saved. The server cannot be reached.')
    await keys('il')
    await edits('Owner', 'Emil')
    expect(cell('Lot 1', 'owner').getAttribute('aria-invalid')).toBe('true')
    await hasText('Lot 1', 'owner', 'Dora')
    await keys('{Escape}')

    await page.reload()
    await page.press('button', 'Go to ‘Lot 1’, Owner')
    await edits('Owner', 'Dora')
    await keys('{Enter}')
    await waitFor(() =>
      expect(within(grid()).getByRole('alert').textContent).toBe('The server cannot be reached.'),
    )
    page.answerAgain()
    await keys('{Enter}')
    await waitFor(() => expect(notice()).toBeNull())
    await hasText('Lot 1', 'owner', 'Dora')
    await waitFor(async () => expect(await page.saved(mapId, 'p1')).toMatchObject({ owner: 'Dora' }))
  })

  it('keep an invalid value when the user goes on, until it is dropped', async () => {
    await openOwners('Buildings')
    const leave = async () => {
      await page.user.dblClick(cell('Lot 3', 'buildings'))
      await page.user.clear(editor())
      await keys('two')
      await page.user.click(cell('Lot 1', 'owner'))
      await noticeSays('‘Lot 3’, Buildings: not saved. Must be a whole number of 0 or more')
    }
    await leave()
    await page.user.dblClick(cell('Lot 3', 'buildings'))
    await edits('Buildings', 'two')
    await keys('{Escape}')
    await waitFor(() => expect(notice()).toBeNull())
    await leave()
    expect(page.asksBeforeClosing()).toBe(true)
    await page.press('button', 'Logout')
    const warning = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }))
    expect(warning.getByRole('listitem').textContent).toBe('‘Lot 3’: Buildings')
    await page.user.click(warning.getByRole('button', { name: 'Stay' }))
    await page.press('button', 'Discard ‘Lot 3’, Buildings')
    await waitFor(() => expect(notice()).toBeNull())
    await hasText('Lot 3', 'buildings', '–')
  })
})
