import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Maintenance, yearly } from './maintenance.driver.ts'
import { Records } from './records.driver.ts'
import { asset } from './test-map.ts'
import { smallTargets } from './touch-targets.ts'

test('on a phone what was done is written on a sheet, with large controls', async ({
  given,
  page,
  server,
}) => {
  const mapId = await given([asset({ id: 'a1', name: 'Culvert', maintenancePlan: yearly })])
  const records = new Records(page, server)
  const maintenance = new Maintenance(page)
  await records.open(mapId, 'a1')
  await expect(maintenance.section).toContainText('Plan: Yearly inspection, every 12 months')
  await maintenance.button('Add entry').tap()
  await expect(maintenance.dialog).toBeInViewport({ ratio: 1 })
  await expect(maintenance.field('Done on')).toHaveAttribute('type', 'date')
  await expect(maintenance.field('What was done')).toHaveValue('Yearly inspection')
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await maintenance.fill({ Hours: '2' })
  await maintenance.send('Add')
  await expect(maintenance.entries.first()).toContainText('2 h')
  await maintenance.section.scrollIntoViewIfNeeded()
  expect(await smallTargets(page)).toEqual([])
})
