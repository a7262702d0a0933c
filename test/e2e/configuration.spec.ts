import { applyConfiguration, origin, parcel, placeAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

const land = [parcel({ id: 'p1' })]

test('applied settings update open maps without a reload, until they are taken away', async ({
  area,
  given,
  page,
  visitor,
}) => {
  const mapId = await given(land)
  await visitor.open(mapId)
  await expect(visitor.baseMap('Terrain')).toBeVisible()

  const panel = await area.openConfiguration(mapId)
  const center = placeAt(90, -60)
  await panel.latitude.fill(String(center.lat))
  await panel.longitude.fill(String(center.lng))
  await panel.zoom.focus()
  await page.keyboard.press('ArrowLeft')
  await panel.mapType('Hybrid').check()
  await panel.defaultMapType.selectOption('satellite')
  await area.canvas.cameraIs({ zoom: 15, ...center })
  await expect(visitor.baseMap('Hybrid')).toBeHidden()
  await expect(panel.changes).toHaveText('Unsaved: Center, Zoom, Map types, Default map type')

  await panel.applyAndWait()
  await expect(visitor.baseMap('Hybrid')).toBeVisible()
  await expect(visitor.baseMap('Terrain')).toBeHidden()
  await visitor.canvas.cameraIs({ zoom: 15, ...center })

  await panel.remove()
  await expect(visitor.baseMap('Terrain')).toBeVisible()
  await visitor.canvas.cameraIs({ ...origin, zoom: 12 })
})

test('fills center, zoom and bounds from the current view', async ({ area, given }) => {
  const mapId = await given(land)
  const panel = await area.openConfiguration(mapId)
  await panel.useCurrentView('position').click()
  await expect(panel.zoom).toHaveAttribute('aria-valuenow', '12')
  const latitude = Number(await panel.latitude.inputValue())
  expect(latitude).toBeCloseTo(origin.lat, 3)
  await panel.useCurrentView('bounds').click()
  await expect(panel.bounds).toBeChecked()
  const [north, south] = await Promise.all(
    (['North', 'South'] as const).map(async (side) => Number(await panel.side(side).inputValue())),
  )
  expect(north).toBeGreaterThan(latitude)
  expect(south).toBeLessThan(latitude)
})

test('does not move a map that the user has panned', async ({ area, given, visitor, server }) => {
  const mapId = await given(land)
  await applyConfiguration(server.database, mapId, { center: origin, startZoom: 13 })
  await visitor.open(mapId)
  await visitor.button('Zoom in').click()
  await visitor.canvas.cameraIs({ zoom: 14, ...origin })
  const panel = await area.openConfiguration(mapId)
  await panel.latitude.fill('36')
  await panel.mapType('Hybrid').check()
  await panel.applyAndWait()
  await expect(visitor.baseMap('Hybrid')).toBeVisible()
  // After a flight, if there is one.
  await visitor.canvas.isComplete()
  await visitor.canvas.cameraIs({ zoom: 14, ...origin })
})

test('keeps Apply Settings visible at every panel size', async ({ area, given, page }) => {
  const panel = await area.openConfiguration(await given(land))
  await panel.latitude.fill('35')
  await area.split.press('End')
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 720 })
    const frame = page.getByRole('region', { name: 'Map Configuration', exact: true })
    await expect
      .poll(async () => {
        const [inner, outer] = [await panel.apply.boundingBox(), await frame.boundingBox()]
        return inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
      })
      .toBe(true)
    await expect(panel.apply).toBeInViewport({ ratio: 1 })
  }
  const isOnTop = () =>
    panel.changes.evaluate((text) => {
      const footer = text.closest('footer') as HTMLElement
      const { left, top, width, height } = footer.getBoundingClientRect()
      const places = Array.from({ length: 40 }, (_, index) => left + ((index + 0.5) * width) / 40)
      return places.every((x) => footer.contains(document.elementFromPoint(x, top + height / 2)))
    })
  for (const field of [panel.zoom, panel.bounds, panel.defaultMapType]) {
    await field.evaluate((input, gap) => {
      const form = input.closest('section') as HTMLElement
      form.scrollTop += input.getBoundingClientRect().top - form.getBoundingClientRect().bottom + gap
    }, 40)
    expect(await isOnTop()).toBe(true)
  }
})
