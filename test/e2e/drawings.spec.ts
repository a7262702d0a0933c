import type { Route } from '@playwright/test'
import { applyConfiguration, placeAt } from '#test/databases/test-map.ts'
import { Drawing } from './drawing.driver.ts'
import { camera, StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { blockLiveUpdates, SessionEnded } from './sign-in.driver.ts'

// Conflicts and refusals are errors in the browser console.
test.use({ toleratesNetworkFailures: true })

const edge = { name: 'drawn', ...placeAt(100, 50) }

test('saves shapes, shows them to other staff immediately, and resolves a conflict', {
  tag: '@painted',
}, async ({ page, otherPage, server }) => {
  const mapId = 'pine-ridge'
  const rosa = new StaffViewer(page, server)
  const grace = new StaffViewer(otherPage, server)
  await rosa.signIn('editor')
  await grace.signIn('administrator')
  await rosa.open(mapId)
  await grace.open(mapId)
  await rosa.drawRectangle(0, 0)
  await grace.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
  await expect(grace.count).toHaveText('1 drawing')
  await rosa.isSaved()
  await rosa.reshape(0, 0)
  const heard = rosa.hears('Grace’s')
  await grace.select('Rectangle')
  await expect(grace.form).toContainText(/Drawn by Rosa Delgado, just now/)
  await grace.name('Grace’s')
  await heard
  await rosa.drawing.action('Save').click()
  await expect(rosa.notices).toContainText('was changed by Grace Whitfield')
  const both = [{ name: 'reshaped', ...placeAt(60, 30) }, edge]
  await rosa.drawing.canvas.showsInkAt(both).toEqual(['reshaped', 'drawn'])
  await page.reload()
  await expect(rosa.notices).toContainText('was changed by')
  await rosa.drawing.canvas.showsInkAt(both).toEqual(['reshaped', 'drawn'])
  await rosa.button('Keep mine').click()
  await expect(rosa.notices).toHaveCount(0)
  await grace.drawing.canvas.showsInkAt(both).toEqual(['reshaped'])

  await rosa.drawing.button('Delete shapes').click()
  await rosa.drawing.action('Clear all').click()
  await expect(grace.count).toHaveText('No drawings yet')
  expect(await rosa.saved(mapId)).toEqual([])
})

test('hides drawings of staff from visitors and users without a role', { tag: '@painted' }, async ({
  given,
  page,
  otherPage,
  area,
  server,
}) => {
  const mapId = await given([])
  const grace = new StaffViewer(otherPage, server)
  await grace.signIn('administrator')
  await grace.open(mapId)
  await grace.drawRectangle(0, 0)
  await grace.isSaved()
  const drawing = new Drawing(page)
  const staff = new StaffViewer(page, server)
  for (const part of [null, 'nobody'] as const) {
    if (part) await area.signIn(part)
    await staff.open(mapId)
    await expect(drawing.tool('Rectangle')).toBeVisible()
    await drawing.canvas.showsInkAt([edge]).toEqual([])
    await expect(staff.panel).toBeHidden()
    const answer = await page.request.get(`/api/maps/${mapId}/drawings`)
    expect([401, 403]).toContain(answer.status())
  }
})

test.describe('a shape that is not saved', () => {
  let viewer: StaffViewer
  let mapId: string
  test.beforeEach(async ({ given, page, server }) => {
    mapId = await given([])
    viewer = new StaffViewer(page, server)
    await viewer.signIn('administrator')
    await viewer.open(mapId)
    await expect(viewer.count).toBeVisible()
  })
  const isStored = () => expect.poll(async () => (await viewer.saved(mapId)).length).toBe(1)

  test('stays offline and after a reload until it can be saved', { tag: '@painted' }, async ({ page }) => {
    const refuseWrites = (route: Route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort()
    await page.route('**/drawings', refuseWrites)
    await viewer.drawRectangle(0, 0)
    const words = '1 change not saved yet. The server cannot be reached. Your work stays'
    await expect(viewer.notices).toContainText(words)
    const dialogOpens = page.waitForEvent('dialog')
    const reloaded = page.reload()
    const dialog = await dialogOpens
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await reloaded
    await expect(viewer.notices).toContainText(words)
    await viewer.drawing.canvas.showsInkAt([edge]).toEqual(['drawn'])
    await page.unroute('**/drawings', refuseWrites)
    await viewer.button('Try again').click()
    await viewer.isSaved()
    await isStored()
  })

  test('is saved when the user signs in again after the session ended', { tag: '@painted' }, async ({
    page,
    context,
    server,
  }) => {
    // Live updates would close the session immediately.
    await blockLiveUpdates(page)
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
    await isStored()
  })
})

test('saves a text being typed when the page closes, and warns before signing out', async ({
  given,
  page,
  server,
}) => {
  const mapId = await given([])
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId)
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.drawing.clickAt(placeAt(0, 50))
  await viewer.form.getByLabel('Name').fill('Pond')
  await viewer.map.button('Logout').click()
  const warning = page.getByRole('dialog', { name: 'Unsaved changes' })
  await expect(warning.getByRole('listitem')).toHaveText('Name and note of ‘Unnamed rectangle’')
  await warning.getByRole('button', { name: 'Stay' }).click()
  const dialogOpens = page.waitForEvent('dialog')
  const reloaded = page.reload()
  await (await dialogOpens).accept()
  await reloaded
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Pond'])
})

test('saves and shows a shape beyond the date line', { tag: '@painted' }, async ({ given, page, server }) => {
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polyline'] })
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId, { lat: 0, lng: 179.9, zoom: camera.zoom - 5 })
  await viewer.drawing.open('Polyline')
  await viewer.drawing.clickAt({ lng: 179.8, lat: 0 }, { lng: 180.1, lat: 0.1 }, { lng: 180.1, lat: 0.1 })
  await viewer.drawing.hasLogged('created polyline', 'created polyline')
  await page.keyboard.press('Escape')
  await expect(viewer.count).toHaveText('2 drawings')
  await viewer.isSaved()
  await page.reload()
  await expect(viewer.count).toHaveText('2 drawings')
  await viewer.map.canvas
    .showsInkAt([
      { name: 'west of it', lng: 179.86, lat: 0.02 },
      { name: 'east of it', lng: 180.04, lat: 0.08 },
    ])
    .toEqual(['west of it', 'east of it'])
})
