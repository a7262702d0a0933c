import { origin, parcel, placeAt, squareAt, type TestFeature } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Shaping } from './shaping.driver.ts'

/** The second lot overlaps the first one by 10 m. */
const lots: TestFeature[] = [
  parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 200), area: null }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(190, 0, 200), area: null }),
  parcel({ id: 'p3', name: 'Lot 3', geometry: squareAt(600, 0, 200), area: null }),
]

test('checks the land, fixes an overlap, and shows earlier land', async ({ area, given, page, server }) => {
  const mapId = await given(lots)
  const shaping = new Shaping(page, server)
  await area.signInTo(`/config/map/${mapId}/land#16/${origin.lat}/${origin.lng}`)
  const panel = page.getByRole('region', { name: 'Land', exact: true })
  await panel.getByRole('button', { name: 'Check the land' }).click()
  await expect(panel.getByRole('status').first()).toHaveText(/^3 parcels checked/)
  const overlaps = panel.getByRole('region', { name: 'Overlaps' })
  await overlaps.getByRole('button', { name: 'Overlaps (1)' }).click()
  await expect(overlaps.getByRole('listitem')).toHaveText(/Lot 1 overlaps Lot 2 by/)
  await isAccessible(page)

  await overlaps.getByRole('button', { name: 'Give to Lot 1' }).click()
  await expect(shaping.status).toHaveText(/Not saved yet: Lot 2/)
  await shaping.button('Save').click()
  await expect(shaping.bar).toBeHidden()
  await expect(overlaps.getByRole('listitem')).toContainText('Changed since the check')
  await panel.getByRole('button', { name: 'Check again' }).click()
  await expect(panel.getByText('No problems found.')).toBeVisible()
  const saved = await shaping.parcels(mapId)
  const west = Math.min(...(saved.get('Lot 2')?.geometry.coordinates[0] ?? []).map(([lng]) => lng))
  expect(west).toBeCloseTo(placeAt(100, 0).lng, 8)

  const day = panel.getByLabel('As of')
  await day.fill('2020-01-01')
  await expect(panel.getByText('0 parcels. Since then: 3 added.')).toBeVisible()
  await day.fill('2999-01-01')
  await expect(panel.getByText('Choose a time that is not in the future')).toBeVisible()
  await day.fill((await day.getAttribute('max')) ?? '')
  await expect(panel.getByText(/^3 parcels\. Nothing has changed since/)).toBeVisible()
  await panel.getByLabel('Time (optional)').fill('00:00')
  await expect(panel.getByText('0 parcels. Since then: 3 added.')).toBeVisible()
  await isAccessible(page)
})
