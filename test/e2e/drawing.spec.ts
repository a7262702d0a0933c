import { origin, parcel, placeAt } from '../test-map.ts'
import { coordinatesOf, Drawing } from './drawing.driver.ts'
import { expect, test } from './fixtures.ts'
import { type Place, pixelsBetween } from './map-canvas.driver.ts'

const camera = { ...origin, zoom: 15 }

function isRectangle(ring: number[][], [southWest, northEast]: [Place, Place]) {
  const lngs = ring.map(([lng]) => lng as number)
  const lats = ring.map(([, lat]) => lat as number)
  const drawn = [
    { lng: Math.min(...lngs), lat: Math.min(...lats) },
    { lng: Math.max(...lngs), lat: Math.max(...lats) },
  ] as const
  for (const [index, place] of [southWest, northEast].entries()) {
    const { x, y } = pixelsBetween(place, drawn[index] as Place, camera.zoom)
    expect(Math.abs(x)).toBeLessThan(1)
    expect(Math.abs(y)).toBeLessThan(1)
  }
}

test('draws and logs a rectangle by clicks and by dragging, and keeps it after a reload', {
  tag: '@painted',
}, async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([parcel({ id: 'p1' })]), { camera })
  await drawing.open('Rectangle')
  await drawing.clickAt(placeAt(-300, -100))
  await expect(drawing.status).toHaveText('Click to place the opposite corner')
  await drawing.clickAt(placeAt(-100, 100))
  await drawing.hasLogged('created rectangle')
  await drawing.drag(placeAt(50, -50), placeAt(250, 150))
  const [clicked, dragged] = await drawing.hasLogged('created rectangle', 'created rectangle')
  isRectangle(coordinatesOf(clicked)[0] as number[][], [placeAt(-300, -100), placeAt(-100, 100)])
  isRectangle(coordinatesOf(dragged)[0] as number[][], [placeAt(50, -50), placeAt(250, 150)])

  await expect(map.details).toBeHidden()
  await map.canvas.cameraIs(camera)
  const places = [
    { name: 'clicked', ...placeAt(-300, 0) },
    { name: 'dragged', ...placeAt(250, 100) },
  ]
  await map.canvas.showsInkAt(places).toEqual(['clicked', 'dragged'])
  await page.reload()
  await map.canvas.isComplete()
  await map.canvas.showsInkAt(places).toEqual(['clicked', 'dragged'])
  expect(drawing.logged).toHaveLength(2)
})

test('Escape cancels a rectangle during a drag', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  await drawing.open('Rectangle')
  const pointer = async (east: number, north: number) => {
    const { x, y } = await map.canvas.placeOnPage(placeAt(east, north))
    await page.mouse.move(x, y)
  }
  await pointer(-100, -100)
  await page.mouse.down()
  await pointer(0, 0)
  await pointer(100, 100)
  await expect(drawing.sketch).toHaveAttribute('data-sketch', 'rectangle')
  await page.keyboard.press('Escape')
  await expect(drawing.sketch).toBeHidden()
  await pointer(200, 200)
  await page.mouse.up()
  await map.canvas.cameraIs(camera)
  await drawing.drag(placeAt(50, -50), placeAt(250, 150))
  const [rectangle] = await drawing.hasLogged('created rectangle')
  isRectangle(coordinatesOf(rectangle)[0] as number[][], [placeAt(50, -50), placeAt(250, 150)])
})

test('ignores two clicks at one place for a rectangle', async ({ map, given, page }) => {
  const drawing = new Drawing(page)
  await map.openViewer(await given([]), { camera })
  await drawing.open('Rectangle')
  await drawing.clickAt(placeAt(-100, -100), placeAt(-100, -100))
  await expect(drawing.status).toHaveText('Click to place the opposite corner')
  await drawing.clickAt(placeAt(100, 100))
  const [rectangle] = await drawing.hasLogged('created rectangle')
  isRectangle(coordinatesOf(rectangle)[0] as number[][], [placeAt(-100, -100), placeAt(100, 100)])
})
