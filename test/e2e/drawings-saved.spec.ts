import { parcel, placeAt } from '../test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { Drawing } from './drawing.driver.ts'
import { camera, StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { NotificationsPane } from './notifications-pane.driver.ts'

const edgesOf = (...corners: [name: string, east: number, north: number][]) =>
  corners.map(([name, east, north]) => ({ name, ...placeAt(east, north + 50) }))

test('saves an editor’s shapes and shows them to other staff immediately', {
  tag: '@painted',
}, async ({ page, otherPage, server }) => {
  const mapId = 'pine-ridge'
  const rosa = new StaffViewer(page, server)
  await rosa.signIn('editor')
  await rosa.open(mapId)
  const grace = new ConfigArea(otherPage, server)
  await grace.signInTo('/config/map', 'administrator')
  const scripts: string[] = []
  otherPage.on('request', (request) => {
    if (/\.js$/.test(request.url())) scripts.push(request.url())
  })
  await grace.visit(`/config/map/${mapId}/map#${camera.zoom}/${camera.lat}/${camera.lng}`)
  await grace.canvas.isComplete()
  await expect(rosa.count).toHaveText('Nothing drawn yet')

  const edges = edgesOf(['first', 100, 0])
  await rosa.drawRectangle(100, 0)
  await grace.canvas.showsInkAt(edges).toEqual(['first'])
  await expect(rosa.count).toHaveText('1 drawing')
  await rosa.isSaved()
  expect(scripts.filter((url) => url.includes('terra'))).toEqual([])

  await rosa.drawing.clickAt(placeAt(100, 50))
  await expect(rosa.form).toContainText(/Drawn by you \(Rosa Delgado\), this minute/)
  await rosa.name('New fence', 'Ask the neighbours')
  await expect
    .poll(async () => (await rosa.saved(mapId)).map(({ name, note }) => [name, note]))
    .toEqual([['New fence', 'Ask the neighbours']])
  const pane = new NotificationsPane(otherPage)
  await pane.open()
  await expect(pane.items.first()).toContainText(
    'Rosa Delgado changed the drawing of the rectangle ‘New fence’',
  )
  await expect(pane.items.nth(1)).toContainText('Rosa Delgado drew a rectangle')

  const other = new StaffViewer(otherPage, server)
  await other.open(mapId)
  await other.select('New fence')
  await expect(other.form).toContainText(/Drawn by Rosa Delgado, this minute; changed by Rosa Delgado/)
  await expect(other.form.getByLabel('Note')).toHaveValue('Ask the neighbours')
  await other.name('Old fence')
  await rosa.count.click()
  await expect(rosa.panel.getByRole('listitem')).toContainText('Old fence')
  await rosa.page.reload()
  await expect(rosa.count).toHaveText('1 drawing')
  await rosa.drawing.canvas.showsInkAt(edges).toEqual(['first'])
  await rosa.drawing.begin('Delete shapes')
  await rosa.drawing.clickAt(placeAt(150, 50))
  await rosa.drawing.action('Save').click()
  await expect(other.count).toHaveText('Nothing drawn yet')
  expect(await rosa.saved(mapId)).toEqual([])
})

test('clear all deletes only the user’s own shapes', async ({ page, otherPage, server }) => {
  const mapId = 'pine-ridge'
  const rosa = new StaffViewer(page, server)
  const grace = new StaffViewer(otherPage, server)
  await rosa.signIn('editor')
  await grace.signIn('administrator')
  await rosa.open(mapId)
  await grace.open(mapId)
  await rosa.drawRectangle(0, 0)
  await rosa.drawRectangle(-200, 0)
  await expect(grace.count).toHaveText('2 drawings')
  await grace.drawRectangle(0, -200)
  await expect(rosa.count).toHaveText('3 drawings')
  await grace.drawing.button('Delete shapes').click()
  await grace.drawing.action('Clear all').click()
  await expect(grace.count).toHaveText('2 drawings')
  await expect(rosa.count).toHaveText('2 drawings')
  expect((await rosa.saved(mapId)).map(({ author }) => author)).toEqual(['Rosa Delgado', 'Rosa Delgado'])
  expect(grace.drawing.logged.map(({ what }) => what)).toEqual(['created', 'deleted'])
  await rosa.drawing.button('Delete shapes').click()
  await rosa.drawing.action('Clear all').click()
  await expect(grace.count).toHaveText('Nothing drawn yet')
  expect(await rosa.saved(mapId)).toEqual([])
})

test.describe('a visitor', () => {
  // Refusals are errors in the browser console.
  test.use({ toleratesNetworkFailures: true })

  test('sees no staff drawings and keeps their own in the tab', { tag: '@painted' }, async ({
    given,
    page,
    otherPage,
    visitor,
    server,
  }) => {
    const mapId = await given([parcel({ id: 'p1' })])
    const grace = new StaffViewer(page, server)
    await grace.signIn('administrator')
    await grace.open(mapId)
    await grace.drawRectangle(250, 0)
    await grace.isSaved()
    await expect.poll(async () => (await grace.saved(mapId)).length).toBe(1)

    const drawing = new Drawing(otherPage)
    const seesNothing = async () => {
      await visitor.openViewer(mapId, { camera })
      await expect(drawing.tool('Rectangle')).toBeVisible()
      await drawing.canvas.showsInkAt(edgesOf(['hers', 250, 0])).toEqual([])
      await expect(otherPage.getByRole('region', { name: 'Drawings', exact: true })).toBeHidden()
      const answer = await otherPage.request.get(`/api/maps/${mapId}/drawings`)
      expect([401, 403]).toContain(answer.status())
    }
    await seesNothing()
    await new ConfigArea(otherPage, server).signInTo('/config/map', 'nobody')
    await seesNothing()
    await drawing.open('Rectangle')
    await drawing.clickAt(placeAt(-400, 0), placeAt(-300, 100))
    await drawing.hasLogged('created rectangle')
    await otherPage.reload()
    await drawing.canvas.showsInkAt(edgesOf(['own', -400, 0])).toEqual(['own'])
    expect(await grace.saved(mapId)).toHaveLength(1)
  })
})

test('offers to save drawings made before sign-in to the map', async ({ given, page, server }) => {
  const mapId = await given([])
  const viewer = new StaffViewer(page, server)
  await viewer.open(mapId)
  await viewer.drawRectangle(0, 0)
  await viewer.drawRectangle(-200, 0)
  await viewer.signIn('administrator')
  await page.reload()
  await expect(viewer.panel).toContainText('2 shapes drawn before you signed in are kept in this tab alone.')
  expect(await viewer.saved(mapId)).toEqual([])
  await viewer.button('Not now').click()
  await page.reload()
  await viewer.button('Save to the map').click()
  await expect(viewer.count).toHaveText('2 drawings')
  await expect(viewer.button('Save to the map')).toBeHidden()
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(2)
  await page.reload()
  await expect(viewer.count).toHaveText('2 drawings')
  await expect(viewer.button('Save to the map')).toBeHidden()
})

test('does not save drawings on the sample map', async ({ page, server }) => {
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url())
  })
  await viewer.map.openViewer()
  await viewer.drawing.open('Rectangle')
  const { x, y } = await viewer.drawing.canvas.onPage(await viewer.drawing.canvas.middle())
  await page.mouse.click(x, y)
  await page.mouse.click(x + 60, y + 60)
  await viewer.drawing.hasLogged('created rectangle')
  await page.reload()
  await expect(viewer.drawing.button('Edit shapes')).toBeEnabled()
  await expect(viewer.panel).toBeHidden()
  expect(writes).toEqual([])
  expect(await viewer.saved('sample')).toEqual([])
})
