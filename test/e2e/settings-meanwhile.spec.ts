import { asset, origin, parcel, placeAt } from '../test-map.ts'
import { expect, type Page, test } from './fixtures.ts'
import { MapPage } from './map-page.driver.ts'

const land = [parcel({ id: 'p1' }), asset({ id: 'a1', name: 'Old well' })]

async function movesBeyond(page: Page, lng: number): Promise<void> {
  const { canvas } = new MapPage(page, '')
  await expect
    .poll(async () => {
      await canvas.press('ArrowRight')
      return (await canvas.camera()).lng
    })
    .toBeGreaterThan(lng)
}

async function isConfined(page: Page, east: number): Promise<void> {
  const { canvas } = new MapPage(page, '')
  await expect
    .poll(async () => {
      await canvas.press('ArrowRight')
      return (await canvas.camera()).lng
    })
    .toBeCloseTo(east, 3)
  await canvas.press('ArrowRight', 'ArrowRight')
  await canvas.isComplete()
  expect((await canvas.camera()).lng).toBeCloseTo(east, 3)
}

test('applies and removes bounds on an open map', async ({ area, given, otherPage, visitor }) => {
  const mapId = await given(land)
  const camera = { ...origin, zoom: 14 }
  await visitor.open(mapId, { camera })
  const panel = await area.openConfiguration(mapId)
  await panel.bounds.check()
  const sides = { North: placeAt(0, 900).lat, South: placeAt(0, -900).lat }
  const east = placeAt(900, 0).lng
  for (const [side, degrees] of Object.entries({ ...sides, East: east, West: placeAt(-900, 0).lng }))
    await panel.side(side as 'North').fill(String(degrees))
  await panel.applyAndWait()
  await isConfined(otherPage, east)

  await panel.bounds.uncheck()
  await panel.applyAndWait()
  await movesBeyond(otherPage, east)

  await panel.openVersions()
  await area.button('Restore version 1').click()
  await expect(panel.bounds).toBeChecked()
  await isConfined(otherPage, east)
  await area.button('Restore version 2').click()
  await expect(panel.bounds).not.toBeChecked()
  await movesBeyond(otherPage, east)
  await visitor.canvas.isComplete()
  await area.canvas.isComplete()
})
