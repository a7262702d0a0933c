import { readFile } from 'node:fs/promises'
import { drawingTools } from '#domain/map-configuration/map-constants.ts'
import {
  applyConfiguration,
  asset,
  origin,
  placeAt,
  squareAt,
  tellOfConfiguration,
} from '#test/databases/test-map.ts'
import { coordinatesOf, Drawing, type Tool } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'

const camera = { ...origin, zoom: 15 }
const square = [placeAt(-200, -200), placeAt(200, -200), placeAt(200, 200), placeAt(-200, 200)]
const toolNames: Tool[] = ['Polyline', 'Polygon', 'Rectangle', 'Circle', 'Marker', 'Circle marker']

let drawing: Drawing
test.beforeEach(({ page }) => {
  drawing = new Drawing(page)
})

test('draws, edits and deletes shapes by mouse, and keeps them after a reload', { tag: '@painted' }, async ({
  map,
  given,
  page,
  server,
}) => {
  // A text of the drawing engine that survives minification.
  const enginePart = 'Feature is not Point, LineString or Polygon'
  const requested: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') requested.push(response.text().catch(() => ''))
  })
  const hasEngine = async () => (await Promise.all(requested)).some((text) => text.includes(enginePart))
  const mapId = await given([asset({ id: 'a', name: 'The well' })])
  await map.openViewer(mapId, { camera })
  await expect(drawing.toolbar.getByRole('button', { name: /^Draw: / })).toHaveCount(1)
  expect(await hasEngine()).toBe(false)
  await drawing.open('Rectangle')
  await expect.poll(hasEngine).toBe(true)
  await applyConfiguration(server.database, mapId, { drawingTools: [...drawingTools] })
  await tellOfConfiguration(server.database, mapId)
  for (const name of toolNames) await expect(drawing.tool(name)).toBeVisible()

  // The open tool gets the clicks, not the well.
  await drawing.clickAt(placeAt(300, -300), placeAt(350, -250))
  await drawing.hasLogged('created rectangle')
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-300, 0), origin)
  const { x, y } = await map.canvas.placeOnPage(placeAt(100, 0))
  await page.mouse.move(x, y)
  await page.mouse.dblclick(x, y)
  await drawing.open('Polygon')
  await drawing.clickAt(...square.slice(0, 3))
  await drawing.moveTo(placeAt(-300, -300))
  await expect(drawing.guideline).toHaveCSS('stroke', 'rgb(28, 126, 214)')
  await drawing.clickAt(placeAt(0, -300))
  await expect(drawing.guideline).toHaveCSS('stroke', 'rgb(217, 45, 32)')
  await expect(drawing.refusal).toBeVisible()
  await drawing.clickAt(placeAt(-200, 200), placeAt(-200, -200))
  await drawing.hasLogged('created rectangle', 'created polyline', 'created polygon')
  await expect(map.details).toBeHidden()
  await map.canvas.cameraIs(camera)

  await drawing.begin('Edit shapes')
  await drawing.clickAt(placeAt(100, 100))
  await drawing.drag(placeAt(100, 100), placeAt(150, 100))
  await drawing.drag(placeAt(250, 200), placeAt(300, 250))
  await drawing.action('Save').click()
  await expect(drawing.status).toHaveText('1 shape changed')
  const places = [
    { name: 'corner', ...placeAt(275, 25) },
    { name: 'old edge', ...placeAt(-200, 100) },
    { name: 'line', ...placeAt(-250, 0) },
    { name: 'rectangle', ...placeAt(300, -275) },
  ]
  await map.canvas.showsInkAt(places).toEqual(['corner', 'line', 'rectangle'])

  // An edge comes before the inside of a shape above it.
  await drawing.begin('Delete shapes')
  await drawing.clickAt(placeAt(50, 0))
  await expect(drawing.status).toHaveText('1 shape will be deleted when you save')
  const red = async () => (await map.canvas.ink()).count([217, 45, 32], undefined, 60)
  await expect.poll(red).toBeGreaterThan(10)
  await drawing.action('Save').click()
  await map.canvas.showsInkAt(places).toEqual(['corner', 'rectangle'])
  await page.reload()
  await map.canvas.isComplete()
  await map.canvas.showsInkAt(places).toEqual(['corner', 'rectangle'])
  await drawing.clickAt(origin)
  await map.hasDetailsOf('The well')
})

test('draws, edits and deletes by keyboard alone', async ({ map, given, page, server }) => {
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: ['polygon', 'rectangle'] })
  await map.openViewer(mapId, { camera })
  const key = async (...keys: string[]) => {
    for (const name of keys) {
      await page.keyboard.press(name)
      await map.canvas.isComplete()
    }
  }
  const choose = async (name: string) => {
    await drawing.button(name).focus()
    await page.keyboard.press('Enter')
  }
  const save = async () => {
    await drawing.action('Save').focus()
    await page.keyboard.press('Enter')
  }
  await choose('Draw: Polygon')
  await expect(map.canvas.canvas).toBeFocused()
  await expect(drawing.status).toHaveText('Click to place the first point')
  await key('Enter', 'ArrowRight', 'ArrowRight', 'Enter', 'ArrowRight', 'Enter', 'Backspace')
  await expect(drawing.sketch.locator('circle')).toHaveCount(2)
  await key('ArrowUp', 'ArrowUp', 'Enter', 'Enter')
  const [polygon] = await drawing.hasLogged('created polygon')
  expect(coordinatesOf(polygon)[0]).toHaveLength(4)

  await choose('Edit shapes')
  await expect(drawing.status).toHaveText('Click a shape to edit it')
  await key('ArrowLeft', 'ArrowDown', 'Enter')
  await expect(drawing.status).toContainText('Drag the shape or its points')
  await key('Enter', 'ArrowDown', 'Enter')
  await save()
  await choose('Delete shapes')
  await key('Enter')
  await expect(drawing.status).toHaveText('1 shape will be deleted when you save')
  await save()
  await choose('Draw: Rectangle')
  await expect(drawing.status).toHaveText('Click to place the first corner')
  await key('Enter', 'ArrowRight', 'ArrowUp')
  await expect(drawing.bar).toContainText('Area')
  await key('Enter')
  await drawing.hasLogged('created polygon', 'edited polygon', 'deleted polygon', 'created rectangle')
})

test('downloads shapes, and opens dropped or chosen files', async ({ map, given, page, context }) => {
  await map.openViewer(await given([]), { camera })
  const opened: string[] = []
  page.on('framenavigated', (frame) => opened.push(frame.url()))
  context.on('page', (other) => opened.push(other.url()))
  const { x = 0, y = 0, width = 0, height = 0 } = (await map.sidebar.boundingBox()) ?? {}
  const text = JSON.stringify({
    type: 'Feature',
    properties: { name: 'Meadow' },
    geometry: squareAt(0, 0, 400),
  })
  const missed = await drawing.dragFiles({ 'missed.json': text }, { x: x + width / 2, y: y + height / 2 })
  await missed.drop()
  await drawing.dropFiles({ 'meadow.geojson': text })
  await expect(drawing.status).toHaveText('1 shape opened')
  await drawing.hasLogged('created polygon')
  expect(opened).toEqual([])

  const downloading = page.waitForEvent('download')
  await drawing.button('Download shapes as GeoJSON').click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/-shapes\.geojson$/)
  const file = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(file).features[0].properties).toEqual({ name: 'Meadow', kind: 'polygon' })
  await drawing.chooseFile('again.geojson', file)
  const [first, second] = await drawing.hasLogged('created polygon', 'created polygon')
  expect(second?.shape.geometry).toEqual(first?.shape.geometry)
})

test('asks before discarding edits of shapes', async ({ map, given, page }) => {
  const mapId = await given([])
  await map.openViewer(mapId, { camera })
  const warning = page.getByRole('dialog', { name: 'Unsaved shapes' })
  await drawing.open('Rectangle')
  await drawing.clickAt(placeAt(-200, -200), placeAt(200, 200))
  await drawing.begin('Edit shapes')
  await drawing.clickAt(origin)
  await drawing.drag(placeAt(0, 0), placeAt(50, 0))
  await expect(drawing.action('Save')).toBeEnabled()
  await map.chooseMore('Public map')
  await warning.getByRole('button', { name: 'Stay' }).click()
  await expect(warning).toBeHidden()
  const dialogOpens = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const dialog = await dialogOpens
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closing
  await map.chooseMore('Public map')
  await warning.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(new RegExp(`/map/${mapId}`))
  await map.canvas.isComplete()
})
