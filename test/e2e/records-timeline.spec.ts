import { formatPlace } from '#web/ui/measures.ts'
import { aPhoto } from '../file-bytes.ts'
import { asset, parcel, placeAt, pointAt, squareAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { Files, photoNamed } from './files.driver.ts'
import { expect, test } from './fixtures.ts'
import { Maintenance } from './maintenance.driver.ts'
import { Records } from './records.driver.ts'

test('the timeline names users and changes, and restores any version', async ({
  area,
  given,
  page,
  server,
}) => {
  const mapId = await given([
    parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie' }),
    parcel({ id: 'p2', name: 'Lot 2', geometry: squareAt(900, 0, 400) }),
    asset({ id: 'a1', name: 'Old well', parcelId: 'p1', geometry: pointAt(20, 0) }),
  ])
  const rosa = new Records(page, server)
  await rosa.open(mapId, 'p1')
  await rosa.timelineToggle.click()
  await expect(rosa.timeline).toContainText('Nobody has changed it since it came here.')
  for (const [version, change] of [
    { owner: 'Bob Quackenbush' },
    { zoning: { type: 'R-1' } },
    { geometry: squareAt(0, 0, 100) },
  ].entries())
    await rosa.changeElsewhere(mapId, 'p1', version + 1, change)
  const entries = rosa.timeline.getByRole('listitem')
  await expect(entries).toHaveCount(4)
  await expect(entries.nth(0)).toContainText(/changed it, .*Shape.* acres .*→.* acres/s)
  await expect(entries.nth(1)).toContainText('Zoning– → R-1')
  await expect(entries.nth(2)).toContainText('OwnerAnn Zabriskie → Bob Quackenbush')
  await isAccessible(page)
  await entries.nth(2).getByRole('button', { name: 'Restore' }).click()
  await expect(area.toast('‘Lot 1’ is restored')).toBeVisible()
  expect(await rosa.saved(mapId, 'p1')).toMatchObject({ owner: 'Bob Quackenbush', zoning: null, version: 5 })
  await expect(entries).toHaveCount(5)
  await entries.last().getByRole('button', { name: 'Restore' }).click()
  await expect(rosa.map.fact('Owner').first()).toHaveText('Ann Zabriskie')
  await area.toast('‘Lot 1’ is restored').last().getByRole('button', { name: 'Undo' }).click()
  await expect(rosa.map.fact('Owner').first()).toHaveText('Bob Quackenbush')

  await rosa.open(mapId, 'a1')
  await rosa.changeElsewhere(mapId, 'a1', 1, { parcelId: 'p2' })
  await rosa.timelineToggle.click()
  await expect(entries.first()).toContainText('ParcelLot 1 → Lot 2')
  await rosa.changeElsewhere(mapId, 'a1', 2, { geometry: pointAt(40, 0) })
  const [from, to] = [placeAt(20, 0), placeAt(40, 0)].map(formatPlace)
  await expect(entries.first()).toContainText(`Place${from} → ${to}`)
})

test('restores removed features from the table, by keyboard too', async ({ area, given, page, server }) => {
  const mapId = await given([parcel({ id: 'p1', name: 'Lot 1' }), asset({ id: 'a1', name: 'Old well' })])
  const rosa = new Records(page, server)
  await rosa.open(mapId, 'a1')
  const before = await rosa.saved(mapId, 'a1')
  await rosa.remove.click()
  await expect(area.toast('‘Old well’ is removed')).toBeVisible()
  await area.openSection(mapId, 'features')
  await page.getByRole('button', { name: 'Recently removed' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Recently removed' })
  await expect(dialog.getByRole('listitem')).toContainText(/Old well\s*Asset, removed by Grace Whitfield/)
  await isAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Nothing was removed in the last 30 days.')
  expect(await rosa.saved(mapId, 'a1')).toEqual({ ...before, version: 3, updatedAt: expect.any(String) })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Old well')
})

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
