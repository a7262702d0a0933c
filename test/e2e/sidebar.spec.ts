import { expect, test } from './fixtures.ts'
import { asset, incident, parcel, pointAt } from './test-map.ts'

test('the sidebar is titled, collapses to a rail of icons and comes back', async ({ map, given }) => {
  await map.open(await given([incident({ id: 'i1' }), asset({ id: 'a1' }), parcel({ id: 'p1' })]))
  await expect(map.sidebar.getByRole('heading', { level: 1 })).toHaveText('POA Land Management')
  await expect(map.sidebar).toContainText('Quiet Hollow POA')
  await map.button('Collapse the sidebar').click()
  await expect(map.list).toBeHidden()
  await expect.poll(async () => (await map.sidebar.boundingBox())?.width).toBeLessThan(64)
  await map.button('Assets').click()
  await expect(map.row('Asset a1')).toBeVisible()
  await expect(map.tab('Assets')).toHaveAttribute('aria-selected', 'true')
})

test('tabs tell how many there are of each kind', async ({ map, given }) => {
  const incidents = ['i1', 'i2', 'i3'].map((id) => incident({ id }))
  const mapId = await given([...incidents, asset({ id: 'a1' }), asset({ id: 'a2' }), parcel({ id: 'p1' })])
  await map.open(mapId)
  await map.hasCount('Incidents', 3)
  await map.hasCount('Assets', 2)
  await map.hasCount('Parcels', 1)
  await map.openTab('Parcels')
  await expect(map.rows).toHaveCount(1)
  await expect(map.row('Parcel p1')).toBeVisible()
})

test('descriptions in the list are cut at 60 characters', async ({ map, given }) => {
  const long = 'x'.repeat(61)
  const fitting = 'y'.repeat(60)
  const mapId = await given([
    asset({ id: 'a1', description: long, geometry: pointAt(0, 100) }),
    asset({ id: 'a2', description: fitting }),
  ])
  await map.open(mapId, { search: { tab: 'asset' } })
  await expect(map.row('Asset a1').getByText(`${'x'.repeat(60)}…`, { exact: true })).toBeVisible()
  await expect(map.row('Asset a2').getByText(fitting, { exact: true })).toBeVisible()
})
