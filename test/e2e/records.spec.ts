import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Records } from './records.driver.ts'
import { asset, incident, parcel, pointAt, squareAt } from './test-map.ts'

const features = [
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie', buildings: 2, area: 12 }),
  parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(900, 0, 400) }),
  asset({ id: 'a1', name: 'Old well', type: 'water', geometry: pointAt(20, 0) }),
  incident({ id: 'i1', title: 'Smoke over the ridge', type: 'fire', date: '2026-01-15T12:00:37Z' }),
]

test('a record is edited in place, by mouse, and taken back', async ({
  area,
  given,
  page,
  server,
  visitor,
}) => {
  const mapId = await given(features)
  const rosa = new Records(page, server)
  await rosa.startEditing(mapId, 'p1')
  await expect(rosa.field('Name')).toBeFocused()
  await expect(rosa.count).toHaveText('No changes')
  await expect(rosa.field('Area')).toHaveAccessibleDescription(/measured on the map/)
  await rosa.field('Owner').fill('Bob Quackenbush')
  await rosa.form.getByLabel('Restrictions').fill('No fences')
  await rosa.field('Buildings').fill('two')
  await expect(rosa.count).toHaveText('3 changes')
  await rosa.button('Save').click()
  await expect(rosa.field('Buildings')).toBeFocused()
  await expect(rosa.field('Buildings')).toHaveAccessibleDescription(/Must be a whole number of 0 or more/)
  await isAccessible(page)
  await rosa.field('Buildings').fill('3')
  await rosa.save()
  await expect(rosa.edit).toBeFocused()
  await expect(rosa.map.fact('Owner')).toHaveText('Bob Quackenbush')
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({
    owner: 'Bob Quackenbush',
    buildings: 3,
    zoning: { type: '', restrictions: 'No fences' },
    area: 12,
  })
  await area.toast('‘Lot 1’ is saved').getByRole('button', { name: 'Undo' }).click()
  await expect(rosa.map.fact('Owner')).toHaveText('Ann Zabriskie')
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({ buildings: 2, zoning: null })

  await visitor.visit(`/map/${mapId}?select=p1`)
  await visitor.hasDetailsOf('Lot 1')
  await expect(visitor.details.getByRole('button', { name: /Edit|Remove/ })).toHaveCount(0)
})
