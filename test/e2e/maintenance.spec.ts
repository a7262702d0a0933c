import { asset, placeAt, pointAt } from '#test/databases/test-map.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { dayIn, yearly } from './maintenance.driver.ts'

const done = (days: number, description: string) => ({ date: dayIn(days), description })
const well = asset({
  id: 'well',
  name: 'Well 1',
  maintenancePlan: { ...yearly, task: 'Water sample', everyMonths: 3 },
  lastMaintenance: dayIn(-150),
  maintenanceHistory: [done(-150, 'Sampled'), done(-300, 'Sampled before')],
})

test('the map and the table show due maintenance only', {
  tag: '@painted',
}, async ({ area, given, page }) => {
  const pump = { id: 'pump', name: 'Pump house', maintenancePlan: yearly, geometry: pointAt(900, 300) }
  const mapId = await given([
    well,
    asset({ ...pump, lastMaintenance: dayIn(-350), maintenanceHistory: [done(-350, 'Inspected')] }),
    asset({ id: 'gate', name: 'Gate', geometry: pointAt(-900, 300) }),
  ])
  const table = page.getByRole('grid')
  const { lat, lng } = placeAt(0, 0)
  await area.signInTo(`/config/map/${mapId}/features?kind=asset&due=overdue#14/${lat}/${lng}`)
  await area.canvas.isComplete()
  const places = [
    { name: 'Well 1', ...placeAt(0, 0) },
    { name: 'Pump house', ...placeAt(900, 300) },
    { name: 'Gate', ...placeAt(-900, 300) },
  ]
  await area.canvas.showsInkAt(places).toEqual(['Well 1'])
  await new FeatureTable(page).filterBy('Maintenance', 'due')
  await expect(table.getByRole('row').filter({ hasText: 'Pump house' })).toBeVisible()
  await expect(table.getByRole('row').filter({ hasText: 'Well 1' })).toBeHidden()
})
