import { assetColors } from '#domain/features/palette.ts'
import { asset, parcel, placeAt, pointAt, putFeatures } from '#test/databases/test-map.ts'
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
