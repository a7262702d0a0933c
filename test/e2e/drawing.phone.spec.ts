import { applyConfiguration, origin, parcel, placeAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { coveringParts } from './covering.ts'
import { coordinatesOf } from './drawing.driver.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { pixelsBetween } from './map-canvas.driver.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'
import { smallTargets } from './touch-targets.ts'

const camera = { ...origin, zoom: 15 }
const everyTool = ['polyline', 'polygon', 'rectangle', 'circle', 'marker', 'circlemarker'] as const

let drawing: DrawingByTouch
let mapId: string

test.beforeEach(async ({ given, page, server }) => {
  mapId = await given([parcel({ id: 'p1' })])
  await applyConfiguration(server.database, mapId, { drawingTools: [...everyTool] })
  drawing = await DrawingByTouch.on(page)
})

const ringOf = (shape: Parameters<typeof coordinatesOf>[0]) => (coordinatesOf(shape)[0] ?? []) as number[][]

test('draws and edits by finger, without moving the map, while the list is hidden', async ({ map, page }) => {
  await map.openViewer(mapId, { camera })
  const sheet = new PhoneSheet(page)
  await sheet.isAt('half')
  await drawing.open('Rectangle')
  await sheet.isAt('small')
  await expect(drawing.fold).toHaveAccessibleName('Drawing tools, active: Draw: Rectangle')
  await drawing.action('Done').tap()
  await sheet.isAt('half')

  await drawing.open('Polygon')
  await drawing.tapAt(placeAt(-100, 0), placeAt(250, 0), placeAt(250, 250), placeAt(0, 250))
  await drawing.tapBeside(placeAt(-100, 0), { x: 6, y: -7 })
  await drawing.hasLogged('created polygon')
  await drawing.begin('Edit shapes')
  await drawing.tapAt(placeAt(150, 100))
  await expect(drawing.status).toHaveText('Drag the shape or its points')
  await expect(drawing.action('Remove point')).toBeDisabled()
  await drawing.drag(placeAt(250, 250), placeAt(300, 350))
  await expect(drawing.action('Save')).toBeEnabled()
  await drawing.tapAt(placeAt(0, 250))
  await drawing.action('Remove point').tap()
  await drawing.action('Save').tap()
  const [, edited] = await drawing.hasLogged('created polygon', 'edited polygon')
  expect(ringOf(edited)).toHaveLength(4)
  const north = Math.max(...ringOf(edited).map(([, lat = 0]) => lat))
  expect(Math.abs(north - placeAt(0, 350).lat)).toBeLessThan(0.0001)

  await drawing.open('Rectangle')
  await drawing.drag(placeAt(-150, -300), placeAt(250, 100))
  const [, , rectangle] = await drawing.hasLogged('created polygon', 'edited polygon', 'created rectangle')
  const [lngs, lats] = [0, 1].map((axis) => ringOf(rectangle).map((corner) => corner[axis] ?? 0))
  for (const [drawn, expected] of [
    [{ lng: Math.min(...(lngs ?? [])), lat: Math.min(...(lats ?? [])) }, placeAt(-150, -300)],
    [{ lng: Math.max(...(lngs ?? [])), lat: Math.max(...(lats ?? [])) }, placeAt(250, 100)],
  ] as const) {
    const { x, y } = pixelsBetween(expected, drawn, camera.zoom)
    expect(Math.hypot(x, y)).toBeLessThan(2)
  }
  await map.canvas.cameraIs(camera)
  await expect(map.details).toBeHidden()
})

test('places tools, status and messages side by side, upright and sideways', async ({ map, page }) => {
  await map.openViewer(mapId, { camera })
  const isTidy = () => expect.poll(() => coveringParts(page, { status: drawing.bar })).toEqual([])
  await isTidy()
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 740, height: 360 },
  ]) {
    await page.setViewportSize(viewport)
    await drawing.fold.tap()
    await expect(drawing.toolbar).toBeVisible()
    await isTidy()
    await drawing.button('Draw: Polygon').tap()
    await expect(drawing.status).toHaveText('Tap to place the first point')
    await drawing.canvas.isComplete()
    await drawing.tapAt(placeAt(-500, 100), placeAt(500, 100), placeAt(0, 350))
    await expect(drawing.bar).toContainText('Perimeter')
    await isTidy()
    for (const name of ['Undo', 'Redo', 'Finish', 'Cancel'])
      await expect(drawing.action(name)).toBeInViewport({ ratio: 1 })
    for (const place of [placeAt(-520, 40), placeAt(520, 40)]) {
      await drawing.tapAt(place)
      await expect(drawing.refusal).toBeInViewport({ ratio: 1 })
      await expect(drawing.refusal).toBeHidden()
    }
    await drawing.action('Finish').tap()
    await drawing.begin('Edit shapes')
    await drawing.tapAt(placeAt(0, 200))
    await expect(drawing.action('Remove point')).toBeVisible()
    await isTidy()
    expect(await smallTargets(page)).toEqual([])
    await isAccessible(page)
    await drawing.action('Cancel').tap()
    await drawing.dropFile('the_western_meadow_and_its_brook_of_last_year.json', '{ "type": "Feature" ')
    await expect(drawing.problem).toContainText('it is not valid JSON')
    await isTidy()
    await drawing.begin('Delete shapes')
    await drawing.action('Clear all').tap()
  }
})

test('lists and names drawings, and closes the list to draw', async ({ page, server }) => {
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  const id = '5f0c9a52-7a0d-4f6e-9a3b-1f2d3c4b5a60'
  const geometry = { type: 'Point', coordinates: [-112.4, 35.2] }
  const added = await page.request.post(`/api/maps/${mapId}/drawings`, {
    headers: { origin: server.url },
    data: { items: [{ id, kind: 'marker', geometry, name: 'Well', note: '' }] },
  })
  expect(added.status()).toBe(201)
  await viewer.open(mapId)
  await viewer.count.tap()
  await expect(viewer.panel.getByRole('listitem')).toHaveCount(1)
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await viewer.panel.getByRole('button', { name: 'Well' }).tap()
  await viewer.form.getByLabel('Name').fill('Dry well')
  expect(await smallTargets(page)).toEqual([])
  await viewer.form.getByRole('button', { name: 'Save' }).tap()
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Dry well'])
  await drawing.open('Rectangle')
  await expect(viewer.panel).toBeHidden()
})
