import { metersFromOrigin, origin, parcel, placeAt, squareAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'
import { stubTileColors } from './stub-tiles.ts'

const land = [parcel({ id: 'p1', geometry: squareAt(0, 0, 600) })]
const southWest = placeAt(-2000, -1500)
const northEast = placeAt(2000, 1500)
const mapBounds = { north: northEast.lat, east: northEast.lng, south: southWest.lat, west: southWest.lng }
const [boundsColor, landColor] = [rgb('#2f6b4f'), rgb('#b4530a')]

test('bounds applied to an open map move it and update its address', async ({ area, given, visitor }) => {
  const mapId = await given(land)
  await visitor.open(mapId, { camera: { ...placeAt(5000, 300), zoom: 13 } })
  const panel = await area.openConfiguration(mapId)
  await panel.fillBounds(mapBounds)
  await panel.applyAndWait()
  await visitor.canvas.cameraIs({ ...placeAt(2000, 300), zoom: 13 })
  await panel.bounds.uncheck()
  await panel.applyAndWait()
  await expect(async () => {
    await visitor.canvas.press('ArrowRight')
    expect(metersFromOrigin(await visitor.canvas.camera()).east).toBeGreaterThan(3000)
  }).toPass()
})

test.describe('with rendered pixels', () => {
  test.use({ deviceScaleFactor: 1 })

  test('warns about bounds without the center or the land, and still applies them', {
    tag: '@painted',
  }, async ({ area, given }) => {
    const panel = await area.openConfiguration(await given(land))
    const { lat: south, lng: west } = placeAt(4000, 4000)
    const { lat: north, lng: east } = placeAt(8000, 7000)
    await panel.fillBounds({ north, east, south, west })
    await expect(panel.boundsWarning).toContainText('The center is outside the bounds')
    await expect(panel.boundsWarning).toContainText('The land is outside the bounds')
    await panel.boundsWarning.getByRole('button', { name: 'Show all on map' }).click()
    await expect
      .poll(async () => {
        const ink = await area.canvas.ink()
        const around = async (place: { lat: number; lng: number }) =>
          boxAround(await area.canvas.pointOf(place), 8)
        const isPlain = async (place: { lat: number; lng: number }) =>
          ink.extentOnTopOf(stubTileColors.street, await around(place)) === null
        return {
          hasFrame: ink.count(boundsColor, await around(placeAt(6000, 7000))) > 0,
          hasLandFrame: ink.count(landColor, await around(placeAt(0, -300))) > 0,
          isPlainInside: await isPlain(placeAt(6000, 5500)),
          isPlainOutside: await isPlain(placeAt(6000, 2000)),
        }
      })
      .toEqual({ hasFrame: true, hasLandFrame: true, isPlainInside: true, isPlainOutside: false })

    await panel.fillBounds({ north, east, ...placeAtSouthWest(-100, -100) })
    await expect(panel.boundsWarning).not.toContainText('The center')
    await expect(panel.boundsWarning).toContainText('Part of the land is outside the bounds')
    await panel.applyAndWait()
    await panel.fillBounds({ north, east, ...placeAtSouthWest(-400, -400) })
    await expect(panel.boundsWarning).toHaveText('')
  })
})

function placeAtSouthWest(toEast: number, toNorth: number) {
  const { lat: south, lng: west } = placeAt(toEast, toNorth)
  return { south, west }
}

test.describe('in a window taller than the world at zoom 1', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('previews the draft settings at every zoom of the slider', async ({ area, given, page }) => {
    const panel = await area.openConfiguration(await given(land))
    await panel.zoom.focus()
    for (const [key, zoom] of [
      ['Home', 1],
      ['ArrowRight', 2],
      ['End', 18],
    ] as const) {
      await page.keyboard.press(key)
      await expect(panel.zoom).toHaveAttribute('aria-valuenow', String(zoom))
      await expect.poll(async () => (await area.canvas.camera()).zoom).toBe(zoom)
    }
    await area.canvas.cameraIs({ ...origin, zoom: 18 }, 5)
  })
})
