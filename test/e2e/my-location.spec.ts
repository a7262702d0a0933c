import { applyConfiguration, asset, origin, parcel } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

const device = { latitude: origin.lat + 0.002, longitude: origin.lng + 0.003, accuracy: 25 }

test('shows and follows the device until the map is moved', async ({ map, given, page, context }) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(device)
  await map.open(await given([parcel({ id: 'p1' })]))
  const locate = map.button('Show my location')
  const isCentered = ({ latitude, longitude } = device) =>
    expect
      .poll(() =>
        new URL(page.url()).hash
          .split('/')
          .slice(1)
          .map((part) => Number(part).toFixed(3)),
      )
      .toEqual([latitude.toFixed(3), longitude.toFixed(3)])
  await locate.click()
  await expect(locate).toHaveAttribute('aria-pressed', 'true')
  await isCentered()
  await isAccessible(page)
  const moved = { ...device, latitude: device.latitude + 0.004 }
  await context.setGeolocation(moved)
  await isCentered(moved)
  await page.locator('canvas.maplibregl-canvas').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(locate).toHaveAttribute('aria-pressed', 'false')
  await locate.click()
  await isCentered(moved)
  await locate.click()
  await expect(locate).toHaveAttribute('aria-pressed', 'false')
})

test('explains a refused location, and one outside of the bounds', async ({
  map,
  given,
  page,
  context,
  server,
}) => {
  const mapId = await given([parcel({ id: 'p1' })])
  await map.open(mapId)
  const locate = map.button('Show my location')
  await locate.click()
  await expect(page.getByText('does not share your location with this site')).toBeVisible()
  await isAccessible(page)
  await map.button('Dismiss').click()

  const { lat, lng } = origin
  const mapBounds = { north: lat + 0.01, south: lat - 0.01, east: lng + 0.01, west: lng - 0.01 }
  await applyConfiguration(server.database, mapId, { mapBounds })
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ ...device, latitude: lat + 1 })
  await page.reload()
  await locate.click()
  await expect(page.getByText('You are outside of this map.')).toBeVisible()
  await expect(locate).toHaveAttribute('aria-pressed', 'false')
})

test('fills in the location of the device in the form', async ({ map, given, page, context, area }) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(device)
  const mapId = await given([asset({ id: 'a1', name: 'Old well' })])
  await area.signInTo(`/map/${mapId}?select=a1`)
  await map.button('Edit Old well').click()
  await map.button('Use my location').click()
  await expect(page.getByLabel('Coordinates')).toHaveValue('35.202, -112.397')
  await expect(page.getByText(/^Accurate to/)).toBeVisible()
})
