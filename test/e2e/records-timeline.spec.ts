import { aPhoto } from '../file-bytes.ts'
import { asset } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { Files, photoNamed } from './files.driver.ts'
import { expect, test } from './fixtures.ts'
import { Maintenance } from './maintenance.driver.ts'

test('the timeline lists maintenance, photos and changes together and filtered', async ({
  given,
  page,
  server,
}) => {
  const maintenanceHistory = [{ date: '2020-05-12', description: 'Pumped out' }]
  const mapId = await given([asset({ id: 'a1', name: 'Old well', maintenanceHistory })])
  const files = new Files(page, server)
  const { records } = files
  await records.open(mapId, 'a1')
  await records.changeElsewhere(mapId, 'a1', 1, { description: 'Behind the barn' })
  await files.choose(photoNamed('Well.jpg', await aPhoto()))
  await files.expectTiles('Well.jpg')
  const maintenance = new Maintenance(page)
  await maintenance.button('Done today').click()
  await expect(maintenance.entries).toHaveCount(2)
  await records.timelineToggle.click()
  const entries = records.timeline.getByRole('listitem')
  await expect(entries).toHaveText([
    /^Grace Whitfield changed it, .*Maintenance– → /,
    /^Grace Whitfield added a photo, .*Well\.jpg$/,
    /^Grace Whitfield changed it, .*Description– → Behind the barn/,
    /^As it was before/,
    /^Pumped out, May 12, 2020$/,
  ])
  await isAccessible(page)
  await records.timeline.getByRole('radiogroup', { name: 'Show' }).getByText('Maintenance').click()
  await expect(entries).toHaveText([/^Maintenance, /, /^Pumped out, May 12, 2020$/])
  await records.timeline.getByRole('radiogroup', { name: 'Show' }).getByText('Photos and files').click()
  await expect(entries).toHaveText([/Well\.jpg$/])
  const picture = entries.locator('img')
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
})
