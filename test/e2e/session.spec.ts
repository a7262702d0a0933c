import type { Database } from '#server/database/database.ts'
import { parcel } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { blockLiveUpdates, SessionEnded, SignInPages } from './sign-in.driver.ts'

// Refusals and failed requests are errors in the browser console.
test.use({ toleratesNetworkFailures: true })

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
  await expect(page.getByRole('button', { name: 'Filters, 1 active' })).toBeVisible()
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
  await area.button('Expand the sidebar').click()
  await expect(area.sidebar).toContainText('Daniel Okafor')
})

test('keeps an edit when the session ends, and saves it after sign-in', async ({
  area,
  context,
  given,
  page,
  server,
}) => {
  await blockLiveUpdates(page)
  const panel = await area.openConfiguration(await given(land))
  const ended = new SessionEnded(page)
  await panel.latitude.fill('36')
  await endSessions(server.database)
  await context.clearCookies()

  await panel.apply.click()
  await ended.signInWithin(await ended.openWindow('Sign in again'))
  await expect(panel.changes).toHaveText('No unsaved changes')
  await expect(panel.latitude).toHaveValue('36')
  await page.reload()
  await expect(panel.latitude).toHaveValue('36')
})
