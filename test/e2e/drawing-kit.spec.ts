import { applyConfiguration, asset, origin, placeAt, tellOfConfiguration } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { coordinatesOf, Drawing, type Tool } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'
import { pixelsBetween } from './map-canvas.driver.ts'

const camera = { ...origin, zoom: 15 }
const everyTool = ['polyline', 'polygon', 'rectangle', 'circle', 'marker', 'circlemarker'] as const
const toolNames: Tool[] = ['Polyline', 'Polygon', 'Rectangle', 'Circle', 'Marker', 'Circle marker']

test('loads the drawing engine only when the first tool opens', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  // A text of the drawing engine that survives minification.
  const enginePart = 'Feature is not Point, LineString or Polygon'
  const requested: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') requested.push(response.text().catch(() => ''))
  })
  const hasEngine = async () => (await Promise.all(requested)).some((text) => text.includes(enginePart))
  await map.openViewer(await given([]), { camera })
  await expect(drawing.tool('Rectangle')).toBeVisible()
  expect(await hasEngine()).toBe(false)
  await drawing.open('Rectangle')
  await expect.poll(hasEngine).toBe(true)
})

test('the toolbar follows the configured tools', async ({ map, given, page, server }) => {
  const drawing = new Drawing(page)
  const mapId = await given([])
  await map.openViewer(mapId, { camera })
  await expect(drawing.toolbar.getByRole('button', { name: /^Draw: / })).toHaveCount(1)
  await drawing.open('Rectangle')
  await applyConfiguration(server.database, mapId, { drawingTools: [...everyTool] })
  await tellOfConfiguration(server.database, mapId)
  for (const name of toolNames) await expect(drawing.tool(name)).toBeVisible()
  await expect(drawing.tool('Rectangle')).toHaveAttribute('aria-pressed', 'true')
})

test('an active tool receives clicks and hovers', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([asset({ id: 'a', name: 'The well' })]), { camera })
  await drawing.open('Rectangle')
  await drawing.moveTo(origin)
  await drawing.clickAt(origin)
  await expect(drawing.status).toHaveText('Click to place the opposite corner')
  await drawing.rightClickAt(placeAt(10, 10))
  await drawing.clickAt(placeAt(100, 100))
  await drawing.hasLogged('created rectangle')
  await expect(map.details).toBeHidden()
  await expect(map.place).toBeHidden()
  await drawing.tool('Rectangle').click()
  await expect(drawing.tool('Rectangle')).toHaveAttribute('aria-pressed', 'false')
  await drawing.clickAt(origin)
  await map.hasDetailsOf('The well')
})

test('keeps the inertia of the map after drawing', async ({ map, given, page }) => {
  await page.clock.install()
  await page.setViewportSize({ width: 1000, height: 420 })
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  await drawing.open('Rectangle')
  await drawing.drag(placeAt(-100, -100), placeAt(100, 100))
  await drawing.hasLogged('created rectangle')
  await drawing.tool('Rectangle').click()
  await map.canvas.isComplete()
  const resting = await map.canvas.camera()
  await map.canvas.flick({ x: 30, y: 300 }, { x: 580, y: 0 }, [0.05, 0.1, 1])
  // The engine's own inertia moves the map up to 1,307 pixels.
  await expect.poll(async () => pixelsBetween(resting, await map.canvas.camera(), 15).x).toBeLessThan(-1_950)
})

test('shows area and distance while drawing', async ({ map, given, page, server }) => {
  const drawing = new Drawing(page)
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: [...everyTool] })
  await map.openViewer(mapId, { camera })
  await drawing.open('Rectangle')
  await drawing.clickAt(placeAt(-200, -100))
  await drawing.moveTo(placeAt(200, 100))
  await expect(drawing.bar).toContainText(
    /Area (19|20)\.\d\d acres \((7\.9\d|8\.0\d) ha\) · Perimeter 3,9\d\d ft \(1\.(19|20|21) km\)/,
  )
  await drawing.open('Circle')
  await drawing.clickAt(placeAt(0, 0))
  await drawing.moveTo(placeAt(200, 0))
  await expect(drawing.bar).toContainText(
    /Area 3\d\.\d\d acres \(12\.\d\d ha\) · Radius 6\d\d ft \((19\d|20\d) m\)/,
  )
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-100, 0))
  await drawing.moveTo(placeAt(100, 0))
  await expect(drawing.bar).toContainText(/Length 6\d\d ft \((19\d|20\d) m\)/)
})

test('Enter finishes a shape drawn by mouse without adding a corner', async ({
  map,
  given,
  page,
  server,
}) => {
  const drawing = new Drawing(page)
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'rectangle'] })
  await map.openViewer(mapId, { camera })
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-100, -60))
  await drawing.clickAt(placeAt(100, -60))
  await page.keyboard.press('Enter')
  await drawing.clickAt(placeAt(100, 60))
  await page.keyboard.press('Enter')
  const [polygon] = await drawing.hasLogged('created polygon')
  expect(coordinatesOf(polygon)[0]).toHaveLength(4)
  await drawing.open('Rectangle')
  await drawing.clickAt(placeAt(-50, 100))
  await drawing.moveTo(placeAt(50, 150))
  await page.keyboard.press('Enter')
  await drawing.hasLogged('created polygon', 'created rectangle')
})

test('draws, edits and deletes by keyboard alone', async ({ map, given, page, server }) => {
  const drawing = new Drawing(page)
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'rectangle'] })
  await map.openViewer(mapId, { camera })
  const key = async (...keys: string[]) => {
    for (const name of keys) {
      await page.keyboard.press(name)
      await map.canvas.isComplete()
    }
  }
  await drawing.tool('Polygon').focus()
  await page.keyboard.press('Enter')
  await expect(map.canvas.canvas).toBeFocused()
  await expect(drawing.status).toHaveText('Click to place the first point')
  await key('Enter')
  await expect(drawing.sketch.locator('circle')).toHaveCount(1)
  await key('ArrowRight', 'ArrowRight', 'Enter')
  await expect(drawing.sketch.locator('circle')).toHaveCount(2)
  await key('ArrowRight', 'Enter', 'Backspace')
  await expect(drawing.sketch.locator('circle')).toHaveCount(2)
  await key('ArrowUp', 'ArrowUp', 'Enter')
  await key('Enter')
  const [polygon] = await drawing.hasLogged('created polygon')
  expect(coordinatesOf(polygon)[0]).toHaveLength(4)

  await drawing.button('Edit shapes').focus()
  await page.keyboard.press('Enter')
  await expect(drawing.status).toHaveText('Click a shape to change it')
  await key('ArrowLeft', 'ArrowDown', 'Enter')
  await expect(drawing.status).toContainText('Drag the shape or its points')
  await key('Enter', 'ArrowDown', 'Enter')
  await expect(drawing.action('Save')).toBeEnabled()
  await drawing.action('Save').focus()
  await page.keyboard.press('Enter')
  await drawing.hasLogged('created polygon', 'edited polygon')
  await drawing.button('Delete shapes').focus()
  await page.keyboard.press('Enter')
  await key('Enter')
  await expect(drawing.status).toHaveText('1 shape will be deleted: save or cancel')
  await drawing.action('Save').focus()
  await page.keyboard.press('Enter')
  await drawing.hasLogged('created polygon', 'edited polygon', 'deleted polygon')

  await drawing.tool('Rectangle').focus()
  await page.keyboard.press('Enter')
  await expect(drawing.status).toHaveText('Click to place the first corner')
  await key('Enter', 'ArrowRight', 'ArrowUp')
  await expect(drawing.bar).toContainText('Area')
  await key('Enter')
  await drawing.hasLogged('created polygon', 'edited polygon', 'deleted polygon', 'created rectangle')
})

test('has no accessibility violations while drawing', async ({ map, given, page, server }) => {
  const drawing = new Drawing(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: [...everyTool] })
  await map.openViewer(mapId, { camera })
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-200, 0), placeAt(200, 0), placeAt(200, 200), placeAt(0, -150))
  await expect(drawing.refusal).toBeVisible()
  await isAccessible(page)
  await drawing.action('Finish').click()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(placeAt(150, 50))
  await isAccessible(page)
})
