import type { Route } from '@playwright/test'
import { placeAt } from '../test-map.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { blockLiveUpdates, SessionEnded } from './sign-in.driver.ts'

test.use({ toleratesNetworkFailures: true })

const edge = { name: 'drawn', ...placeAt(100, 50) }

let viewer: StaffViewer
let mapId: string
test.beforeEach(async ({ given, page, server }) => {
  mapId = await given([])
  viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId)
  await expect(viewer.count).toBeVisible()
})

const drawings = '**/drawings'
const refuseWrites = (route: Route) => (route.request().method() === 'GET' ? route.continue() : route.abort())

test('keeps an unsaved shape offline and after a reload until it can be saved', {
  tag: '@painted',
}, async ({ page }) => {
  await page.route(drawings, refuseWrites)
  await viewer.drawRectangle(0, 0)
  const words = '1 change is not saved yet. The server cannot be reached. Nothing is lost'
  await expect(viewer.notices).toContainText(words)
  await viewer.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
  await viewer.button('Try again').click()
  await expect(viewer.notices).toContainText(words)

  const dialogOpens = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await dialogOpens
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
  await expect(viewer.notices).toContainText(words)
  await viewer.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
  await page.unroute(drawings, refuseWrites)
  await viewer.button('Try again').click()
  await viewer.isSaved()
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(1)
})

test('saves a shape automatically after reconnecting', async ({ page, context }) => {
  await page.route(drawings, refuseWrites)
  await viewer.drawRectangle(0, 0)
  await expect(viewer.notices).toContainText('not saved yet')
  await page.unroute(drawings, refuseWrites)
  await viewer.map.loseConnection()
  await context.setOffline(false)
  await viewer.isSaved()
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(1)
})

test('saves a shape automatically after a short disconnect', async ({ page }) => {
  await page.route(drawings, refuseWrites)
  await viewer.drawRectangle(0, 0)
  await expect(viewer.notices).toContainText('not saved yet')
  await page.unroute(drawings, refuseWrites)
  await page.evaluate(() => {
    for (const word of ['offline', 'online']) window.dispatchEvent(new Event(word))
  })
  await viewer.isSaved()
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(1)
})

test('does not duplicate a shape whose save response was lost', async ({ page }) => {
  await page.route(
    drawings,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.route('**/api/events**', (route) => route.abort())
  await viewer.drawRectangle(0, 0)
  await expect(viewer.notices).toContainText('not saved yet')
  expect(await viewer.saved(mapId)).toHaveLength(1)
  await viewer.reshape(0, 0)
  await viewer.drawing.action('Save').click()
  await viewer.isSaved()
  await expect(viewer.count).toHaveText('1 drawing')
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ version }) => version)).toEqual([2])
})

test('keeps a shape on the map when its deletion fails', { tag: '@painted' }, async ({ page }) => {
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(1)
  await page.route('**/drawings/*', refuseWrites)
  await viewer.drawing.begin('Delete shapes')
  await viewer.drawing.clickAt(placeAt(50, 50))
  await viewer.drawing.action('Save').click()
  await expect(viewer.notices).toContainText('1 change is not saved yet')
  await viewer.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
  await page.unroute('**/drawings/*', refuseWrites)
  await viewer.button('Try again').click()
  await expect(viewer.count).toHaveText('Nothing drawn yet')
  await expect.poll(() => viewer.saved(mapId)).toEqual([])
})

test('keeps unsaved drawings when the user signs in again after the session ended', {
  tag: '@painted',
}, async ({ page, context, server }) => {
  // Live updates would close the session immediately.
  await page.route('**/api/events**', (route) => route.abort())
  await page.reload()
  await expect(viewer.count).toBeVisible()
  await context.clearCookies()
  await server.database.write((transaction) => transaction.deleteFrom('sessions').execute())
  await viewer.drawing.open('Rectangle')
  await viewer.drawing.clickAt(placeAt(0, 0), placeAt(100, 100))
  const ended = new SessionEnded(page)
  await expect(ended.dialog).toBeVisible()
  await ended.signInWithin(await ended.openWindow('Sign in again'))
  await viewer.isSaved()
  await viewer.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(1)
})

test('keeps a shape in progress when the session expires', { tag: '@painted' }, async ({
  page,
  context,
  server,
}) => {
  await page.clock.install()
  await blockLiveUpdates(page)
  await page.reload()
  await expect(viewer.count).toBeVisible()
  await viewer.drawing.open('Rectangle')
  await viewer.drawing.clickAt(placeAt(0, 0))
  await expect(viewer.drawing.status).toHaveText('Click to place the opposite corner')
  await context.clearCookies()
  await server.database.write((transaction) => transaction.deleteFrom('sessions').execute())
  await page.clock.fastForward('48:00:00')
  await expect(page.getByRole('link', { name: 'Login' }).or(viewer.map.button('Login'))).toBeVisible()
  await expect(page.getByText('Changes do not arrive at the moment')).toBeVisible()
  await expect(viewer.drawing.status).toHaveText('Click to place the opposite corner')
  await viewer.drawing.clickAt(placeAt(100, 100))
  await expect(viewer.notices).toContainText('1 change is not saved yet. Sign in first')
  await viewer.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
})

test('shows a failure to load drawings and retries', async ({ page }) => {
  const refuse = (route: Route) =>
    route.fulfill({ status: 403, json: { detail: 'Your role does not allow this.' } })
  await page.route('**/drawings?*', refuse)
  await page.reload()
  await expect(viewer.notices).toContainText('The drawings of this map could not be loaded. Your role')
  await page.unroute('**/drawings?*', refuse)
  await viewer.button('Try again').click()
  await expect(viewer.notices).toHaveCount(0)
  await expect(viewer.count).toBeVisible()
})

test('a change whose response was lost is not a conflict', async ({ page }) => {
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await page.route('**/api/events**', (route) => route.abort())
  await page.route(
    '**/drawings/*',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await viewer.reshape(0, 0)
  await viewer.drawing.action('Save').click()
  await expect(viewer.notices).toContainText('not saved yet')
  expect((await viewer.saved(mapId)).map(({ version }) => version)).toEqual([2])
  await viewer.button('Try again').click()
  await viewer.isSaved()
  expect((await viewer.saved(mapId)).map(({ version }) => version)).toEqual([2])
})

test('shows another user’s change to an author whose save response was lost', async ({ page, server }) => {
  await page.route(
    drawings,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.route('**/api/events**', (route) => route.abort())
  await viewer.drawRectangle(0, 0)
  await expect(viewer.notices).toContainText('not saved yet')
  await server.database.write((transaction) =>
    transaction
      .updateTable('drawings')
      .set({ name: 'Theirs', version: 2 })
      .where('map_id', '=', mapId)
      .execute(),
  )
  await viewer.reshape(0, 0)
  await viewer.drawing.action('Save').click()
  await expect(viewer.notices).toContainText('Theirs has the name ‘Theirs’')
  expect((await viewer.saved(mapId)).map(({ version }) => version)).toEqual([2])
})

test('saves the other shapes of a file when one is refused', async ({ page, server }) => {
  const geometry = { type: 'Point', coordinates: [-112.4, 35.2] }
  const row = {
    map_id: mapId,
    kind: 'marker',
    geometry: JSON.stringify(geometry),
    vertex_count: 1,
    name: '',
    note: '',
    author_id: 'somebody',
    author: 'Ada Byron',
    updated_by: 'Ada Byron',
    version: 1,
    created_at: 1,
    updated_at: 1,
  }
  // One less than the limit of 5,000 drawings per map.
  const rows = Array.from({ length: 4_999 }, (_value, index) => ({ ...row, id: `drawing-${index}` }))
  await server.database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += 500)
      await transaction
        .insertInto('drawings')
        .values(rows.slice(start, start + 500))
        .execute()
  })
  await page.reload()
  await expect(viewer.count).toHaveText('4,999 drawings')
  const features = ['Pond', 'Barn'].map((name) => ({ type: 'Feature', properties: { name }, geometry }))
  await viewer.drawing.dropFile('two.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  await expect(viewer.notices).toContainText('1 change is not saved yet.')
  await expect(viewer.notices).toContainText('a map holds at most 5,000 drawings: delete some first')
  await expect(viewer.count).toHaveText('5,001 drawings')
  const ofFile = server.database.read
    .selectFrom('drawings')
    .select('name')
    .where('map_id', '=', mapId)
    .where('version', '=', 1)
    .where('name', '!=', '')
  expect(await ofFile.execute()).toEqual([{ name: 'Pond' }])
})
