import { readFile } from 'node:fs/promises'
import { drawingTools } from '#domain/map-configuration/map-constants.ts'
import { applyConfiguration, origin, placeAt, squareAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { Drawing, type LoggedShape } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'

const camera = { ...origin, zoom: 15 }
const square = { type: 'Feature', properties: { name: 'Meadow' }, geometry: squareAt(0, 0, 400) }
const onEdge = [{ name: 'square', ...placeAt(200, 100) }]

test('imports shapes from a dropped or chosen file, and exports them', { tag: '@painted' }, async ({
  map,
  given,
  page,
}) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  await expect(drawing.button('Download shapes as GeoJSON')).toBeDisabled()
  await drawing.dropFile('meadow.geojson', JSON.stringify(square))
  await expect(drawing.status).toHaveText('1 shape opened')
  await drawing.hasLogged('created polygon')
  await map.canvas.showsInkAt(onEdge).toEqual(['square'])

  const downloading = page.waitForEvent('download')
  await drawing.button('Download shapes as GeoJSON').click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/-shapes\.geojson$/)
  const file = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(file).features[0].properties).toEqual({ name: 'Meadow', kind: 'polygon' })

  await drawing.chooseFile('again.geojson', file)
  const [first, second] = await drawing.hasLogged('created polygon', 'created polygon')
  expect(second?.shape.geometry).toEqual(first?.shape.geometry)
  expect(second?.shape.id).not.toBe(first?.shape.id)
})

test('rejects a bad file with a reason and keeps all shapes', { tag: '@painted' }, async ({
  map,
  given,
  page,
}) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  await drawing.dropFile('meadow.geojson', JSON.stringify(square))
  await drawing.hasLogged('created polygon')
  await drawing.dropFiles({ 'again.geojson': JSON.stringify(square), 'photo.jpg': 'not JSON at all' })
  await expect(drawing.problem).toHaveText(
    'Nothing was opened. photo.jpg: The file is not GeoJSON: it cannot be read as JSON.',
  )
  const projected = { type: 'Point', coordinates: [500_000, 4_000_000] }
  await drawing.chooseFile(
    'projected.json',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [square, { type: 'Feature', geometry: projected }],
    }),
  )
  await expect(drawing.problem).toHaveText(
    'Nothing was opened. projected.json: Feature 2: [500000,4000000] is not longitude and latitude.',
  )
  await drawing.hasLogged('created polygon')
  await map.canvas.showsInkAt(onEdge).toEqual(['square'])
  await isAccessible(page)
})

test('moves the map to imported shapes', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  const { lat, lng } = placeAt(20_000, 0)
  await drawing.dropFile('far.json', JSON.stringify({ type: 'Point', coordinates: [lng, lat] }))
  await map.canvas.cameraIs({ lat, lng, zoom: 17 })
})

test('every kind of shape survives export and import', async ({ map, given, page, server }) => {
  const drawing = new Drawing(page)
  const mapId = await given([])
  await applyConfiguration(server.database, mapId, { drawingTools: [...drawingTools] })
  await map.openViewer(mapId, { camera })
  await drawing.open('Polyline')
  await drawing.clickAt(placeAt(-300, 250), placeAt(300, 250))
  await drawing.action('Finish').click()
  await drawing.open('Polygon')
  await drawing.clickAt(placeAt(-300, 0), placeAt(-100, 0), placeAt(-100, 150))
  await drawing.action('Finish').click()
  await drawing.open('Rectangle')
  await drawing.drag(placeAt(0, 0), placeAt(150, 150))
  await drawing.open('Circle')
  await drawing.drag(placeAt(250, 100), placeAt(320, 100))
  await drawing.open('Marker')
  await drawing.clickAt(placeAt(-200, -200))
  await drawing.open('Circle marker')
  await drawing.clickAt(placeAt(200, -200))
  const created = drawingTools.map((kind) => `created ${kind}`)
  const drawn = [...(await drawing.hasLogged(...created))]

  const downloading = page.waitForEvent('download')
  await drawing.button('Download shapes as GeoJSON').click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  await drawing.button('Delete shapes').click()
  await drawing.action('Clear all').click()
  await drawing.chooseFile('shapes.geojson', file)
  await expect(drawing.status).toHaveText('6 shapes opened')
  const deleted = drawingTools.map((kind) => `deleted ${kind}`)
  const logged = await drawing.hasLogged(...created, ...deleted, ...created)
  const content = ({ shape: { properties, geometry } }: LoggedShape) => ({ properties, geometry })
  expect(logged.slice(12).map(content)).toEqual(drawn.map(content))
})

test('a file dropped beside the map does not open in the browser', async ({ map, given, page, context }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  const opened: string[] = []
  page.on('framenavigated', (frame) => opened.push(frame.url()))
  context.on('page', (other) => opened.push(other.url()))
  const { x = 0, y = 0, width = 0, height = 0 } = (await map.sidebar.boundingBox()) ?? {}
  const middle = { x: x + width / 2, y: y + height / 2 }
  const missed = await drawing.dragFiles({ 'missed.json': JSON.stringify(square) }, middle)
  await missed.drop()
  await drawing.dropFile('meadow.json', JSON.stringify(square))
  await drawing.hasLogged('created polygon')
  expect(opened).toEqual([])
})
