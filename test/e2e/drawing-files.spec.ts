import { readFile } from 'node:fs/promises'
import { Drawing } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'
import { origin, placeAt, squareAt } from './test-map.ts'

const camera = { ...origin, zoom: 15 }
const square = { type: 'Feature', properties: { name: 'Meadow' }, geometry: squareAt(0, 0, 400) }
const onEdge = [{ name: 'square', ...placeAt(200, 100) }]

test('a file that is dropped or chosen becomes shapes, and shapes a file', async ({ map, given, page }) => {
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

test('a bad file is refused with the reason, and nothing is lost', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  await drawing.dropFile('meadow.geojson', JSON.stringify(square))
  await drawing.hasLogged('created polygon')
  await drawing.dropFile('photo.jpg', 'not JSON at all')
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
})

test('the map goes where the opened shapes are', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  const { lat, lng } = placeAt(20_000, 0)
  await drawing.dropFile('far.json', JSON.stringify({ type: 'Point', coordinates: [lng, lat] }))
  await map.canvas.cameraIs({ lat, lng, zoom: 17 })
})
