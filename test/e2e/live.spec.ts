import { assetColors } from '#domain/features/palette.ts'
import { asset, parcel, placeAt, pointAt, putFeatures, takeFeatures } from '../test-map.ts'
import { ClientSelection } from './client-selection.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { boxAround, rgb } from './ink.ts'

const withinTwoSeconds = { timeout: 2_000 }

test('shows changes of another process in list, map and details within two seconds', {
  tag: '@painted',
}, async ({ map, given, server }) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well', type: 'water' }), parcel({ id: 'p1' })])
  const camera = { ...placeAt(0, 0), zoom: 14 }
  await map.open(mapId, { camera, search: { tab: 'asset', select: 'a1' } })
  await map.hasDetailsOf('Old well')
  await expect(map.row('Old well')).toBeVisible()

  const changes = [
    asset({ id: 'a1', name: 'Well, new pump', type: 'water', status: 'maintenance' }),
    asset({ id: 'a2', name: 'New mast', type: 'communication', geometry: pointAt(500, 250) }),
  ]
  await putFeatures(server.database, mapId, changes)
  await Promise.all([
    expect(map.row('New mast')).toBeVisible(withinTwoSeconds),
    expect(map.row('Well, new pump')).toBeVisible(withinTwoSeconds),
    expect(map.fact('Status')).toHaveText('Maintenance', withinTwoSeconds),
    expect
      .poll(async () => {
        const box = boxAround(await map.canvas.pointOf(placeAt(500, 250)), 15)
        return (await map.canvas.ink()).count(rgb(assetColors.communication), box)
      }, withinTwoSeconds)
      .toBeGreaterThan(50),
  ])
  await map.hasCount('Assets', 2)
})

test('shows changes made while staff viewed another map when they return', async ({
  area,
  given,
  page,
  server,
  visitor,
}) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well' })], { name: 'Left for a while' })
  await given([parcel({ id: 'p1' })], { name: 'Looked at meanwhile' })
  const selection = new ClientSelection(page)
  const table = new FeatureTable(page)
  async function choose(client: string) {
    await area.place('Map Selection').click()
    await selection.searchBox.fill(client)
    await selection.select(client).click()
    await expect(page.getByRole('heading', { name: client })).toBeVisible()
    await area.place('Map Features').click()
  }
  await area.openSection(mapId, 'features', 'administrator')
  await expect(table.row('Old well')).toBeVisible()
  await choose('Looked at meanwhile')
  await expect(table.row('Old well')).toBeHidden()
  await visitor.open(mapId, { search: { tab: 'asset' } })
  await putFeatures(server.database, mapId, [asset({ id: 'a1', name: 'New well' })])
  await expect(visitor.row('New well')).toBeVisible()
  await choose('Left for a while')
  await expect(table.row('New well')).toBeVisible()
})

test.describe('a removed feature', () => {
  // A removed feature returns 404.
  test.use({ toleratesNetworkFailures: true })

  test('disappears from list and details', async ({ map, given, server }) => {
    const mapId = await given([asset({ id: 'a1', name: 'Old well' }), parcel({ id: 'p1' })])
    await map.open(mapId, { search: { tab: 'asset', select: 'a1' } })
    await map.hasDetailsOf('Old well')
    await expect(map.row('Old well')).toBeVisible()
    await takeFeatures(server.database, mapId, ['a1'])
    await map.hasDetailsOf('No longer here')
    await expect(map.details.getByRole('heading', { name: 'Old well' })).toBeHidden()
    await expect(map.fact('Status')).toBeHidden()
    await expect(map.row('Old well')).toBeHidden()
  })
})
