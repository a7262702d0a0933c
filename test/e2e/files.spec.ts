import { asset } from '#test/databases/test-map.ts'
import { aPdf, aPhoto, aPngOf, photoPlace } from '#test/imports/file-bytes.ts'
import { isAccessible } from './axe.ts'
import { Files, photoNamed } from './files.driver.ts'
import { expect, test } from './fixtures.ts'
import { MapPage } from './map-page.driver.ts'

test.describe('files', () => {
  test.use({ expectedComplaint: /400 \(Bad Request\)/ })
  test('adds, views, describes, reorders, removes and restores photos and documents', async ({
    area,
    given,
    page,
    server,
  }) => {
    const mapId = await given([asset({ id: 'a1', name: 'Culvert' })])
    const files = new Files(page, server)
    await files.records.open(mapId, 'a1')
    await files.choose(photoNamed('Inlet.jpg', await aPhoto()))
    await files.expectTiles('Inlet.jpg')
    await expect(area.toast('‘Inlet.jpg’ added')).toBeVisible()
    await files.bring('drop', photoNamed('Outlet.jpg', await aPhoto({ color: '#283' })))
    await files.expectTiles('Inlet.jpg', 'Outlet.jpg')
    await files.bring('paste', { name: 'Plan.pdf', mimeType: 'application/pdf', buffer: aPdf() })
    await files.expectTiles('Inlet.jpg', 'Outlet.jpg', 'Plan.pdf')
    const loaded = files.tile('Inlet.jpg').locator('img')
    await loaded.scrollIntoViewIfNeeded()
    await expect
      .poll(() => loaded.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await isAccessible(page)

    await files.choose(photoNamed('Setup.jpg', Buffer.from('MZ\0\0')))
    await expect(files.onTheirWay).toContainText(
      'The file is a program. Upload a photo (JPEG, PNG, or WebP) or a PDF.',
    )
    await isAccessible(page)
    await files.onTheirWay.getByRole('button', { name: 'Discard Setup.jpg' }).click()
    await expect(files.onTheirWay).toBeHidden()

    await files.tile('Outlet.jpg').focus()
    await page.keyboard.press('Alt+ArrowLeft')
    await files.expectTiles('Outlet.jpg', 'Inlet.jpg', 'Plan.pdf')
    await expect(files.tile('Outlet.jpg')).toBeFocused()
    await page.keyboard.press('Enter')
    const shown = files.gallery.locator('img')
    await expect(shown).toHaveAccessibleName('Outlet.jpg, 1 of 3')
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    await expect(files.gallery).toContainText('Taken Oct 5, 2026')
    await expect(files.gallery).toContainText('by Grace Whitfield')
    await page.keyboard.press('ArrowRight')
    await expect(shown).toHaveAccessibleName('Inlet.jpg, 2 of 3')
    await page.keyboard.press('ArrowRight')
    await expect(files.gallery.getByRole('link', { name: 'Download' })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await isAccessible(page)
    const caption = files.gallery.getByRole('textbox', { name: 'Caption' })
    await caption.fill('Inlet after the storm')
    await caption.press('Enter')
    await expect(shown).toHaveAccessibleName('Inlet after the storm, 2 of 3')
    await files.gallery.getByRole('switch', { name: 'Public' }).click()
    await expect(area.toast('‘Inlet after the storm’ is now public')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(files.gallery).toBeHidden()
    await files.expectTiles('Outlet.jpg', 'Inlet after the storm', 'Plan.pdf')

    await files.view('Outlet.jpg')
    await files.gallery.getByRole('button', { name: 'Remove' }).click()
    await page.keyboard.press('Escape')
    await files.expectTiles('Inlet after the storm', 'Plan.pdf')
    await area.toast('‘Outlet.jpg’ removed').getByRole('button', { name: 'Undo' }).click()
    await files.expectTiles('Outlet.jpg', 'Inlet after the storm', 'Plan.pdf')
    await files.view('Plan.pdf')
    await files.gallery.getByRole('button', { name: 'Remove' }).click()
    await page.keyboard.press('Escape')
    await files.section.getByRole('button', { name: 'Removed files (1)' }).click()
    await files.section.getByRole('button', { name: 'Restore Plan.pdf' }).click()
    await files.expectTiles('Outlet.jpg', 'Inlet after the storm', 'Plan.pdf')

    const visitor = await page.context().browser()?.newContext()
    if (!visitor) throw new Error('There is no browser.')
    const map = new MapPage(await visitor.newPage(), server.url)
    await map.visit(`/map/${mapId}?select=a1`)
    const seen = map.details.getByRole('region', { name: 'Photos and files' })
    await seen.getByRole('button', { name: 'Inlet after the storm, 1 of 1' }).click()
    await expect(map.page.getByRole('dialog').locator('img')).toBeVisible()
    await expect(map.page.getByRole('dialog')).not.toContainText('Grace Whitfield')
    await expect(map.page.getByRole('dialog').getByRole('button')).toHaveCount(1)
    await visitor.close()
  })
})

test('moves a point to the place of its photo, and undoes it', async ({ area, given, page, server }) => {
  // Places far from the land need confirmation.
  const fence = [0, 0.001].map((east): [number, number] => [photoPlace.lng + east, photoPlace.lat])
  const mapId = await given([
    asset({ id: 'a1', name: 'Culvert' }),
    asset({ id: 'a2', name: 'Fence', geometry: { type: 'LineString', coordinates: fence } }),
  ])
  const files = new Files(page, server)
  const { records } = files
  const place = async () => (await records.saved(mapId, 'a1'))?.geometry
  const placeHere = files.gallery.getByRole('button', { name: 'Use photo location' })
  await records.open(mapId, 'a2')
  await files.choose(photoNamed('Post.jpg', await aPhoto()))
  await files.view('Post.jpg')
  await expect(files.gallery.locator('img')).toBeVisible()
  await expect(placeHere).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(files.gallery).toBeHidden()
  await expect(files.tile('Post.jpg')).toBeFocused()

  await records.open(mapId, 'a1')
  const before = await place()
  await files.choose(photoNamed('Inlet.jpg', await aPhoto()), photoNamed('Plan.png', aPngOf(40, 30)))
  await files.expectTiles('Inlet.jpg', 'Plan.png')
  await files.view('Plan.png')
  await expect(files.gallery.getByRole('status')).toHaveText('2 of 2')
  await expect(placeHere).toBeHidden()
  await page.keyboard.press('ArrowLeft')
  await placeHere.press('Enter')
  const saved = area.toast('‘Culvert’ saved')
  await expect(saved).toBeVisible()
  expect(await place()).toEqual({ type: 'Point', coordinates: [photoPlace.lng, photoPlace.lat] })
  await saved.getByRole('button', { name: 'Undo' }).click()
  await expect(area.toast('Change to ‘Culvert’ undone')).toBeVisible()
  expect(await place()).toEqual(before)

  await records.edit.click()
  await records.field('Name').fill('Culvert 7')
  await page.keyboard.press('Escape')
  await expect(records.goOn).toHaveText('Continue: 1 change')
  await files.view('Inlet.jpg')
  await placeHere.click()
  await expect(records.goOn).toHaveText('Continue: 2 changes')
  const among = area.toast('Photo location added to your changes to ‘Culvert’')
  await among.getByRole('button', { name: 'Undo' }).click()
  await expect(records.goOn).toHaveText('Continue: 1 change')
  expect(await place()).toEqual(before)
})
