import { applyConfiguration, asset, incident, parcel, placeAt, pointAt, squareAt } from '../test-map.ts'
import { expect, test } from './fixtures.ts'

const attack = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>'

test('shows markup in feature texts as plain text', async ({ map, given, page, server }) => {
  const mapId = await given(
    [
      incident({
        id: 'i1',
        title: attack,
        description: attack,
        reportedBy: attack,
        metadata: [{ name: attack, value: attack }],
      }),
      asset({
        id: 'a1',
        name: attack,
        description: attack,
        maintenanceHistory: [{ date: '2025-01-01', description: attack }],
        geometry: pointAt(300, 0),
      }),
      parcel({
        id: 'p1',
        name: attack,
        description: attack,
        owner: attack,
        zoning: { type: attack, restrictions: attack },
        geometry: squareAt(-500, 0, 300),
      }),
    ],
    { name: attack, location: attack },
  )
  await applyConfiguration(server.database, mapId, { showPersonalData: true, publicMetadata: [attack] })
  await map.open(mapId, { camera: { ...placeAt(0, 0), zoom: 16 } })
  await expect(map.sidebar.locator('header')).toContainText(attack)
  for (const [tab, id] of [
    ['Incidents', 'i1'],
    ['Assets', 'a1'],
    ['Parcels', 'p1'],
  ] as const) {
    await map.openTab(tab)
    await map.rows.first().click()
    await map.hasDetailsOf(attack)
    await expect.poll(() => map.search().select).toBe(id)
    await expect(map.rows.first()).toContainText(attack)
    if (id === 'i1') await expect(map.fact(attack)).toHaveText(attack)
  }
  await expect(map.fact('Owner')).toHaveText(attack)
  await expect(map.fact('Restrictions')).toHaveText(attack)
  await map.canvas.click(placeAt(-450, 60), { button: 'right' })
  await expect(map.place.getByRole('button', { name: attack })).toBeVisible()
  await expect(page.locator('img, #root script')).toHaveCount(0)
  await expect(page).toHaveTitle(`${attack} – POA Land Management`)
})
