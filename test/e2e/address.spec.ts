import { asset, incident, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'
import { MapPage } from './map-page.driver.ts'

const features = [
  incident({ id: 'i1', type: 'fire' }),
  asset({ id: 'a1', type: 'water', name: 'Old well', geometry: pointAt(400, 300) }),
  asset({ id: 'a2', type: 'water', name: 'Old tank', geometry: pointAt(-700, -300) }),
  parcel({ id: 'p1' }),
]
const camera = { ...placeAt(0, 0), zoom: 14 }

test('restores the whole view from the address on reload and in a copied link', async ({
  map,
  given,
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 1000, height: 900 })
  await map.open(await given(features), { camera })
  await map.openTab('Assets')
  await map.openFilters()
  await map.layerToggle('Parcels').uncheck()
  await map.filter('Incident type').selectOption('fire')
  await map.filter('Asset type').selectOption('water')
  await map.filter('Time range').selectOption('year')
  await map.baseMap('Terrain').click()
  await map.searchBox.fill('well')
  await map.row('Old well').click()
  await map.hasDetailsOf('Old well')
  await map.canvas.cameraIs({ ...placeAt(400, 300), zoom: 15 })
  await map.canvas.press('ArrowRight')
  const expected = {
    tab: 'asset',
    select: 'a1',
    off: 'parcel',
    incidents: 'fire',
    assets: 'water',
    time: 'year',
    base: 'terrain',
    text: 'well',
  }
  await expect.poll(() => map.search()).toEqual(expected)
  await expect.poll(async () => (await map.canvas.camera()).lng).toBeGreaterThan(placeAt(600, 0).lng)
  // The camera reaches the address a moment later.
  let link = ''
  await expect
    .poll(async () => {
      const before = link
      await map.canvas.isComplete()
      link = page.url()
      return link === before
    })
    .toBe(true)

  async function isRestored(view: MapPage) {
    await view.hasDetailsOf('Old well')
    await view.canvas.isComplete()
    await expect(view.tab('Assets')).toHaveAttribute('aria-selected', 'true')
    await expect(view.layerToggle('Parcels')).not.toBeChecked()
    await expect(view.layerToggle('Assets')).toBeChecked()
    await expect(view.filter('Incident type')).toHaveValue('fire')
    await expect(view.filter('Asset type')).toHaveValue('water')
    await expect(view.filter('Time range')).toHaveValue('year')
    await expect(view.page.getByRole('radio', { name: 'Terrain' })).toBeChecked()
    await expect(view.searchBox).toHaveValue('well')
    await expect(view.rows).toHaveCount(1)
    expect(view.page.url()).toBe(link)
  }
  await page.reload()
  await isRestored(map)
  const copy = await context.newPage()
  await copy.setViewportSize({ width: 1000, height: 900 })
  await copy.goto(link)
  await isRestored(new MapPage(copy, server.url))
})

test('back and forward restore selections with their camera', async ({ map, given, page }) => {
  await map.open(await given(features), { camera, search: { tab: 'asset' } })
  await map.row('Old well').click()
  await map.canvas.cameraIs({ ...placeAt(400, 300), zoom: 15 })
  await map.row('Old tank').click()
  await map.canvas.cameraIs({ ...placeAt(-700, -300), zoom: 15 })
  await page.goBack()
  await map.hasDetailsOf('Old well')
  await map.canvas.cameraIs({ ...placeAt(400, 300), zoom: 15 })
  await map.canvas.isComplete()
  await page.goBack()
  await expect(map.details).toBeHidden()
  await map.canvas.cameraIs(camera)
  await page.goForward()
  await map.hasDetailsOf('Old well')
  await map.canvas.cameraIs({ ...placeAt(400, 300), zoom: 15 })
  await map.canvas.isComplete()
  await map.canvas.press('ArrowUp', 'ArrowDown')
  await map.canvas.cameraIs({ ...placeAt(400, 300), zoom: 15 })
})
