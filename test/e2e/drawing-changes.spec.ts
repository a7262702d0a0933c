import type { Position } from 'geojson'
import { applyConfiguration, origin, placeAt } from '../test-map.ts'
import { coordinatesOf, Drawing, type LoggedShape } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'
import { pixelsOfMeters } from './map-canvas.driver.ts'

const camera = { ...origin, zoom: 15 }
const square = [placeAt(-200, -200), placeAt(200, -200), placeAt(200, 200), placeAt(-200, 200)]
const first = placeAt(-200, -200)

let drawing: Drawing

test.beforeEach(async ({ map, given, page, server }) => {
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, {
    drawingTools: ['polygon', 'polyline', 'circle', 'marker'],
  })
  drawing = new Drawing(page)
  await map.openViewer(mapId, { camera })
})

async function drawSquare() {
  await drawing.open('Polygon')
  await drawing.clickAt(...square, first)
  await drawing.hasLogged('created polygon')
}

const ringOf = (logged: LoggedShape | undefined) => (coordinatesOf(logged)[0] ?? []) as Position[]

test('disables edit and delete without shapes', async () => {
  await expect(drawing.button('Edit shapes')).toBeDisabled()
  await expect(drawing.button('Delete shapes')).toBeDisabled()
  await drawSquare()
  await expect(drawing.button('Edit shapes')).toBeEnabled()
  await drawing.button('Delete shapes').click()
  await drawing.action('Clear all').click()
  await expect(drawing.button('Edit shapes')).toBeDisabled()
  await expect(drawing.button('Delete shapes')).toBeDisabled()
  await drawing.hasLogged('created polygon', 'deleted polygon')
  await expect(drawing.status).toHaveText('1 shape deleted')
  await drawing.action('Undo').click()
  const [created, , again] = await drawing.hasLogged('created polygon', 'deleted polygon', 'created polygon')
  expect(again?.shape).toEqual(created?.shape)
  await expect(drawing.button('Edit shapes')).toBeEnabled()
})

test('moves and reshapes a shape, and logs one line on save', { tag: '@painted' }, async ({ page }) => {
  await drawSquare()
  const before = ringOf(drawing.logged[0])
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await expect(drawing.status).toContainText('Drag the shape or its points')
  await drawing.drag(placeAt(0, 0), placeAt(50, 0))
  await drawing.drag(placeAt(250, 200), placeAt(300, 250))
  await drawing.clickAt(placeAt(50, -200))
  await drawing.rightClickAt(placeAt(-150, -200))
  await expect(drawing.action('Save')).toBeEnabled()
  await expect(drawing.tool('Polygon')).toBeDisabled()
  await drawing.action('Save').click()
  const [, edited] = await drawing.hasLogged('created polygon', 'edited polygon')
  const after = ringOf(edited)
  expect(edited?.shape.id).toBe(drawing.logged[0]?.shape.id)
  expect(after).toHaveLength(before.length)
  const lngs = after.map(([lng = 0]) => lng)
  expect(Math.abs(Math.max(...lngs) - placeAt(300, 0).lng)).toBeLessThan(0.00003)
  expect(Math.abs(Math.min(...lngs) - placeAt(-150, 0).lng)).toBeLessThan(0.00003)
  const places = [
    { name: 'new', ...placeAt(275, 25) },
    { name: 'old', ...placeAt(-200, 0) },
  ]
  await drawing.canvas.showsInkAt(places).toEqual(['new'])
  await page.reload()
  await drawing.canvas.showsInkAt(places).toEqual(['new'])
  await drawing.hasLogged('created polygon', 'edited polygon')
})

test('cancel restores the original shapes exactly', { tag: '@painted' }, async ({ page }) => {
  await drawSquare()
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
  const before = await stored()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.drag(placeAt(200, 200), placeAt(300, 250))
  await expect(drawing.action('Save')).toBeEnabled()
  await drawing.canvas.showsInkAt([{ name: 'moved', ...placeAt(260, 110) }]).toEqual(['moved'])
  await drawing.action('Cancel').click()
  await drawing.canvas.showsInkAt([{ name: 'moved', ...placeAt(260, 110) }]).toEqual([])
  await drawing.canvas.showsInkAt([{ name: 'old', ...placeAt(200, 100) }]).toEqual(['old'])
  expect(await stored()).toBe(before)
  await drawing.hasLogged('created polygon')
})

test('undoes and redoes editing steps', async ({ page }) => {
  await drawSquare()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.drag(placeAt(200, 200), placeAt(300, 250))
  await expect(drawing.action('Save')).toBeEnabled()
  await page.keyboard.press('Control+z')
  await expect(drawing.action('Save')).toBeDisabled()
  await page.keyboard.press('Control+Shift+z')
  await expect(drawing.action('Save')).toBeEnabled()
  await drawing.action('Undo').click()
  await expect(drawing.action('Undo')).toBeDisabled()
  await expect(drawing.action('Save')).toBeDisabled()
})

test('undoes added and removed points step by step', async ({ page }) => {
  await drawSquare()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.clickAt(placeAt(0, -200))
  await drawing.rightClickAt(placeAt(200, 200))
  await drawing.clickAt(first)
  await drawing.action('Remove point').click()
  const undo = drawing.action('Undo')
  for (const isLast of [false, false, true]) {
    await expect(drawing.action('Save')).toBeEnabled()
    await undo.click()
    await expect(undo).toBeEnabled({ enabled: !isLast })
  }
  await expect(drawing.action('Save')).toBeDisabled()
  for (let step = 0; step < 3; step++) await drawing.action('Redo').click()
  await expect(drawing.action('Redo')).toBeDisabled()
  await drawing.action('Save').click()
  const [, edited] = await drawing.hasLogged('created polygon', 'edited polygon')
  expect(ringOf(edited)).toHaveLength(4)
  const stored = () => page.evaluate(() => Object.values(sessionStorage).join())
  expect(await stored()).toContain(JSON.stringify(edited?.shape.geometry.coordinates))
})

test('keeps at least three points of a polygon and two of a polyline', async () => {
  await drawSquare()
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(300, -100), placeAt(350, 0), placeAt(300, 100))
  await drawing.action('Finish').click()
  await drawing.hasLogged('created polygon', 'created polyline')
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.rightClickAt(placeAt(200, 200))
  await drawing.rightClickAt(placeAt(200, -200))
  await drawing.rightClickAt(placeAt(-200, 200))
  await drawing.clickAt(placeAt(325, -50))
  await expect(drawing.status).toContainText('Drag the shape or its points')
  await drawing.rightClickAt(placeAt(350, 0))
  await drawing.rightClickAt(placeAt(300, 100))
  await drawing.action('Save').click()
  const logged = await drawing.hasLogged(
    'created polygon',
    'created polyline',
    'edited polygon',
    'edited polyline',
  )
  expect(ringOf(logged[2])).toHaveLength(4)
  expect(logged[3]?.shape.geometry.coordinates).toHaveLength(2)
})

test('moves a point and removes another by keyboard', async ({ page }) => {
  // Each corner is one arrow key press (80 pixels) from the center.
  const step = 80 / pixelsOfMeters(1, origin.lat, camera.zoom)
  const corners = [placeAt(-step, -step), placeAt(step, -step), placeAt(step, step), placeAt(-step, step)]
  await drawing.open('Polygon')
  await drawing.clickAt(...corners)
  await drawing.action('Finish').click()
  await drawing.hasLogged('created polygon')
  const key = async (...names: string[]) => {
    for (const name of names) {
      await page.keyboard.press(name)
      await drawing.canvas.isComplete()
    }
  }
  await drawing.button('Edit shapes').focus()
  await page.keyboard.press('Enter')
  await expect(drawing.status).toHaveText('Click a shape to change it')
  await key('Enter')
  await expect(drawing.status).toHaveText('Drag the shape or its points')
  await key('ArrowRight', 'ArrowUp', 'Enter', 'ArrowUp', 'Enter')
  await key('ArrowDown', 'ArrowDown', 'ArrowDown', 'Backspace')
  await drawing.action('Save').click()
  const [, edited] = await drawing.hasLogged('created polygon', 'edited polygon')
  const ring = ringOf(edited)
  expect(ring).toHaveLength(4)
  const north = Math.max(...ring.map(([, lat = 0]) => lat))
  expect(Math.abs(north - placeAt(0, 2 * step).lat)).toBeLessThan(0.00003)
})

test('returns a point moved across another edge and shows a message for 1000 ms', async () => {
  await drawSquare()
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  const refusedForMs = await drawing.refusalDuring(() => drawing.drag(placeAt(200, 200), placeAt(-300, 0)))
  expect(refusedForMs).toBeGreaterThanOrEqual(990)
  expect(refusedForMs).toBeLessThan(2_000)
  await expect(drawing.action('Save')).toBeDisabled()
})

test('marks shapes and deletes them together, or cancels', { tag: '@painted' }, async ({ page }) => {
  await drawSquare()
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(300, -100), placeAt(300, 100))
  await drawing.action('Finish').click()
  await drawing.hasLogged('created polygon', 'created polyline')
  const places = [
    { name: 'polygon', ...placeAt(-200, 0) },
    { name: 'polyline', ...placeAt(300, 0) },
  ]
  await drawing.begin('Delete shapes')
  await drawing.clickAt(placeAt(300, 0))
  await expect(drawing.status).toHaveText('1 shape will be deleted: save or cancel')
  const red = async () => (await drawing.canvas.ink()).count([217, 45, 32], undefined, 60)
  await expect.poll(red).toBeGreaterThan(10)
  await drawing.action('Cancel').click()
  await drawing.canvas.showsInkAt(places).toEqual(['polygon', 'polyline'])
  expect(await red()).toBe(0)

  await drawing.begin('Delete shapes')
  await drawing.clickAt(placeAt(300, 0))
  await page.keyboard.press('Control+z')
  await expect(drawing.action('Save')).toBeDisabled()
  await drawing.action('Redo').click()
  await drawing.action('Save').click()
  await drawing.hasLogged('created polygon', 'created polyline', 'deleted polyline')
  await drawing.canvas.showsInkAt(places).toEqual(['polygon'])
  await page.reload()
  await drawing.canvas.isComplete()
  await drawing.canvas.showsInkAt(places).toEqual(['polygon'])
})

test('a click selects the edge of a shape before the inside of a shape above it', async () => {
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-100, 0), placeAt(100, 0))
  await drawing.action('Finish').click()
  await drawing.hasLogged('created polyline')
  await drawing.open('Polygon')
  await drawing.clickAt(...square, first)
  await drawing.hasLogged('created polyline', 'created polygon')
  await drawing.begin('Delete shapes')
  await drawing.clickAt(placeAt(50, 0))
  await drawing.action('Save').click()
  await drawing.hasLogged('created polyline', 'created polygon', 'deleted polyline')
  await drawing.begin('Delete shapes')
  await drawing.clickAt(placeAt(50, 0))
  await drawing.action('Save').click()
  await drawing.hasLogged('created polyline', 'created polygon', 'deleted polyline', 'deleted polygon')
})

test('drags a marker by its head and resizes a circle by its edge', async () => {
  await drawing.open('Marker')
  await drawing.clickAt(placeAt(-300, 0))
  await drawing.open('Circle')
  await drawing.drag(placeAt(200, 0), placeAt(300, 0))
  await drawing.hasLogged('created marker', 'created circle')
  await drawing.begin('Edit shapes')
  // 20 pixels above its tip.
  const up = 78
  await drawing.clickAt(placeAt(-300, up))
  await expect(drawing.status).toHaveText('Drag the marker')
  await drawing.drag(placeAt(-300, up), placeAt(-100, up + 100))
  await drawing.clickAt(placeAt(200, 0))
  await expect(drawing.status).toHaveText('Drag the circle, or its edge to resize it')
  await drawing.drag(placeAt(300, 0), placeAt(350, 0))
  await expect(drawing.bar).toContainText(/Radius 49\d ft \(1(49|50|51) m\)/)
  await drawing.action('Save').click()
  const [, , marker] = await drawing.hasLogged(
    'created marker',
    'created circle',
    'edited marker',
    'edited circle',
  )
  const [lng, lat] = coordinatesOf(marker) as Position
  const there = placeAt(-100, 100)
  expect(Math.abs((lng ?? 0) - there.lng)).toBeLessThan(0.00005)
  expect(Math.abs((lat ?? 0) - there.lat)).toBeLessThan(0.00005)
})
