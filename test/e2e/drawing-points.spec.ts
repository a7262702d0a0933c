import { applyConfiguration, origin, placeAt } from '../test-map.ts'
import { coordinatesOf, Drawing, type Tool } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'

const camera = { ...origin, zoom: 15 }
const blue = 'rgb(28, 126, 214)'
const red = 'rgb(217, 45, 32)'

let drawing: Drawing

test.beforeEach(async ({ map, given, page, server }) => {
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'polyline'] })
  drawing = new Drawing(page)
  await map.openViewer(mapId, { camera })
})

test('requires three points for a polygon and two for a polyline', async ({ page }) => {
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0))
  await expect(drawing.action('Finish')).toBeDisabled()
  await drawing.clickAt(placeAt(-200, 0))
  await expect(drawing.sketch).toHaveAttribute('data-sketch', 'polygon')
  expect(drawing.logged).toEqual([])
  await page.keyboard.press('Escape')
  await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0), placeAt(0, 200))
  await expect(drawing.status).toHaveText('Click to place the next point, or the first one to finish')
  await drawing.clickAt(placeAt(-200, 0))
  const [polygon] = await drawing.hasLogged('created polygon')
  expect(coordinatesOf(polygon)[0]).toHaveLength(4)

  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(100, 100))
  await expect(drawing.action('Finish')).toBeDisabled()
  await drawing.clickAt(placeAt(100, 100))
  await expect(drawing.status).toHaveText('Click to place the next point')
  await drawing.clickAt(placeAt(250, 100))
  await drawing.action('Finish').click()
  const [, polyline] = await drawing.hasLogged('created polygon', 'created polyline')
  expect(coordinatesOf(polyline)).toHaveLength(2)
})

for (const tool of ['Polygon', 'Polyline'] satisfies Tool[])
  test(`rejects a point whose edge would cross another: ${tool}`, async () => {
    await drawing.open(tool)
    await drawing.clickAt(placeAt(-200, 0), placeAt(200, 0), placeAt(200, 200))
    await drawing.moveTo(placeAt(0, -150))
    await expect(drawing.guideline).toHaveCSS('stroke', blue)
    const refusedForMs = await drawing.refusalDuring(async () => {
      await drawing.clickAt(placeAt(0, -150))
      await expect(drawing.refusal).toHaveCSS('background-color', 'rgb(180, 35, 24)')
      await expect(drawing.guideline).toHaveCSS('stroke', red)
    })
    expect(refusedForMs).toBeGreaterThanOrEqual(2_490)
    expect(refusedForMs).toBeLessThan(3_500)
    await expect(drawing.guideline).toHaveCSS('stroke', blue)
    await drawing.clickAt(placeAt(0, 150))
    await drawing.action('Finish').click()
    const [shape] = await drawing.hasLogged(`created ${tool.toLowerCase()}`)
    const coordinates = coordinatesOf(shape).flat(2)
    expect(coordinates).toHaveLength(tool === 'Polygon' ? 10 : 8)
  })

test('rejects closing a polygon across its own edge', async () => {
  const first = placeAt(-200, 0)
  const corners = drawing.sketch.locator('circle')
  await drawing.open('Polygon')
  // Edges only cross when the ring closes. Clockwise, the engine returns the ring as drawn.
  await drawing.clickAt(first, placeAt(0, 0), placeAt(-100, -200), placeAt(100, -100))
  await expect(corners).toHaveCount(4)
  await expect(drawing.refusal).toBeHidden()
  await drawing.clickAt(first)
  await expect(drawing.refusal).toBeVisible()
  await expect(drawing.refusal).toBeHidden()
  await drawing.action('Finish').click()
  await expect(drawing.refusal).toBeVisible()
  expect(drawing.logged).toEqual([])
  await drawing.action('Undo').click()
  await expect(corners).toHaveCount(3)
  await drawing.clickAt(first)
  const [polygon] = await drawing.hasLogged('created polygon')
  expect(coordinatesOf(polygon)[0]).toHaveLength(4)
})

test('finishes a polyline by a second click on its last point, without zooming', async ({ page }) => {
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-200, 0))
  const { x, y } = await drawing.canvas.placeOnPage(placeAt(100, 50))
  await page.mouse.move(x, y)
  await page.mouse.dblclick(x, y)
  const [line] = await drawing.hasLogged('created polyline')
  expect(coordinatesOf(line)).toHaveLength(2)
  await drawing.canvas.cameraIs(camera)
})

test('draws a guideline dash every 20 pixels, at most 4000', async () => {
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-200, 0))
  await drawing.moveTo(placeAt(200, 0))
  await expect(drawing.guideline).toHaveCSS('stroke-dasharray', '10px, 10px')
  const length = async () => {
    const [x1, y1, x2, y2] = await Promise.all(
      ['x1', 'y1', 'x2', 'y2'].map(async (name) => Number(await drawing.guideline.getAttribute(name))),
    )
    return Math.hypot((x2 ?? 0) - (x1 ?? 0), (y2 ?? 0) - (y1 ?? 0))
  }
  const near = await length()
  expect(near).toBeGreaterThan(50)
  // Three zoom levels make the distance eight times as long.
  await drawing.canvas.press('+', '+', '+')
  await expect.poll(async () => (await drawing.canvas.camera()).zoom).toBe(18)
  await drawing.canvas.press(...Array.from({ length: 60 }, () => 'ArrowRight'))
  await expect.poll(length).toBeCloseTo(4_000, 0)
})

test('undoes and redoes point by point, then shape by shape', async ({ page }) => {
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0), placeAt(100, 100))
  const corners = drawing.sketch.locator('circle')
  await expect(corners).toHaveCount(3)
  await page.keyboard.press('Control+z')
  await expect(corners).toHaveCount(2)
  await page.keyboard.press('Control+Shift+z')
  await expect(corners).toHaveCount(3)
  await drawing.action('Undo').click()
  await drawing.action('Undo').click()
  await expect(corners).toHaveCount(1)
  await drawing.action('Redo').click()
  await expect(corners).toHaveCount(2)
  await drawing.action('Finish').click()
  const [line] = await drawing.hasLogged('created polyline')
  expect(coordinatesOf(line)).toHaveLength(2)
  await drawing.action('Undo').click()
  await drawing.hasLogged('created polyline', 'deleted polyline')
  await drawing.action('Redo').click()
  await drawing.hasLogged('created polyline', 'deleted polyline', 'created polyline')
})

test('Escape cancels the shape in progress from any focus', async ({ map, page }) => {
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-200, 0), placeAt(0, 0))
  await expect(drawing.sketch).toBeVisible()
  await map.searchBox.focus()
  await page.keyboard.press('Escape')
  await expect(drawing.sketch).toBeHidden()
  await expect(drawing.tool('Polygon')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(drawing.tool('Polygon')).toHaveAttribute('aria-pressed', 'false')
  expect(drawing.logged).toEqual([])
})
