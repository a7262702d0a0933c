import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import { recordActivity } from '#server/activity/activity.queries.ts'
import { readConfiguration } from '#server/settings/configuration.ts'
import { startWebhookSender } from '#server/webhooks/webhook-sender.ts'
import { asset, incident, parcel } from '#test/databases/test-map.ts'
import { preparePage } from '#test/page/page.tsx'
import { noteClaim } from '#test/server/api-tokens.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startReceiver } from '#test/server/webhook-receiver.ts'
import { insideSettings } from '#test/server/webhooks.ts'

const page = preparePage()

describe('notifications', () => {
  const tab = () => screen.findByRole('tab', { name: /^Notifications/ })
  const items = () =>
    within(screen.getByRole('tabpanel', { name: /^Notifications/ })).queryAllByRole('listitem')
  const hasItems = (count: number) => waitFor(() => expect(items()).toHaveLength(count))
  const isUnread = (text: RegExp) => waitFor(async () => expect((await tab()).textContent).toMatch(text))

  it('describe every kind of event, newest first, and stay read', async () => {
    await page.signIn()
    const mapId = await page.given([parcel({ id: 'p1' })])
    const events: [ActivityAction, Record<string, unknown>, string][] = [
      ['client.added', {}, 'added this client'],
      [
        'features.imported',
        { source: 'lots.csv', created: 12, updated: 0, refused: 3 },
        'imported lots.csv: 12 created and 3 skipped',
      ],
      ['features.import-undone', { removed: 12 }, 'undid an import: 12 removed'],
      ['configuration.applied', { version: 1 }, 'applied settings, version 1'],
      ['configuration.restored', { version: 2, restoredFrom: 1 }, 'restored settings version 1 as version 2'],
      ['configuration.removed', { version: 3 }, 'reset the settings to defaults, version 3'],
      ['incident.resolved', { name: 'Smoke' }, 'resolved ‘Smoke’'],
      ['incident.reopened', { name: 'Smoke' }, 'reopened ‘Smoke’'],
      [
        'asset.status-changed',
        { name: 'Old well', before: 'operational', after: 'offline' },
        'changed ‘Old well’ from operational to offline',
      ],
      [
        'client.changed',
        { before: { name: 'A', location: 'B' }, after: { name: 'C', location: 'D' } },
        'renamed this client from ‘A’ to ‘C’ and changed its location to ‘D’',
      ],
      ['drawing.added', { count: 1, kind: 'circlemarker', name: '' }, 'drew a circle marker'],
      ['drawing.added', { count: 1, kind: 'polygon', name: 'Pond' }, 'drew the polygon ‘Pond’'],
      ['drawing.added', { count: 12 }, 'drew 12 shapes'],
      ['drawing.changed', { kind: 'marker', name: '' }, 'edited a marker'],
      ['drawing.deleted', { kind: 'circle', name: 'Pond' }, 'deleted the circle ‘Pond’'],
      ['drawing.cleared', { count: 1 }, 'deleted all of their drawings: 1 shape'],
      [
        'webhook.stopped',
        { host: 'hooks.example.org', reason: 'failing' },
        'turned off the webhook to hooks.example.org: messages failed for a day',
      ],
      ['client.archived', {}, 'archived this client'],
      ['client.restored', {}, 'restored this client'],
      ['database.restored', {}, 'restored a backup'],
    ]
    const hourMs = 3_600_000
    const now = Date.now()
    await page.server.database.write(async (transaction) => {
      for (const [index, [action, details]] of events.entries()) {
        const actor = { id: 'somebody', name: 'Ada Byron' }
        await recordActivity(transaction, { mapId, action, details, actor }, now - (index + 1) * hourMs)
      }
      for (let day = 2; day <= 22; day++)
        await recordActivity(transaction, { mapId, action: 'features.imported' }, now - day * 24 * hourMs)
    })
    await page.open(`/config/map/${mapId}/map`)
    await isUnread(/41 unread/)
    await page.press('tab', /^Notifications/)
    await hasItems(30)
    for (const [index, [, , words]] of events.entries())
      expect(items()[index]?.querySelector('p')?.textContent).toMatch(new RegExp(`^New: Ada Byron ${words}`))
    expect(items()[events.length]?.textContent).toContain('The system imported a file: no changes')
    expect(items()[2]?.querySelector('time')?.textContent).toBe('3 hours ago')
    await page.press('button', 'Show earlier')
    await hasItems(41)
    await page.press('button', 'Mark all as read')
    await waitFor(() => expect(items()[0]?.textContent).toMatch(/^Ada Byron/))
    await page.reload()
    await isUnread(/^Notifications$/)
  })

  it('of changes by others are unread until they are read', async () => {
    await page.signIn()
    const mapId = await page.given([incident({ id: 'i1', title: 'Smoke' })])
    const other = { id: 'rosa', name: 'Rosa Delgado' }
    const rosa = await signIn(page.server.database, 'administrator', other)
    const change = async (status: string) => {
      const url = `/api/maps/${mapId}/features/i1/status`
      const headers = { ...rosa, 'if-match': '*' }
      const answer = await page.server.send({ method: 'PUT', url, headers, payload: { status } })
      expect(answer.statusCode, answer.body).toBe(200)
      await page.hear()
    }
    const hasFirst = (text: RegExp) => waitFor(() => expect(items()[0]?.textContent).toMatch(text))
    await page.open(`/config/map/${mapId}/map`)
    // Changes in the first answer count as read.
    await screen.findByText('No activity yet')
    await isUnread(/^Notifications$/)
    await change('resolved')
    await isUnread(/1 unread/)
    const latest = within(await screen.findByRole('region', { name: 'Recent changes' }))
    await latest.findByText(/resolved ‘Smoke’/)
    await page.press('tab', /^Notifications/)
    await hasFirst(/^New: Rosa Delgado resolved ‘Smoke’/)
    expect(items()[0]?.querySelector('time')?.textContent).toBe('just now')
    expect(items()[0]?.querySelector('time')?.title).toMatch(/20\d\d/)
    await change('unresolved')
    await hasFirst(/^New: Rosa Delgado reopened ‘Smoke’/)
    expect(items()[1]?.textContent).toMatch(/^New:/)
    await isUnread(/2 unread/)
    await page.press('tab', /^Map/)
    await isUnread(/^Notifications$/)
    await page.signIn('administrator', other)
    await page.reload()
    await isUnread(/^Notifications$/)
    await page.press('tab', /^Notifications/)
    await hasFirst(/^Rosa Delgado reopened/)
  })

  it('undo a change, and make an undone one again', async () => {
    await page.signIn()
    const mapId = await page.given([incident({ id: 'i1', title: 'Smoke' })])
    const headers = { ...(await signIn(page.server.database, 'administrator')), 'if-match': '*' }
    const url = `/api/maps/${mapId}/features/i1`
    const payload = { title: 'Fog' }
    const answer = await page.server.send({ method: 'PATCH', url, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
    await page.open(`/config/map/${mapId}/map`)
    await page.press('tab', /^Notifications/)
    for (const [verb, title] of [
      ['Undo: changed title of', 'Smoke'],
      ['Redo: undid a change to', 'Fog'],
      ['Undo: undid a change to', 'Smoke'],
    ]) {
      const panel = within(screen.getByRole('tabpanel', { name: /^Notifications/ }))
      await page.user.click(await panel.findByRole('button', { name: new RegExp(`^${verb}`) }))
      await waitFor(async () => {
        const { body } = await page.server.send({ method: 'GET', url, headers })
        expect(body).toContain(`"title":"${title}"`)
      })
    }
  })

  it('are only shown to staff of the map', async () => {
    await page.signIn([])
    await page.open(`/config/map/${await page.given([parcel({ id: 'p1' })])}/map`)
    await page.press('tab', /^Notifications/)
    await screen.findByText('Only staff of this client can see notifications.')
    expect(items()).toEqual([])
    expect(screen.queryByRole('heading', { name: 'Recent changes' })).toBeNull()
  })
})

describe('the overview', () => {
  it('counts open work, and links to it and to changes', async () => {
    await page.signIn()
    const mapId = await page.given([
      incident({ id: 'i1', title: 'Smoke', severity: 'high' }),
      incident({ id: 'i2', title: 'Fallen cottonwood', severity: null }),
      incident({ id: 'i3', title: 'Old burn', severity: 'high', resolved: true }),
      asset({ id: 'a1', name: 'Old well', status: 'offline' }),
    ])
    const actor = { id: 'somebody', name: 'Ada Byron' }
    await page.server.database.write(async (transaction) => {
      const events = [
        { action: 'client.added' },
        { action: 'client.restored' },
        { action: 'configuration.applied', details: { version: 1 } },
        { action: 'drawing.added', details: { count: 2 } },
        { action: 'client.changed', details: { before: { name: 'A' }, after: { name: 'B' } } },
        { action: 'incident.reopened', subject: 'i2', details: { name: 'Fallen cottonwood' } },
      ] as const
      for (const [index, activity] of events.entries())
        await recordActivity(transaction, { mapId, actor, ...activity }, Date.now() + index)
    })
    await page.open(`/config/map/${mapId}/map`)
    const region = async (name: string) => within(await screen.findByRole('region', { name }))
    const counts = async (name: string) => (await region(name)).getAllByRole('link')
    const texts = async (name: string) => (await counts(name)).map(({ textContent }) => textContent)
    const names = (...expected: string[]) =>
      waitFor(() =>
        expect(
          [...document.querySelectorAll('td[data-column=name]')].map((cell) => cell.textContent),
        ).toEqual(expected),
      )
    expect(await texts('Open incidents')).toEqual(['1 High', '0 Medium', '0 Low', '1 Unknown'])
    expect(await texts('Assets out of order')).toEqual(['1 Offline', '0 Maintenance'])
    await page.user.click((await counts('Open incidents'))[0] as HTMLElement)
    await names('Smoke')
    await page.press('link', 'Overview')
    await page.user.click((await counts('Assets out of order'))[0] as HTMLElement)
    await names('Old well')
    await page.press('link', 'Overview')
    const change = async (name: RegExp) => (await region('Recent changes')).findByRole('link', { name })
    expect((await region('Recent changes')).getAllByRole('listitem')).toHaveLength(5)
    expect((await change(/renamed this client/)).getAttribute('href')).toBe(`/config/map/${mapId}/map`)
    expect((await change(/drew 2 shapes/)).getAttribute('href')).toBe(`/webgl/${mapId}`)
    await page.user.click(await change(/reopened ‘Fallen cottonwood’/))
    await page.hasDetailsOf('Fallen cottonwood')
    await page.press('link', 'Overview')
    await page.user.click(await change(/applied settings, version 1/))
    await screen.findByRole('region', { name: 'Versions' })
  })

  it('of an empty map offers the import to editors only', async () => {
    const mapId = await page.given([])
    await page.signIn([`editor:${mapId}`])
    await page.open(`/config/map/${mapId}/map`)
    const hint = await screen.findByText(/^No features yet/)
    within(hint).getByRole('link', { name: 'Import' })
    screen.getByText(/default settings/)
    await page.signIn([])
    await page.reload()
    await screen.findByText(/Editors of this client can import/)
  })
})

describe('an editor', () => {
  it('reads that only managers see webhooks', async () => {
    const mapId = await page.given([])
    await page.signIn([`editor:${mapId}`])
    await page.open(`/config/map/${mapId}/webhooks`)
    await screen.findByText('Only managers of this client can see its webhooks.')
  })

  it('makes tokens only for their own maps', async () => {
    const mapId = await page.given([], { name: 'Own POA' })
    await page.given([], { name: 'Foreign POA' })
    await page.signIn([`editor:${mapId}`])
    await page.open(`/config/map/${mapId}/tokens`)
    await screen.findByText(/Only managers of this client can see all access tokens/)
    await page.press('button', 'Create token')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create token' }))
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Own POA' }).checked).toBe(true),
    )
    expect(dialog.queryByRole('checkbox', { name: 'Foreign POA' })).toBeNull()
  })
})

describe('client selection', () => {
  const heading = () => screen.findByRole('heading', { name: 'Client Selection', level: 1 })

  it('shows editors their clients without managing them', async () => {
    const mapId = await page.given([], { name: 'Own POA' })
    await page.signIn([`editor:${mapId}`])
    await page.open('/config/map')
    await screen.findByText('1 client')
    within(screen.getByRole('main')).getByText('Own POA')
    for (const name of ['Add client', 'More actions for Own POA'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('radiogroup', { name: 'Client status' })).toBeNull()
  })

  it('shows a message to users without a role', async () => {
    await page.signIn([])
    await page.open('/config/map')
    await screen.findByText(/You do not have access to any clients/)
    expect(screen.queryByRole('button', { name: 'Add client' })).toBeNull()
  })

  it('is linked from a missing map', async () => {
    await page.signIn()
    await page.open('/config/map/nowhere-at-all/features')
    await screen.findByRole('heading', { name: 'Map not found' })
    await page.press('link', 'Select a client')
    await heading()
  })

  it('shows a failure to load the session and retries', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {})
    page.answer(/api\/session/, () => Promise.reject(new TypeError('Failed to fetch')))
    await page.open('/config/map')
    const { alert, click } = await page.alert('Could not check your session')
    expect(alert.textContent).toContain('The server cannot be reached.')
    page.answerAgain()
    await click('Try again')
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/sign-in?returnTo=%2Fconfig%2Fmap'))
    replace.mockRestore()
  })
})

it('details of an unknown kind are not available', async () => {
  const mapId = await page.given([asset({ id: 'well-1', name: 'North well' })])
  page.answer(/features\/well-1/, async (ask) => {
    const answer = await ask()
    return Response.json({ ...(await answer.json()), kind: 'hovercraft' }, { headers: answer.headers })
  })
  await page.open(`/map/${mapId}?tab=asset`)
  await page.user.click(await page.row('North well'))
  await screen.findByText('No details available')
})

describe('API tokens', () => {
  it('offer no form to a person without a role', async () => {
    await page.signIn([])
    await page.open('/config/tokens')
    await page.press('button', 'Create token')
    const dialog = await screen.findByRole('dialog', { name: 'Create token' })
    await within(dialog).findByText(/^You need a role/)
    expect(within(dialog).queryByRole('textbox')).toBeNull()
  })
  it('are made, sign changes, are shown as used, and revoked', async () => {
    const name = 'Token Creek POA'
    const mapId = await page.given([asset({ id: 'a1', name: 'Old well' })], { name })
    await page.given([], { name: 'Pine Ridge POA' })
    await page.signIn()
    await noteClaim(page.server.database, 'administrator')
    await page.open('/config/tokens')
    await screen.findByText('No tokens yet')
    await page.press('button', 'Create token')
    const form = within(await screen.findByRole('dialog', { name: 'Create token' }))
    const submit = () => page.user.click(form.getByRole('button', { name: 'Create token' }))
    const search = form.getByLabelText('Search clients')
    await submit()
    await form.findByText('Choose at least one map')
    expect(document.activeElement).toBe(form.getByLabelText(/^Name/))
    await page.fill(form.getByLabelText(/^Name/), 'County sync')
    await page.user.click(form.getByRole('checkbox', { name: /change features/ }))
    await submit()
    expect(document.activeElement).toBe(search)
    await page.fill(search, 'Token Creek')
    const all = await form.findByRole<HTMLInputElement>('checkbox', { name: 'All results' })
    await waitFor(() => expect(all.disabled).toBe(false))
    await page.user.click(form.getByRole('checkbox', { name }))
    await waitFor(() => expect(all.checked).toBe(true))
    await page.fill(search, 'Pine Ridge')
    await waitFor(() => expect(form.queryByRole('checkbox', { name })).toBeNull())
    expect(form.getByRole<HTMLInputElement>('checkbox', { name: 'Pine Ridge POA' }).checked).toBe(false)
    await page.fill(search, 'Nobody at all')
    await form.findByText('No results')
    await submit()

    const made = within(await screen.findByRole('dialog', { name: 'Token ‘County sync’ created' }))
    const secret = made.getByLabelText<HTMLInputElement>('Token').value
    expect(secret).toMatch(/^poa_/)
    await page.user.click(made.getByRole('button', { name: 'Copy' }))
    await made.findByText('Copied')
    expect(await navigator.clipboard.readText()).toBe(secret)
    await page.user.click(made.getByRole('button', { name: 'Done' }))
    const tokens = within(await screen.findByRole('list', { name: 'Access tokens' }))
    await tokens.findByText(/Never used/)
    await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull())

    const patch = () =>
      page.server.send({
        method: 'PATCH',
        url: `/api/maps/${mapId}/features/a1`,
        headers: { authorization: `Bearer ${secret}`, 'if-match': '"1"' },
        payload: { status: 'offline' },
      })
    expect((await patch()).statusCode).toBe(200)
    await page.open(`/config/map/${mapId}/map`)
    const changes = within(await screen.findByRole('region', { name: 'Recent changes' }))
    await changes.findByText(/Maya Ortiz, by token "County sync"/)
    await page.press('link', 'Access tokens')
    const list = within(await screen.findByRole('list', { name: 'Access tokens' }))
    await list.findByText(/Last used/)
    await page.press('button', 'Revoke County sync')
    await page.answerDialog('Revoke ‘County sync’?', 'Revoke')
    await page.alert('Token ‘County sync’ revoked')
    await screen.findByText('No tokens yet')
    expect((await patch()).statusCode).toBe(401)
  })
})

it('webhooks show their secret once, list and repeat deliveries, and are removed', async () => {
  using receiver = await startReceiver()
  const mapId = await page.given([asset({ id: 'well', name: 'Old well' })])
  await page.signIn()
  const sender = startWebhookSender(page.server.database, readConfiguration(insideSettings), {
    onError(error) {
      throw error
    },
    pollMs: null,
  })
  const deliver = async () => {
    await sender.work()
    await page.hear()
  }
  await page.open(`/config/map/${mapId}/webhooks`)
  await page.press('button', 'Add webhook')
  const dialog = async () => within(await screen.findByRole('dialog'))
  const hasSecret = async () => {
    expect((await (await dialog()).findByLabelText<HTMLInputElement>('Secret')).value).toMatch(/^whsec_/)
    await page.user.click((await dialog()).getByRole('button', { name: 'Done' }))
  }
  const form = await dialog()
  const address = form.getByRole('textbox', { name: 'URL' })
  await page.fill(address, 'https://169.254.169.254/latest')
  await page.user.click(form.getByRole('button', { name: 'Add webhook' }))
  await form.findByText(/is in a private network/)
  expect(address.getAttribute('aria-invalid')).toBe('true')
  await page.fill(address, `${receiver.url}/hook`)
  await page.fill(form.getByRole('textbox', { name: 'Description' }), 'County records')
  await page.user.click(form.getByRole('checkbox', { name: 'Incidents' }))
  await page.user.click(form.getByRole('button', { name: 'Add webhook' }))
  await hasSecret()

  const row = () => screen.findByRole('button', { name: /County records/ })
  expect((await row()).textContent).toContain('no deliveries yet')
  await page.user.click(await row())
  await page.press('button', 'Send test')
  await screen.findByRole('table', { name: 'Deliveries' })
  const delivery = (at: number) =>
    within(screen.getByRole('table', { name: 'Deliveries' })).getAllByRole('row')[at]
  const says = (at: number, text: string) => waitFor(() => expect(delivery(at)?.textContent).toContain(text))
  await deliver()
  await says(1, 'Delivered')
  expect(receiver.messages()).toMatchObject([{ type: 'test', data: { mapId } }])

  receiver.answerStatus(410)
  await page.changeElsewhere(mapId, 'well', { status: 'offline' })
  await deliver()
  await says(1, 'Status 410')
  await says(2, 'Test')
  await screen.findByText(/The receiver returned 410 Gone/)
  await page.press('button', 'All webhooks')
  await waitFor(async () => expect((await row()).textContent).toContain('Off after failures'))
  await page.user.click(await row())

  receiver.answerStatus(204)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send test' }).disabled).toBe(true)
  await page.press('button', 'Turn on')
  await page.alert('Webhook turned on')
  const repeat = () => within(delivery(1) as HTMLElement).getByRole<HTMLButtonElement>('button')
  await waitFor(() => expect(repeat().disabled).toBe(false))
  await page.user.click(repeat())
  await waitFor(() => expect(page.client.isMutating()).toBe(0))
  await deliver()
  await says(1, 'Delivered')
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(3)
  expect(ids[2]).toBe(ids[1])

  await page.press('button', 'Change secret')
  await page.user.click((await dialog()).getByRole('radio', { name: /^Expires now/ }))
  await page.user.click((await dialog()).getByRole('button', { name: 'Create secret' }))
  await hasSecret()
  await page.press('button', 'Remove')
  await page.answerDialog('Remove webhook?', 'Remove webhook')
  await page.alert('Webhook removed')
  await waitFor(() => expect(screen.queryByRole('button', { name: /County records/ })).toBeNull())
  await sender.close()
})

describe('people', () => {
  it('are listed for administrators, with their roles and where those come from', async () => {
    const mapId = await page.given([], { name: 'Oak Hills POA' })
    const { database } = page.server
    await noteClaim(database, [`manager:${mapId}`, 'editor:old-mill'], 'rosa', 'Rosa Delgado')
    await noteClaim(database, [], 'ben', 'Ben Moss')
    await page.signIn()
    await page.open('/config/map')
    await page.press('button', 'More pages and settings')
    await page.press('menuitem', 'People')
    const row = within(await screen.findByRole('row', { name: /^Rosa Delgado/ }))
    row.getByText('Manager of Oak Hills POA')
    row.getByText('Editor of old-mill (no such map)')
    row.getByText('Signed in just now')
    screen.getByText(/^Roles come from the built-in demo sign-in/)
    await page.fill(screen.getByLabelText('Search people'), 'moss')
    await waitFor(() => expect(screen.queryByRole('row', { name: /^Rosa/ })).toBeNull())
    screen.getByRole('row', { name: /^Ben Moss No role/ })
    await page.fill(screen.getByLabelText('Search people'), 'nobody')
    await screen.findByText('No people found matching "nobody".')
  })

  it('are hidden from managers', async () => {
    const mapId = await page.given([])
    await page.signIn([`manager:${mapId}`])
    await page.open('/config/people')
    await screen.findByText('Only administrators can see people.')
    await page.press('button', 'More pages and settings')
    await screen.findByRole('menuitem', { name: 'Your tokens' })
    expect(screen.queryByRole('menuitem', { name: 'People' })).toBeNull()
  })
})

describe('the menu of each page', () => {
  it('is in a sidebar that B collapses and expands', async () => {
    await page.signIn()
    await page.open('/config/tokens')
    await screen.findByRole('button', { name: 'Collapse the sidebar' })
    await page.user.keyboard('b')
    await screen.findByRole('button', { name: 'Expand the sidebar' })
    await page.user.keyboard('b')
    await screen.findByRole('button', { name: 'Collapse the sidebar' })
  })

  it('leads from people and tokens back to the client that was last chosen', async () => {
    const mapId = await page.given([])
    await page.signIn()
    await page.open(`/config/map/${mapId}/map`)
    await page.press('button', 'More pages and settings')
    await page.press('menuitem', 'Your tokens')
    await screen.findByRole('heading', { name: 'Your tokens' })
    await page.press('link', 'Map Features')
    await waitFor(() => expect(window.location.pathname).toBe(`/config/map/${mapId}/features`))
    await page.press('link', 'Map Selection')
    await screen.findByRole('heading', { name: 'Client Selection' })
    expect(screen.queryByRole('link', { name: 'Map Features' })).toBeNull()
    await page.press('button', 'More pages and settings')
    const viewer = await screen.findByRole('menuitem', { name: 'Viewer' })
    expect(viewer.getAttribute('href')).toBe(`/webgl/${mapId}`)
  })
})
