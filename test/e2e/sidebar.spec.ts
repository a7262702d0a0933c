import { expect, test } from './fixtures.ts'
import { applyConfiguration, asset, incident, parcel, pointAt } from './test-map.ts'

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

test('rows are of one height, whatever they say: a title that is cut is whole in its tooltip', async ({
  map,
  given,
  server,
}) => {
  const title = 'Limb of the old cottonwood on the propane tank behind the second house'
  const description = 'No smell of gas so far, the dome is dented. Somebody should look at it soon.'
  const mapId = await given([
    incident({ id: 'i1', title, type: 'fallen_tree', severity: null, resolved: true, description }),
    incident({ id: 'i2', title: 'Smoke', date: null }),
    parcel({ id: 'p1', name: 'Lot 1', area: 12.34, owner: 'Ira Whitfield and Ada Moreno of Pine Ridge' }),
    parcel({ id: 'p2', name: 'Lot 2', description }),
  ])
  await applyConfiguration(server.database, mapId, { showPersonalData: true })
  await map.open(mapId)
  const heights = async () => {
    const boxes = await Promise.all((await map.rows.all()).map((row) => row.boundingBox()))
    return new Set(boxes.map((box) => box?.height))
  }
  const cut = map.row(title)
  await expect(cut.getByTitle(title)).toHaveText(title)
  await expect(cut).toContainText('Severity unknown')
  expect((await heights()).size).toBe(1)
  // The date stands right of the title.
  const [head, date] = [await cut.getByText(title).boundingBox(), await cut.getByRole('time').boundingBox()]
  expect(date?.x).toBeGreaterThanOrEqual((head?.x ?? 0) + (head?.width ?? 0))
  expect(Math.abs((date?.y ?? 0) - (head?.y ?? 0))).toBeLessThan(8)
  expect((date?.x ?? 0) + (date?.width ?? 0)).toBeLessThan(360)
  await expect(cut.getByRole('time')).toHaveAttribute('title', /2026/)

  await map.openTab('Parcels')
  await expect(map.row('Lot 1')).toContainText('12.3 acresIra Whitfield')
  await expect(map.row('Lot 2')).toBeVisible()
  expect((await heights()).size).toBe(1)
})
