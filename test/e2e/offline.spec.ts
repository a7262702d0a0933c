import { asset, parcel, placeAt, pointAt } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

test.use({ toleratesNetworkFailures: true })

const camera = { ...placeAt(0, 0), zoom: 15 }
const features = [
  asset({ id: 'a1', name: 'Old well' }),
  asset({ id: 'a2', name: 'New mast', geometry: pointAt(300, 100) }),
  parcel({ id: 'p1' }),
]

test('shows unavailable parts offline and continues after reconnecting', async ({
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given(features)
  await map.open(mapId, { camera, search: { tab: 'asset', select: 'a2' } })
  await map.hasDetailsOf('New mast')
  await expect(map.row('Old well')).toBeVisible()
  await expect(map.noConnection).toBeHidden()
  await map.loseConnection()

  await map.row('Old well').click()
  const inDetails = page.getByRole('main').getByRole('alert')
  await expect(inDetails).toContainText('Could not load details.')
  await expect(inDetails).toContainText('The server cannot be reached.')
  await map.searchBox.fill('mast')
  const inList = page.getByRole('tabpanel').getByRole('alert')
  await expect(inList).toContainText('Could not load the list.')
  await expect(map.row('Old well')).toBeHidden()
  await inList.getByRole('button', { name: 'Try again' }).click()
  await expect(inList).toContainText('The server cannot be reached.')
  await map.button('Zoom in').click()
  await map.canvas.cameraIs({ ...camera, zoom: 16 })
  await page.evaluate(() => {
    window.location.hash = '#16/35.3/-112.4'
  })
  const noBaseMap = page.getByText('No base map', { exact: true })
  await expect(noBaseMap).toBeVisible()

  await context.setOffline(false)
  await expect(noBaseMap).toBeHidden()
  await map.canvas.isComplete()
  await expect(map.noConnection).toBeHidden()
  await map.hasDetailsOf('Old well')
  await expect(map.row('New mast')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('applies filters changed offline to the map after reconnecting', { tag: '@painted' }, async ({
  context,
  given,
  map,
  page,
}) => {
  const mapId = await given([
    asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(-300, 0) }),
    asset({ id: 'a2', name: 'New mast', type: 'communication', geometry: pointAt(300, 0) }),
  ])
  await map.open(mapId, { camera })
  await map.openFilters()
  await context.setOffline(true)
  for (const type of ['communication', 'water', 'communication', 'water']) {
    const refused = page.waitForEvent('requestfailed', (request) =>
      request.url().includes(`.mvt?type=${type}`),
    )
    await map.filter('Asset type').selectOption(type)
    await refused
    await map.canvas.isComplete()
  }
  await context.setOffline(false)
  await map.canvas
    .showsInkAt([
      { name: 'well', ...placeAt(-300, 0) },
      { name: 'mast', ...placeAt(300, 0) },
    ])
    .toEqual(['well'])
})
