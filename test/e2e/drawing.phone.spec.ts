import { applyConfiguration, origin, parcel, placeAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { coveringParts } from './covering.ts'
import { coordinatesOf } from './drawing.driver.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { expect, test } from './fixtures.ts'
import { pixelsBetween } from './map-canvas.driver.ts'
import { PhoneSheet } from './phone-sheet.driver.ts'
import { smallTargets } from './touch-targets.ts'

const camera = { ...origin, zoom: 15 }
const everyTool = ['polyline', 'polygon', 'rectangle', 'circle', 'marker', 'circlemarker'] as const

let drawing: DrawingByTouch

test.beforeEach(async ({ map, given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1' })])
  await applyConfiguration(server.database, mapId, { drawingTools: [...everyTool] })
  drawing = await DrawingByTouch.on(page)
  await map.openViewer(mapId, { camera })
})

const ringOf = (shape: Parameters<typeof coordinatesOf>[0]) => (coordinatesOf(shape)[0] ?? []) as number[][]

test('drags a rectangle by finger without moving the map', async ({ map }) => {
  await drawing.open('Rectangle')
  await drawing.drag(placeAt(-150, -300), placeAt(250, 100))
  const [rectangle] = await drawing.hasLogged('created rectangle')
  const lngs = ringOf(rectangle).map(([lng = 0]) => lng)
  const lats = ringOf(rectangle).map(([, lat = 0]) => lat)
  const west = { lng: Math.min(...lngs), lat: Math.min(...lats) }
  const east = { lng: Math.max(...lngs), lat: Math.max(...lats) }
  for (const [drawn, expected] of [
    [west, placeAt(-150, -300)],
    [east, placeAt(250, 100)],
  ] as const) {
    const { x, y } = pixelsBetween(expected, drawn, camera.zoom)
    expect(Math.hypot(x, y)).toBeLessThan(2)
  }
  await map.canvas.cameraIs(camera)
  await expect(map.details).toBeHidden()
})

const [start, corner] = [placeAt(-100, 0), placeAt(200, 0)]
for (const { tool, places, target, length } of [
  { tool: 'Polygon', places: [start, corner, placeAt(200, 250)], target: start, length: 8 },
  { tool: 'Polyline', places: [start, corner], target: corner, length: 4 },
] as const)
  test(`finishes only by a touch within 10 pixels of the first or last point: ${tool}`, async () => {
    const corners = drawing.sketch.locator('circle')
    await drawing.open(tool)
    await drawing.tapAt(...places)
    await expect(corners).toHaveCount(places.length)
    await drawing.tapBeside(target, { x: 8, y: -8 })
    await expect(corners).toHaveCount(places.length + 1)
    await drawing.action('Undo').tap()
    await expect(corners).toHaveCount(places.length)
    await drawing.tapBeside(target, { x: 6, y: -7 })
    const [shape] = await drawing.hasLogged(`created ${tool.toLowerCase()}`)
    expect(coordinatesOf(shape).flat(2)).toHaveLength(length)
  })

test('drags a point and removes another by finger', async () => {
  await drawing.open('Polygon')
  await drawing.tapAt(placeAt(-100, 0), placeAt(250, 0), placeAt(250, 250), placeAt(0, 250))
  await drawing.action('Finish').tap()
  await drawing.hasLogged('created polygon')
  await drawing.choose('Edit shapes')
  await expect(drawing.status).toHaveText('Tap a shape to change it')
  await drawing.tapAt(placeAt(150, 100))
  await expect(drawing.status).toHaveText('Drag the shape or its points')
  await expect(drawing.action('Remove point')).toBeDisabled()
  await drawing.drag(placeAt(250, 250), placeAt(300, 350))
  await expect(drawing.action('Save')).toBeEnabled()
  await drawing.tapAt(placeAt(0, 250))
  await drawing.action('Remove point').tap()
  await drawing.tapAt(placeAt(-100, 0))
  await expect(drawing.action('Remove point')).toBeDisabled()
  await drawing.action('Save').tap()
  const [, edited] = await drawing.hasLogged('created polygon', 'edited polygon')
  expect(ringOf(edited)).toHaveLength(4)
  const north = Math.max(...ringOf(edited).map(([, lat = 0]) => lat))
  expect(Math.abs(north - placeAt(0, 350).lat)).toBeLessThan(0.0001)
})

test('hides the list while a tool is open', async ({ page }) => {
  const sheet = new PhoneSheet(page)
  await sheet.isAt('half')
  await drawing.open('Rectangle')
  await sheet.isAt('small')
  await expect(drawing.fold).toHaveAccessibleName('Drawing tools, in use: Draw: Rectangle')
  await drawing.action('Done').tap()
  await sheet.isAt('half')
  await expect(drawing.fold).toHaveAccessibleName('Drawing tools')
})

test('places tools and status side by side on a small screen', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await coveringParts(page, { status: drawing.bar })).toEqual([])
  await drawing.open('Polygon')
  await drawing.tapAt(placeAt(-100, 0), placeAt(250, 0), placeAt(250, 250))
  await expect(drawing.bar).toContainText('Perimeter')
  expect(await coveringParts(page, { status: drawing.bar })).toEqual([])
  await drawing.tapAt(placeAt(100, -150))
  await expect(drawing.refusal).toBeInViewport({ ratio: 1 })
  await isAccessible(page)
  await drawing.action('Finish').tap()
  await drawing.choose('Edit shapes')
  await drawing.tapAt(placeAt(200, 100))
  await expect(drawing.action('Remove point')).toBeVisible()
  expect(await coveringParts(page, { status: drawing.bar })).toEqual([])
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await page.setViewportSize({ width: 740, height: 360 })
  await expect(drawing.action('Remove point')).toBeVisible()
  await expect.poll(() => coveringParts(page, { status: drawing.bar })).toEqual([])
})

test('keeps a refusal message on the screen at every touch', async () => {
  await drawing.open('Polygon')
  await drawing.tapAt(placeAt(-500, 0), placeAt(500, 0), placeAt(0, 300))
  for (const place of [placeAt(-660, -400), placeAt(660, -400)]) {
    await drawing.tapAt(place)
    await expect(drawing.refusal).toBeInViewport({ ratio: 1 })
    await expect(drawing.refusal).toBeHidden()
  }
  await drawing.action('Finish').tap()
  await drawing.hasLogged('created polygon')
})

for (const viewport of [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
])
  test(`places a long message beside the tools, ${viewport.width} pixels wide`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await drawing.dropFile('the_western_meadow_and_its_brook_of_last_year.json', '{ "type": "Feature" ')
    await expect(drawing.problem).toContainText('it cannot be read as JSON')
    await expect.poll(() => coveringParts(page, { status: drawing.bar })).toEqual([])
    await isAccessible(page)
  })
