import { applyConfiguration, asset, origin, parcel, placeAt, pointAt, squareAt } from '../test-map.ts'
import { expect, test } from './fixtures.ts'
import { pixelsBetween } from './map-canvas.driver.ts'
import { Pen } from './touch.ts'

const camera = { ...origin, zoom: 15 }

test('arrow keys pan by 80 pixels, two quick presses by 160', async ({ map, given }) => {
  await map.open(await given([parcel({ id: 'p1' })]), { camera })
  const moved = async () => pixelsBetween(camera, await map.canvas.camera(), camera.zoom)
  await map.canvas.press('ArrowRight')
  await expect.poll(async () => Math.round((await moved()).x)).toBe(80)
  await map.canvas.press('ArrowLeft', 'ArrowLeft')
  await expect.poll(async () => Math.round((await moved()).x)).toBe(-80)
  await map.canvas.press('ArrowDown', 'ArrowDown')
  await expect.poll(async () => Math.round((await moved()).y)).toBe(160)
  await map.canvas.press('ArrowUp')
  await expect.poll(async () => Math.round((await moved()).y)).toBe(80)
  await map.canvas.press('+')
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(16)
  await map.canvas.press('-', '-')
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(14)
})

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`adds up quick steps, with motion: ${reducedMotion}`, async ({ map, given, page }) => {
    await page.emulateMedia({ reducedMotion })
    await map.open(await given([parcel({ id: 'p1' })]), { camera })
    const moved = async () => {
      const { x, y } = pixelsBetween(camera, await map.canvas.camera(), camera.zoom)
      return [Math.round(x), Math.round(y)]
    }
    const pressed = (key: string, times: number) =>
      map.canvas.canvas.evaluate(
        (canvas, [name, count]) => {
          for (let index = 0; index < count; index++)
            canvas.dispatchEvent(
              new KeyboardEvent('keydown', { key: name, repeat: index > 0, bubbles: true, cancelable: true }),
            )
        },
        [key, times] as const,
      )
    await pressed('ArrowRight', 20)
    await expect.poll(moved).toEqual([1600, 0])
    await map.canvas.press(...Array(20).fill('ArrowLeft'))
    await expect.poll(moved).toEqual([0, 0])
    await pressed('ArrowDown', 5)
    await pressed('+', 1)
    await pressed('ArrowUp', 4)
    // At the target zoom a pixel is half as long.
    await expect.poll(moved).toEqual([0, 400 - 160])
    await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(16)
    await map.canvas.canvas.evaluate((canvas) => {
      for (const deltaY of [60, 60]) {
        const { left, top, width, height } = canvas.getBoundingClientRect()
        const [clientX, clientY] = [left + width / 2, top + height / 2]
        canvas.dispatchEvent(
          new WheelEvent('wheel', { deltaY, clientX, clientY, bubbles: true, cancelable: true }),
        )
      }
    })
    await pressed('ArrowUp', 1)
    await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(14)
  })

test('four quick clicks on a zoom button zoom four levels, up to the limit', async ({ map, given }) => {
  await map.open(await given([parcel({ id: 'p1' })]), { camera: { ...origin, zoom: 12 } })
  const click = (name: string, times: number) =>
    map.button(name).evaluate((button, count) => {
      for (let index = 0; index < count; index++) (button as HTMLButtonElement).click()
    }, times)
  await click('Zoom in', 4)
  await map.canvas.cameraIs({ ...origin, zoom: 16 })
  await click('Zoom in', 4)
  await map.canvas.cameraIs({ ...origin, zoom: 18 })
  await click('Zoom out', 3)
  await map.canvas.cameraIs({ ...origin, zoom: 15 })
})

test('adds a step to the target of a running flight', async ({ map, given }) => {
  await map.open(await given([parcel({ id: 'p1', geometry: squareAt(2_000, 0, 100) })]), { camera })
  // Sends the keys in the page so that they arrive during the flight.
  const homeAnd = (...keys: string[]) =>
    map.button('Show all of the land').evaluate((button, names) => {
      ;(button as HTMLButtonElement).click()
      const canvas = document.querySelector('section[data-map-state] canvas')
      for (const key of names)
        canvas?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }, keys)
  await homeAnd()
  await map.canvas.cameraIs({ ...placeAt(2_000, 0), zoom: 16 })
  const home = await map.canvas.camera()
  await map.canvas.press('-', '-', '-')
  await map.canvas.cameraIs({ ...home, zoom: 13 })
  await homeAnd('-', 'ArrowRight', 'ArrowRight')
  const moved = async () => Math.round(pixelsBetween(home, await map.canvas.camera(), 15).x)
  await expect.poll(moved).toBe(160)
  expect((await map.canvas.camera()).zoom).toBe(15)
})

test('a drag stops a flight, and the next step starts from there', async ({ map, given, page }) => {
  await map.open(await given([parcel({ id: 'p1' })]), { camera })
  const from = await map.canvas.onPage(await map.canvas.middle())
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await map.canvas.press('ArrowRight', 'ArrowRight')
  await page.mouse.move(from.x - 200, from.y, { steps: 4 })
  await page.mouse.up()
  await map.canvas.isComplete()
  const before = await map.canvas.camera()
  await map.canvas.press('ArrowLeft')
  await expect
    .poll(async () => Math.round(pixelsBetween(before, await map.canvas.camera(), camera.zoom).x))
    .toBe(-80)
})

for (const [width, height] of [
  [1280, 800],
  [1920, 1080],
] as const)
  test(`reaches zoom 1 in a window of ${width} pixels`, async ({ map, given, page }) => {
    await page.setViewportSize({ width, height })
    const mapId = await given([parcel({ id: 'p1' })])
    await map.open(mapId, { camera: { ...origin, zoom: 1 } })
    await map.canvas.cameraIs({ ...origin, zoom: 1 })
    await map.canvas.press('+', '+', '-', '-', '-')
    await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(1)
  })

test('bounds limit panning but not zooming', async ({ map, given, server }) => {
  const mapId = await given([parcel({ id: 'p1' })])
  const [southWest, northEast] = [placeAt(-3_000, -3_000), placeAt(3_000, 3_000)]
  await applyConfiguration(server.database, mapId, {
    center: origin,
    startZoom: 12,
    mapBounds: {
      west: southWest.lng,
      south: southWest.lat,
      east: northEast.lng,
      north: northEast.lat,
    },
  })
  await map.open(mapId)
  await map.canvas.cameraIs({ ...origin, zoom: 12 })
  await map.canvas.press('+', '+', '+')
  await map.canvas.cameraIs({ ...origin, zoom: 15 })
  await map.canvas.press(...Array(12).fill('ArrowRight'))
  const fromEdge = async () => pixelsBetween(northEast, await map.canvas.camera(), 15).x
  await expect.poll(async () => Math.abs(await fromEdge())).toBeLessThan(1)
  await map.canvas.press('ArrowLeft')
  await expect.poll(async () => Math.abs((await fromEdge()) + 80)).toBeLessThan(1)
  await map.canvas.press(...Array(14).fill('-'))
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(1)
})

test.describe('with rendered pixels', () => {
  test.use({ deviceScaleFactor: 1 })

  test('60 wheel pixels zoom one level around the pointer', async ({ map, given }) => {
    await map.open(await given([parcel({ id: 'p1' })]), { camera })
    const pointer = { x: 150, y: 120 }
    const middle = await map.canvas.middle()
    const offset = { x: middle.x - pointer.x, y: middle.y - pointer.y }
    await map.canvas.wheel(pointer, -60)
    await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(16)
    const moved = pixelsBetween(camera, await map.canvas.camera(), camera.zoom)
    expect(Math.abs(moved.x + offset.x / 2)).toBeLessThan(1)
    expect(Math.abs(moved.y + offset.y / 2)).toBeLessThan(1)
    await map.canvas.wheel(pointer, 90)
    await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(14.5)
  })
})

test('combines wheel events within 40 ms', async ({ map, given, page }) => {
  await map.open(await given([parcel({ id: 'p1' })]), { camera })
  const watched = await page.evaluateHandle(() => {
    const written: string[] = []
    const { replaceState } = history
    history.replaceState = (...state) => {
      replaceState.apply(history, state)
      if (written.at(-1) !== location.hash) written.push(location.hash)
    }
    const release = () => {
      history.replaceState = replaceState
    }
    return { written, release }
  })
  // Playwright may send the events too slowly.
  await map.canvas.canvas.evaluate((canvas) => {
    for (const deltaY of [-20, -20, -20])
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true }))
  })
  await expect.poll(async () => (await map.canvas.camera()).zoom).toBe(16)
  await map.canvas.isComplete()
  await expect.poll(() => watched.evaluate(({ written }) => written)).toEqual([expect.stringMatching(/^#16/)])
  await watched.evaluate(({ release }) => release())
})

test('treats movement up to 9 pixels as a click and more as a drag', async ({ map, given, page }) => {
  await map.open(await given([asset({ id: 'a1', geometry: pointAt(300, 100) })]), { camera })
  const pin = await map.canvas.pointOf(placeAt(300, 100))
  await map.canvas.drag(pin, { x: 8, y: 0 })
  await map.hasDetailsOf('Asset a1')
  await page.keyboard.press('Escape')
  await expect(map.details).toBeHidden()
  await map.canvas.cameraIs({ ...placeAt(300, 100), zoom: 15 })

  await map.canvas.isComplete()
  const before = await map.canvas.camera()
  await map.canvas.drag(await map.canvas.middle(), { x: 12, y: 0 })
  await expect
    .poll(async () => pixelsBetween(before, await map.canvas.camera(), 15).x)
    .toBeLessThanOrEqual(-11)
  await expect(map.details).toBeHidden()
})

test('ends a drag released over a control', async ({ map, given, page }) => {
  await map.open(await given([parcel({ id: 'p1' })]), { camera })
  const start = await map.canvas.onPage(await map.canvas.middle())
  const control = await map.baseMap('Satellite').boundingBox()
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(control?.x ?? 0, control?.y ?? 0, { steps: 4 })
  await page.mouse.up()
  // The mouse rests: nothing else tells the map that the hand is off.
  await map.canvas.isComplete()
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

for (const [where, place] of [
  ['on land', placeAt(50, 50)],
  ['beside it', placeAt(400, 50)],
] as const)
  test(`holding a mouse button for 600 ms shows features here, also after release: ${where}`, async ({
    map,
    given,
    page,
  }) => {
    await map.open(await given([parcel({ id: 'p1', name: 'The meadow' })]), { camera })
    await map.canvas.isComplete()
    const { x, y } = await map.canvas.placeOnPage(place)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await expect(map.place).toBeVisible()
    await page.mouse.up()
    // A click during the flick would have acted before this dialog opens.
    await map.button('Keyboard shortcuts').click()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expect(map.place).toBeVisible()
    expect(map.search()).toEqual({})
    await page.keyboard.press('Escape')
    const land = await map.canvas.placeOnPage(placeAt(-50, -50))
    await page.mouse.click(land.x, land.y)
    await map.hasDetailsOf('The meadow')
    await expect(map.place).toBeHidden()
  })

test('holding a pen for 600 ms shows features here, also after lifting', async ({ map, given, page }) => {
  await map.open(await given([parcel({ id: 'p1', name: 'The meadow' })]), { camera })
  const land = await map.canvas.placeOnPage(placeAt(50, 50))
  const pen = await Pen.of(page)
  await pen.down(land)
  await expect(map.place).toBeVisible()
  await pen.up()
  await map.button('Keyboard shortcuts').click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(map.place).toBeVisible()
  expect(map.search()).toEqual({})
  await page.keyboard.press('Escape')
  const beside = await map.canvas.placeOnPage(placeAt(-50, -50))
  await pen.down(beside)
  await pen.up()
  await map.hasDetailsOf('The meadow')
})
