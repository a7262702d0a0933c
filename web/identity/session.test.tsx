import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { incident, parcel } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { watchPresence } from '#web/api/http.ts'

const page = preparePage()
const title = 'Your session has ended'
const dialog = () => screen.findByRole('dialog', { name: title })
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const fakeTime = () =>
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
async function signInAgain() {
  await page.signIn()
  new BroadcastChannel('poa-session').postMessage({})
  await isClosed()
}
const openWindow = (opened: Partial<Window> | null) =>
  vi.spyOn(window, 'open').mockReturnValue(opened as Window | null)

async function open(path: string, features = [parcel({ id: 'p1', owner: 'Ann Zabriskie' })]) {
  await page.signIn()
  const mapId = await page.given(features)
  await page.open(path.replace('MAP', mapId))
  return mapId
}

describe('a change after the session has ended', () => {
  it('is saved after the user signs in again in a window', async () => {
    const mapId = await open('/config/map/MAP/configuration')
    await page.type('Latitude', '36')
    await page.endSessions()
    await page.press('button', 'Apply Settings')
    await page.answerDialog(title, 'Not now')
    await isClosed()
    await screen.findByText('Unsaved: Center')
    await page.press('button', 'Apply Settings')

    const opening = openWindow(null)
    await page.answerDialog(title, 'Sign in again')
    await page.alert('The browser blocked the sign-in window')
    openWindow({ closed: true })
    const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    await page.answerDialog(title, 'Try again')
    await page.alert('The sign-in window was closed before you signed in.')
    openWindow({ closed: false })
    fakeTime()
    await page.answerDialog(title, 'Try again')
    await page.pass(60_000)
    await page.alert('The sign-in timed out after 1 minute.')
    opening.mockRestore()
    focus.mockRestore()
    await signInAgain()
    await screen.findByText('No unsaved changes')
    const { configuration } = await page.send('GET', `/api/maps/${mapId}/configuration`)
    expect(configuration.center.lat).toBe(36)
  })

  it('on the public map is saved, too', async () => {
    const mapId = await open('/map/MAP?select=i1', [incident({ id: 'i1', title: 'Smoke' })])
    await screen.findByRole('button', { name: 'Resolve Smoke' })
    await page.endSessions()
    await page.press('button', 'Resolve Smoke')
    await dialog()
    await signInAgain()
    await page.alert('‘Smoke’: resolved')
    expect(await page.saved(mapId, 'i1')).toMatchObject({ resolved: true })
  })

  it('is not an export without its staff columns', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    await open('/config/map/MAP/features')
    await screen.findByText('1 feature')
    await page.press('button', 'More')
    await page.press('menuitem', 'Export…')
    const form = within(await screen.findByRole('dialog', { name: 'Export 1 feature' }))
    await page.user.click(await form.findByRole('radio', { name: 'All fields' }))
    await page.endSessions()
    click.mockClear()
    await page.user.click(form.getAllByText('Export', { exact: true }).at(-1) as HTMLElement)
    await dialog()
    expect(click).not.toHaveBeenCalled()
    await page.signIn()
    new BroadcastChannel('poa-session').postMessage({})
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    const [link] = click.mock.contexts as HTMLAnchorElement[]
    click.mockRestore()
    expect(link?.href).toMatch(/\/export\?.*columns=all/)
    await isClosed()
  })
})

describe('the session', () => {
  it('that ended elsewhere hides staff data as soon as the page is seen again', async () => {
    await open('/config/map/MAP/map')
    await screen.findByRole('heading', { name: 'Recent changes' })
    await page.endSessions()
    window.dispatchEvent(new Event('focus'))
    await screen.findByRole('heading', { name: 'You have been signed out' })
    expect(screen.queryByRole('complementary', { name: 'Sidebar' })).toBeNull()
  })

  it('is not extended by an unattended page', async () => {
    await open('/config/map/MAP/features')
    await screen.findByText('Parcel p1')
    const fetching = vi.spyOn(globalThis, 'fetch')
    const areUnattended = async () => {
      fetching.mockClear()
      await page.client.refetchQueries({ type: 'active' })
      return new Set(fetching.mock.calls.map(([, init]) => new Headers(init?.headers).has('x-unattended')))
    }
    watchPresence()
    await page.user.keyboard('{Shift}')
    expect(await areUnattended()).toEqual(new Set([false]))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    expect(await areUnattended()).toEqual(new Set([true]))
    await page.user.keyboard('{Shift}')
    expect(await areUnattended()).toEqual(new Set([false]))
    fetching.mockRestore()
  })

  it('ends everywhere after a confirmation', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    await open('/config/map')
    const ask = async () => {
      await page.press('button', 'More pages and settings')
      await page.press('menuitem', 'Sign out everywhere')
    }
    await ask()
    const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere?' })
    expect(dialog.textContent).toContain('Your access tokens stay valid')
    await page.answerDialog('Sign out everywhere?', 'Cancel')
    await isClosed()
    expect(page.requests).not.toContain('DELETE /api/sessions')
    await ask()
    await page.answerDialog('Sign out everywhere?', 'Sign out everywhere')
    await waitFor(() => expect(assign).toHaveBeenCalled())
    expect(page.requests).toContain('DELETE /api/sessions')
    assign.mockRestore()
  })
})
