import { asset } from '#test/databases/test-map.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { isAccessible } from './axe.ts'
import { Files, photoNamed } from './files.driver.ts'
import { expect, test } from './fixtures.ts'
import { Maintenance, yearly } from './maintenance.driver.ts'
import { Records } from './records.driver.ts'
import { smallTargets } from './touch-targets.ts'

test('adds a maintenance entry on a phone sheet with large controls', async ({ given, page, server }) => {
  const mapId = await given([asset({ id: 'a1', name: 'Culvert', maintenancePlan: yearly })])
  const records = new Records(page, server)
  const maintenance = new Maintenance(page)
  await records.open(mapId, 'a1')
  await expect(maintenance.section).toContainText('Plan: Yearly inspection, every 12 months')
  await maintenance.button('Add entry').tap()
  await expect(maintenance.dialog).toBeInViewport({ ratio: 1 })
  await expect(maintenance.field('Done on')).toHaveAttribute('type', 'date')
  await expect(maintenance.field('Work done')).toHaveValue('Yearly inspection')
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await maintenance.fill({ Hours: '2' })
  await maintenance.send('Add')
  await expect(maintenance.entries.first()).toContainText('2 h')
  await maintenance.section.scrollIntoViewIfNeeded()
  expect(await smallTargets(page)).toEqual([])
})

test('adds photos to a new maintenance entry on a phone', async ({ area, given, page, server }) => {
  const mapId = await given([asset({ id: 'a1', name: 'Culvert', maintenancePlan: yearly })])
  const files = new Files(page, server)
  const maintenance = new Maintenance(page)
  await files.records.open(mapId, 'a1')
  await maintenance.button('Mark done today').tap()
  await expect(maintenance.entries).toHaveCount(1)
  const done = maintenance.entries.first()
  const choosing = page.waitForEvent('filechooser')
  await done.getByRole('button', { name: /^Add photos to the entry of / }).tap()
  await (await choosing).setFiles(photoNamed('After.jpg', await aPhoto({ color: '#283' })))
  await expect(done.getByRole('button', { name: 'After.jpg, 1 of 1' })).toBeVisible()

  await maintenance.button('Add entry').tap()
  await maintenance.fill({ 'Work done': 'Cleared of leaves' })
  const chosen = [photoNamed('Leaves.jpg', await aPhoto()), photoNamed('Thumb.jpg', await aPhoto())]
  await maintenance.dialog.getByLabel('Photos and files for this entry').setInputFiles(chosen)
  await maintenance.dialog.getByRole('button', { name: 'Remove Thumb.jpg' }).tap()
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await maintenance.dialog.getByRole('button', { name: 'Add', exact: true }).tap()
  await expect(maintenance.dialog).toBeHidden()
  const cleared = maintenance.entries.filter({ hasText: 'Cleared of leaves' })
  await expect(cleared.getByRole('button', { name: 'Leaves.jpg, 1 of 1' })).toBeVisible()
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await expect(files.tiles).toHaveCount(2)
  await expect(files.section.getByRole('listitem').first()).toContainText(/Maintenance of /)
  // The address of a photo answers 404 while its entry is removed.
  await files.expectLoaded()

  await cleared.getByRole('button', { name: /^Remove entry/ }).tap()
  await expect(files.tiles).toHaveCount(1)
  await area.toast('Entry removed').getByRole('button', { name: 'Undo' }).tap()
  await expect(cleared.getByRole('button', { name: 'Leaves.jpg, 1 of 1' })).toBeVisible()
  await expect(files.tiles).toHaveCount(2)
  await cleared.getByRole('button', { name: 'Leaves.jpg, 1 of 1' }).tap()
  await expect(files.gallery.locator('img')).toHaveAccessibleName('Leaves.jpg, 2 of 2')
})
