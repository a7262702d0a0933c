import { expect, test } from './fixtures.ts'
import { asset, parcel, placeAt, putFeatures } from './test-map.ts'

// The server takes what is asked, and never answers.

test.use({ toleratesNetworkFailures: true })

const camera = { ...placeAt(0, 0), zoom: 15 }
const features = [asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1' })]
/** As long as an answer may take, and a little more. */
const limitMs = 30_500

test('what is never answered says so, and can be asked for again', async ({ given, map, page }) => {
  await page.clock.install()
  const mapId = await given(features)
  for (const address of ['**/features?kind=asset**', '**/features/a1']) await page.route(address, () => {})
  await map.open(mapId, { camera, search: { tab: 'asset', select: 'a1' } })
  const loading = page.getByRole('status', { name: /^Loading/ })
  await expect(loading).toHaveCount(2)
  await page.clock.fastForward(limitMs)
  const inList = page.getByRole('tabpanel').getByRole('alert')
  await expect(inList).toContainText('The list could not be loaded.')
  await expect(inList).toContainText('The server has not answered for 30 seconds.')
  const inDetails = map.details.getByRole('alert')
  await expect(inDetails).toContainText('The server has not answered for 30 seconds.')
  await expect(loading).toHaveCount(0)
  // The rest of the server is there.
  await expect(map.noConnection).toBeHidden()

  await page.unrouteAll()
  await inList.getByRole('button', { name: 'Try again' }).click()
  await expect(map.row('Old well')).toBeVisible()
  await inDetails.getByRole('button', { name: 'Try again' }).click()
  await map.hasDetailsOf('Old well')
})

test('a change that is never answered says that it may have gone through', async ({ area, given, page }) => {
  await page.clock.install()
  const mapId = await given(features)
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  await page.route('**/configuration', () => {})
  await panel.apply.click()
  await page.clock.fastForward(limitMs)
  await expect(page.getByRole('alert')).toContainText(
    'The server has not answered for 30 seconds: perhaps it went through all the same.',
  )
  await expect(panel.latitude).toHaveValue('36')
})

test('a part of the program that never comes says so', async ({ given, map, page }) => {
  await page.clock.install()
  const mapId = await given(features)
  await page.route('**/shortcut-help-*.js', () => {})
  await map.open(mapId, { camera })
  await map.canvas.press('?')
  await page.clock.fastForward(limitMs)
  await expect(page.getByRole('dialog', { name: 'The list of shortcuts' })).toContainText(
    'The list of shortcuts could not be loaded.',
  )
})

test('live updates that are never opened are opened anew', async ({ given, map, page, server }) => {
  await page.clock.install()
  const mapId = await given(features)
  let isStuck = true
  await page.route('**/api/events**', (route) => (isStuck ? undefined : route.continue()))
  await map.open(mapId, { camera, search: { tab: 'asset' } })
  await expect(map.row('Old well')).toBeVisible()
  isStuck = false
  const opened = page.waitForResponse('**/api/events**')
  // The end of the wait, and the pause before the next attempt.
  await page.clock.fastForward(limitMs)
  await page.clock.fastForward(limitMs)
  await opened
  await putFeatures(server.database, mapId, [asset({ id: 'a2', name: 'New mast' })])
  await expect(map.row('New mast')).toBeVisible()
})
