import { applyConfiguration, incident, parcel } from '#test/databases/test-map.ts'
import { expect, test } from './fixtures.ts'

test('titles keep their line, and a tooltip shows those that are cut', async ({ map, given, server }) => {
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
  const [head, date] = [await cut.getByText(title).boundingBox(), await cut.getByRole('time').boundingBox()]
  expect(head?.height).toBeLessThan(24)
  expect(date?.y).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0))
  await expect(cut.getByRole('time')).toHaveAttribute('title', /2026/)

  await map.openTab('Parcels')
  await expect(map.row('Lot 1')).toContainText('12.3 acresIra Whitfield')
  await expect(map.row('Lot 2')).toBeVisible()
  expect((await heights()).size).toBe(1)
})
