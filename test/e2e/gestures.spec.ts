import { applyConfiguration, asset, origin, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { pixelsBetween } from './map-canvas.driver.ts'
import { Pen } from './touch.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const camera = { ...origin, zoom: 15 }

// The browser counts wheel steps in physical pixels.
test.use({ deviceScaleFactor: 1 })

test('pans and zooms by keys, buttons and wheel, within the bounds', async ({ map, given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1' })])
  const [southWest, northEast] = [placeAt(-3_000, -3_000), placeAt(3_000, 3_000)]
  const mapBounds = { west: southWest.lng, south: southWest.lat, east: northEast.lng, north: northEast.lat }
  await applyConfiguration(server.database, mapId, { mapBounds })
  await map.open(mapId, { camera })
  const moved = async () => {
    const { x, y } = pixelsBetween(camera, await map.canvas.camera(), camera.zoom)
    return [Math.round(x), Math.round(y)]
  }
  await map.canvas.press('ArrowLeft', 'ArrowLeft', 'ArrowDown')
  await expect.poll(moved).toEqual([-160, 80])
  await map.canvas.press('ArrowRight', 'ArrowRight', 'ArrowUp', '+')
  await map.canvas.cameraIs({ ...camera, zoom: 16 })
  await map.button('Zoom in').evaluate((button: HTMLButtonElement) => {
    for (let count = 0; count < 4; count++) button.click()
  })
  await map.canvas.cameraIs({ ...camera, zoom: 18 })
  await map.canvas.press('-', '-', '-')
  await map.canvas.cameraIs(camera)
  await map.canvas.press(...Array(12).fill('ArrowRight'))
  const fromEdge = async () => pixelsBetween(northEast, await map.canvas.camera(), 15).x
  await expect.poll(async () => Math.abs(await fromEdge())).toBeLessThan(1)

  await map.open(mapId, { camera })
  const pointer = { x: 150, y: 120 }
  const middle = await map.canvas.middle()
  await map.canvas.wheel(pointer, -60)
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(16)
  const [right = 0, down = 0] = await moved()
  expect(Math.abs(right + (middle.x - pointer.x) / 2)).toBeLessThan(2)
  expect(Math.abs(down + (middle.y - pointer.y) / 2)).toBeLessThan(2)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await map.canvas.press(...Array(17).fill('-'))
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(1)
})

test('tells clicks from drags, and ends a drag over a control', async ({ map, given, page }) => {
  await map.open(await given([asset({ id: 'a1', geometry: pointAt(300, 100) })]), { camera })
  await map.canvas.drag(await map.canvas.pointOf(placeAt(300, 100)), { x: 8, y: 0 })
  await map.hasDetailsOf('Asset a1')
  await page.keyboard.press('Escape')
  await expect(map.details).toBeHidden()
  await map.canvas.cameraIs({ ...placeAt(300, 100), zoom: 15 })
  await map.canvas.isComplete()
  const before = await map.canvas.camera()
  const moved = async (from = before) => pixelsBetween(from, await map.canvas.camera(), 15).x
  await map.canvas.drag(await map.canvas.middle(), { x: 12, y: 0 })
  await expect.poll(moved).toBeLessThanOrEqual(-11)
  await expect(map.details).toBeHidden()

  // A drag stops a flight, and the next step starts from there.
  const start = await map.canvas.onPage(await map.canvas.middle())
  const control = await map.baseMap('Satellite').boundingBox()
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await map.canvas.press('ArrowRight', 'ArrowRight')
  await page.mouse.move(control?.x ?? 0, control?.y ?? 0, { steps: 4 })
  await page.mouse.up()
  // The mouse rests: nothing else tells the map that the hand is off.
  await map.canvas.isComplete()
  const stopped = await map.canvas.camera()
  await map.canvas.press('ArrowLeft')
  await expect.poll(async () => Math.round(await moved(stopped))).toBe(-80)
})

test('keeps moving after a flick', async ({ map, given, page }) => {
  await page.clock.install()
  await page.setViewportSize({ width: 780, height: 420 })
  await map.open(await given([]), { camera })
  const resting = await map.canvas.camera()
  await map.canvas.flick({ x: 10, y: 200 }, { x: 390, y: 0 })
  await expect.poll(async () => pixelsBetween(resting, await map.canvas.camera(), 15).x).toBeLessThan(-410)
})

test('a right click shows features here, with coordinates to copy', async ({ map, given, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await map.open(await given([parcel({ id: 'p1', name: 'The meadow' })]), { camera })
  await map.canvas.click(placeAt(50, 50), { button: 'right' })
  await expect(map.place).toBeVisible()
  const { lat, lng } = placeAt(50, 50)
  const text = (await map.place.locator('p').first().textContent()) ?? ''
  const [shownLat, shownLng] = text.split(', ').map(Number.parseFloat)
  expect(Math.abs((shownLat ?? 0) - lat)).toBeLessThan(0.0001)
  expect(Math.abs((shownLng ?? 0) - lng)).toBeLessThan(0.0001)
  await map.place.getByRole('button', { name: 'Copy' }).click()
  await expect(map.place.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(text).toContain(await page.evaluate(() => navigator.clipboard.readText()))
  await page.keyboard.press('Escape')
  await expect(map.place).toBeHidden()
  await map.canvas.click(placeAt(50, 50), { button: 'right' })
  await map.place.getByRole('button', { name: 'The meadow' }).click()
  await map.hasDetailsOf('The meadow')
  await expect(map.place).toBeHidden()
})

test('holding a mouse button or a pen for 600 ms shows features here, also after release', async ({
  map,
  given,
  page,
}) => {
  await map.open(await given([parcel({ id: 'p1', name: 'The meadow' })]), { camera })
  await map.canvas.isComplete()
  const land = await map.canvas.placeOnPage(placeAt(50, 50))
  const { mouse } = page
  const pen = await Pen.of(page)
  const byMouse = {
    down: async ({ x, y }: typeof land) => {
      await mouse.move(x, y)
      await mouse.down()
    },
    up: () => mouse.up(),
  }
  for (const device of [byMouse, pen]) {
    await device.down(land)
    await expect(map.place).toBeVisible()
    await device.up()
    // A click during the release would have acted before this dialog opens.
    await map.chooseMore('Keyboard shortcuts')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(map.place).toBeVisible()
    expect(map.search().select).toBeUndefined()
    await page.keyboard.press('Escape')
    await device.down(land)
    await device.up()
    await map.hasDetailsOf('The meadow')
    await expect(map.place).toBeHidden()
    await map.button('Close details').click()
    await expect(map.details).toBeHidden()
    await map.canvas.isComplete()
  }
})
