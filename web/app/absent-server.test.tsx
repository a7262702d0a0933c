import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { recordActivity } from '#server/activity/activity.queries.ts'
import {
  applyConfiguration,
  asset,
  incident,
  parcel,
  putFeatures,
  takeFeatures,
  tellOfConfiguration,
} from '#test/databases/test-map.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { preparePage } from '#test/page/page.tsx'
import { checkConnection, isServerAway, nextRequest, noteAnswer } from '#web/api/connection.ts'

const page = preparePage()
const features = [
  asset({ id: 'a1', name: 'Old well' }),
  incident({ id: 'i1', title: 'Smoke' }),
  parcel({ id: 'p1', name: 'Lot 1' }),
]
const listAndDetails = [/features\?kind=asset/, /features\/a1$/]
const noConnection = () => screen.queryByText(/^No connection. Showing data from/)
const isBack = () => waitFor(() => expect(noConnection()).toBeNull())
/** A little longer than the timeout of a request. */
const limitMs = 30_500
const fakeTime = () =>
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
const never = () => new Promise<Response>(() => {})

describe('list and details', () => {
  const open = async () => page.open(`/map/${await page.given(features)}?tab=asset&select=a1`)
  const tryBothAgain = async () => {
    page.answerAgain()
    await (await page.alert('Could not load the list.')).click('Try again')
    await page.row('Old well')
    await (await page.alert('Could not load details.')).click('Try again')
    await page.hasDetailsOf('Old well')
  }

  it('show skeletons until they load', async () => {
    const released = Promise.withResolvers<void>()
    for (const part of listAndDetails) page.answer(part, (ask) => released.promise.then(ask))
    await open()
    await screen.findByRole('status', { name: 'Loading' })
    await screen.findByRole('status', { name: 'Loading details' })
    released.resolve()
    await page.hasDetailsOf('Old well')
    await page.row('Old well')
    expect(screen.queryByRole('status', { name: /^Loading/ })).toBeNull()
  })

  it('show why they were refused, and can be retried in place', async () => {
    for (const part of listAndDetails)
      page.answer(part, () => Response.json({ detail: 'The archive is being painted.' }, { status: 422 }))
    await open()
    const { alert } = await page.alert('Could not load the list.')
    expect(alert.textContent).toContain('The archive is being painted.')
    await tryBothAgain()
  })

  it('report a timeout after 30 seconds if the server is available', async () => {
    fakeTime()
    for (const part of listAndDetails) page.answer(part, never)
    await open()
    await screen.findByRole('status', { name: 'Loading details' })
    await page.pass(limitMs)
    for (const what of ['the list', 'details']) {
      const { alert } = await page.alert(`Could not load ${what}.`)
      expect(alert.textContent).toContain('The server did not respond within 30 seconds.')
    }
    expect(noConnection()).toBeNull()
    await tryBothAgain()
  })

  it('report a lost connection, and load when it is back', async () => {
    await page.open(`/map/${await page.given(features)}?tab=asset`)
    await page.row('Old well')
    await page.setOffline(true)
    expect(noConnection()).toBeTruthy()
    await page.user.click(await page.row('Old well'))
    const { alert } = await page.alert('Could not load details.')
    expect(alert.textContent).toContain('The server cannot be reached.')
    await page.type('Search the list', 'well')
    await page.alert('Could not load the list.')
    expect(page.rows()).toEqual([])
    await page.setOffline(false)
    await page.hasDetailsOf('Old well')
    await page.row('Old well')
    await isBack()
    expect(screen.queryAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Your browser cannot display the map.'),
    ])
  })

  it('ignore the login page of a hotel network', async () => {
    await page.open(`/map/${await page.given(features)}?tab=asset`)
    await page.row('Old well')
    page.answer(
      /^\/(api|health)/,
      () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }),
    )
    await page.user.click(await page.row('Old well'))
    await page.alert('The response did not come from the server.')
    await waitFor(() => expect(noConnection()).toBeTruthy())
    page.answerAgain()
    await checkConnection()
    await page.hasDetailsOf('Old well')
    await isBack()
  })
})

describe('live updates', () => {
  const notice = () => screen.queryByText(/^Live updates paused. Showing data from/)
  const newMastArrives = async (mapId: string) => {
    await putFeatures(page.server.database, mapId, [asset({ id: 'a2', name: 'New mast' })])
    await page.hear()
    await page.row('New mast')
  }

  it('remove a deleted feature from list and details', async () => {
    const mapId = await page.given(features)
    await page.open(`/map/${mapId}?tab=asset&select=a1`)
    await page.hasDetailsOf('Old well')
    await takeFeatures(page.server.database, mapId, ['a1'])
    await page.hear()
    await page.hasDetailsOf('No longer exists')
    await waitFor(() => expect(page.rows()).toEqual([]))
    expect(within(page.details()).queryByText('Status')).toBeNull()
  })

  it('of a map that staff left for another are seen when they return', async () => {
    await page.signIn()
    const mapId = await page.given(features, { name: 'Left for a while' })
    const other = await page.given([parcel({ id: 'p2' })], { name: 'Looked at meanwhile' })
    const goTo = async (client: string) => {
      await page.press('link', 'Map Selection')
      await page.press('link', `Select ${client}`)
      await screen.findByRole('link', { name: client })
      await page.press('link', 'Map Features')
    }
    await page.open(`/config/map/${mapId}/features`)
    await screen.findByText('Old well')
    await goTo('Looked at meanwhile')
    await screen.findByText('Parcel p2')
    expect(window.location.pathname).toContain(other)
    await putFeatures(page.server.database, mapId, [asset({ id: 'a1', name: 'New well' })])
    await page.hear()
    await goTo('Left for a while')
    await screen.findByText('New well')
  })

  it('request only affected data, and nothing that a change returned', async () => {
    await page.signIn()
    const mapId = await page.given(features)
    await page.open(`/config/map/${mapId}/features?select=i1`)
    await screen.findByRole('button', { name: 'Add photos or PDF' })
    await screen.findByRole('button', { name: 'Update' })
    const requested = async (change: () => Promise<unknown>, last: string) => {
      await waitFor(() => expect(page.client.isFetching()).toBe(0))
      page.requests.length = 0
      await change()
      await page.hear()
      const paths = () =>
        page.requests.flatMap((request) => /^GET \/api\/maps\/[^/]+([^?]*)/.exec(request)?.[1] ?? [])
      await waitFor(() => expect(paths()).toContain(last))
      await waitFor(() => expect(page.client.isFetching()).toBe(0))
      return paths().sort()
    }
    const resolve = async () => {
      await page.choose('Status of Smoke', 'Resolved')
      await page.alert('‘Smoke’: resolved')
    }
    expect(await requested(resolve, '/activity')).toEqual([
      '',
      '/activity',
      '/features',
      '/features/i1/position',
    ])
    const applies = async () => {
      await applyConfiguration(page.server.database, mapId, { startZoom: 9 })
      await tellOfConfiguration(page.server.database, mapId)
    }
    expect(await requested(applies, '/configuration')).toEqual(['', '/activity', '/configuration'])
    const publishes = () =>
      page.server.database.write((transaction) =>
        recordActivity(transaction, { mapId, action: 'file.published', subject: 'i1' }, Date.now()),
      )
    expect(await requested(publishes, '/features/i1/files')).toEqual(['/activity', '/features/i1/files'])
    const sets = () => page.send('PUT', `/api/maps/${mapId}/features/a1/status`, { status: 'offline' }, 1)
    expect(await requested(sets, '/features')).toEqual([
      '',
      '/activity',
      '/features',
      '/features/i1/position',
    ])
  })

  it('report two refusals, and reconnect', async () => {
    fakeTime()
    page.stream = 'refused'
    const mapId = await page.given(features)
    await page.open(`/map/${mapId}?tab=asset`)
    await page.row('Old well')
    expect(notice()).toBeNull()
    await page.pass(3_100)
    await waitFor(() => expect(notice()).toBeTruthy())
    page.stream = 'open'
    await page.pass(3_100)
    await waitFor(() => expect(notice()).toBeNull())
    await newMastArrives(mapId)
  })

  it('reconnect if they never open', async () => {
    fakeTime()
    page.stream = 'silent'
    const mapId = await page.given(features)
    await page.open(`/map/${mapId}?tab=asset`)
    await page.row('Old well')
    page.stream = 'open'
    const before = page.streams
    await page.pass(limitMs)
    await page.pass(3_100)
    expect(page.streams).toBeGreaterThan(before)
    await newMastArrives(mapId)
  })
})

describe('changes', () => {
  const latitude = () => screen.findByLabelText<HTMLInputElement>('Latitude')
  const editLatitude = async () => {
    await page.signIn()
    await page.open(`/config/map/${await page.given(features)}/configuration`)
    await page.type('Latitude', '36')
  }

  it('without an answer report that they may have been saved', async () => {
    await editLatitude()
    fakeTime()
    page.answer(/configuration$/, never)
    await page.press('button', 'Apply Settings')
    await page.pass(limitMs)
    await page.alert('The server did not respond within 30 seconds. Your change may still have been saved.')
    expect((await latitude()).value).toBe('36')
  })

  it('of files wait without a connection, and are sent when it is back', async () => {
    await page.signIn()
    await page.open(`/map/${await page.given(features)}?select=a1`)
    await screen.findByRole('button', { name: 'Add photos or PDF' })
    await page.setOffline(true)
    const input = page.details().querySelector<HTMLInputElement>('input[type=file]')
    const photo = new File([new Uint8Array(await aPhoto())], 'Inlet.jpg', { type: 'image/jpeg' })
    await page.user.upload(input as HTMLInputElement, photo)
    await screen.findByText('Waiting for the server. The upload will continue automatically.')
    await page.setOffline(false)
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Uploads' })).toBeNull())
    await screen.findByRole('button', { name: /Inlet\.jpg/ })
  })

  it('of settings are kept without a connection, and saved when it is back', async () => {
    await editLatitude()
    await page.setOffline(true)
    await page.press('button', 'Apply Settings')
    await page.alert('Could not apply the settings. The server cannot be reached.')
    expect((await latitude()).value).toBe('36')
    await page.setOffline(false)
    await page.press('button', 'Apply Settings')
    await screen.findByText('No unsaved changes')
  })

  it('of a status are undone without a connection', async () => {
    await page.signIn()
    await page.open(`/map/${await page.given(features)}?select=i1`)
    await screen.findByRole('button', { name: 'Resolve Smoke' })
    await page.setOffline(true)
    await page.press('button', 'Resolve Smoke')
    await page.alert(/Could not change ‘Smoke’.*The server cannot be reached./)
    expect(within(page.details()).getAllByText('Unresolved').length).toBeGreaterThan(0)
    await page.setOffline(false)
    await page.press('button', 'Resolve Smoke')
    await screen.findByRole('button', { name: 'Reopen Smoke' })
  })
})

describe('the page', () => {
  it('offers to retry if it cannot start', async () => {
    page.answer(/api\/settings/, 418)
    await page.open(`/map/${await page.given(features)}?tab=asset`)
    const { click } = await page.alert('Could not open the map.')
    page.answerAgain()
    await click('Try again')
    await page.row('Old well')
  })

  it('waits for a connection before it opens the sign-in', async () => {
    const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {})
    await page.setOffline(true)
    page.answer(/api\/session/, () => Response.json({ person: null, expiresAt: null, isDemo: true }))
    await page.open('/config/map')
    await screen.findByText(/Could not check your session|You will be redirected to Login/)
    expect(replace).not.toHaveBeenCalled()
    await page.setOffline(false)
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/sign-in?returnTo=%2Fconfig%2Fmap'))
    replace.mockRestore()
  })

  it('does not take an answer to an old request as a sign of a connection', async () => {
    const earlier = nextRequest()
    await page.setOffline(true)
    noteAnswer(earlier)
    expect(isServerAway()).toBe(true)
    noteAnswer(nextRequest())
    expect(isServerAway()).toBe(false)
  })
})
