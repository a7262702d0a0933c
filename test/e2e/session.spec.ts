import { readFile } from 'node:fs/promises'
import type { Database } from '#server/database/database.ts'
import { incident, parcel, putFeatures } from '../test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { expect, test } from './fixtures.ts'
import { blockLiveUpdates, SessionEnded, SignInPages } from './sign-in.driver.ts'

// Refusals and failed requests are errors in the browser console.
test.use({ toleratesNetworkFailures: true, sharesPage: false })

const land = [parcel({ id: 'p1' })]

/** Expires all sessions of the app, but not those of the identity provider. */
const endSessions = (database: Database) =>
  database.write((transaction) => transaction.deleteFrom('sessions').execute())

test('returns to the same page after sign-in, and stays signed out after signing out', async ({
  area,
  given,
  page,
}) => {
  const mapId = await given(land)
  const pages = new SignInPages(page)
  // A response without content does not navigate.
  await page.route('**/sign-in?**', (route) => route.fulfill({ status: 204 }))
  const path = `/config/map/${mapId}/features?kind=parcel#13/35.21/-112.41`
  const answered = page.waitForResponse('**/sign-in?**')
  await area.visit(path)
  await expect(page.getByText('Redirecting to Login...', { exact: true })).toBeVisible()
  await answered
  await page.unroute('**/sign-in?**')
  await page.reload()
  await pages.person('Grace Whitfield').click()
  await expect(page.getByRole('heading', { name: 'Map Features' })).toBeVisible()
  await expect(page.getByLabel('Kind', { exact: true })).toHaveValue('parcel')
  await area.canvas.cameraIs({ zoom: 13, lat: 35.21, lng: -112.41 })

  await area.button('Logout').click()
  const signedOut = page.getByRole('heading', { name: 'Signed out' })
  await expect(signedOut).toBeVisible()
  await expect(page).toHaveURL(/\/config\/map$/)
  await page.reload()
  await expect(signedOut).toBeVisible()
  await page.getByRole('link', { name: 'Login' }).click()
  await pages.person('Daniel Okafor').click()
  await expect(page).toHaveURL(/\/config\/map$/)
  await expect(page.getByRole('heading', { name: 'Client Selection' })).toBeVisible()
  await expect(area.sidebar).toContainText('Daniel Okafor')
})

test('asks before signing out everywhere, and ends the session in another browser', async ({
  area,
  otherPage,
  page,
  server,
}) => {
  const there = new ConfigArea(otherPage, server)
  for (const one of [there, area]) await one.signInByHand('/config/map')
  const everywhere = area.sidebar.getByRole('button', { name: 'Sign out everywhere' })
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await everywhere.click()
  await expect(dialog).toContainText('Your API tokens go on')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect(await new SignInPages(otherPage).personName()).toBe('Grace Whitfield')

  await everywhere.click()
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  for (const one of [page, otherPage]) expect(await new SignInPages(one).personName()).toBeNull()
  await expect(otherPage.getByRole('heading', { name: 'You have been signed out' })).toBeVisible()
  await expect(there.sidebar).toBeHidden()
})

test('keeps an edit when the session ends, and saves it after sign-in', async ({
  area,
  context,
  given,
  page,
  server,
}) => {
  await page.clock.install()
  await blockLiveUpdates(page)
  const panel = await area.openConfiguration(await given(land))
  const ended = new SessionEnded(page)
  await panel.latitude.fill('36')
  await endSessions(server.database)
  await context.clearCookies()

  await panel.apply.click()
  await expect(ended.dialog).toBeVisible()
  await ended.button('Not now').click()
  await expect(ended.dialog).toBeHidden()
  await expect(panel.latitude).toHaveValue('36')
  await expect(panel.changes).toContainText('Unsaved: Center')

  await panel.apply.click()
  const open = await page.evaluateHandle(() => window.open)
  await page.evaluate(() => {
    window.open = () => null
  })
  await ended.button('Sign in again').click()
  await expect(ended.failure).toContainText('The browser did not open a window')
  await page.evaluate((original) => {
    window.open = original
  }, open)

  const closedByHand = await ended.openWindow('Try again')
  await expect(ended.button('Try again')).toBeHidden()
  await closedByHand.close()
  await expect(ended.failure).toHaveText('The window was closed before anybody signed in.')

  const forgotten = await ended.openWindow('Try again')
  await page.clock.fastForward(60_000)
  await expect(ended.failure).toHaveText('Nobody signed in within a minute.')
  await ended.signInWithin(forgotten)
  await expect(panel.changes).toHaveText('No unsaved changes')
  await expect(panel.latitude).toHaveValue('36')
  await page.reload()
  await expect(panel.latitude).toHaveValue('36')
})

test('signs in again on the public map', async ({ area, map, given, page, server }) => {
  const mapId = await given([...land, incident({ id: 'i1', title: 'Smoke' })])
  await area.signInByHand('/config/map')
  await blockLiveUpdates(page)
  await map.visit(`/map/${mapId}?select=i1`)
  await expect(map.button('Resolve Smoke')).toBeVisible()
  await endSessions(server.database)
  await map.button('Resolve Smoke').click()
  // The identity provider still has a session and does not prompt.
  const ended = new SessionEnded(page)
  await ended.button('Sign in again').click()
  await expect(ended.dialog).toBeHidden()
  await expect(area.toast('‘Smoke’: resolved')).toBeVisible()
  await expect(map.button('Reopen Smoke')).toBeVisible()
  await map.visit(`/map/${mapId}?select=i1`)
  await expect(map.fact('Status')).toHaveText('Resolved')
})

test('an idle page receives changes without extending its session', async ({ area, given, page, server }) => {
  await page.clock.install()
  const mapId = await given(land)
  await area.openSection(mapId, 'features', 'administrator')
  const headersAfterChange = async (name: string) => {
    const asking = page.waitForRequest(`**/api/maps/${mapId}/features?**`)
    await putFeatures(server.database, mapId, [parcel({ id: 'p1', name })])
    // Requests are batched for a moment.
    await expect(async () => {
      await page.clock.fastForward(1_000)
      await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible({ timeout: 500 })
    }).toPass()
    return (await asking).headers()
  }
  expect(await headersAfterChange('Just looked at')).not.toHaveProperty('x-unattended')
  await page.clock.fastForward('02:00')
  expect(await headersAfterChange('Left alone')).toHaveProperty('x-unattended')
  await page.mouse.move(300, 300)
  expect(await headersAfterChange('Touched again')).not.toHaveProperty('x-unattended')
})

test(`asks to sign in again before an export when the session ended, and exports every column`, async ({
  area,
  given,
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await blockLiveUpdates(page)
  const ended = new SessionEnded(page)
  await area.openSection(
    await given([parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie' })]),
    'features',
    'administrator',
  )
  await page.getByRole('button', { name: 'Export' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Export 1 feature' })
  await dialog.getByRole('radio', { name: 'All fields' }).check()
  await endSessions(server.database)
  await dialog.getByText('Export', { exact: true }).last().click()
  const coming = page.waitForEvent('download')
  await ended.signInWithin(await ended.openWindow('Sign in again'))
  expect(await readFile(await (await coming).path(), 'utf8')).toContain('Ann Zabriskie')
  await expect(dialog).toBeHidden()
})
