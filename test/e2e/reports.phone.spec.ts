import { incident, parcel, placeAt, squareAt } from '#test/databases/test-map.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { isAccessible } from './axe.ts'
import { photoNamed } from './files.driver.ts'
import { expect, test } from './fixtures.ts'

const lot = parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 400) })

test.use({ permissions: ['geolocation'], geolocation: { ...toDevice(placeAt(50, 50)), accuracy: 12 } })

function toDevice({ lat, lng }: { lat: number; lng: number }) {
  return { latitude: lat, longitude: lng }
}

test.describe('a report', () => {
  test.use({ expectedComplaint: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ })
  test('waits without a connection, is reviewed, and tells its reporter', async ({
    area,
    context,
    given,
    page,
    server,
  }) => {
    const mapId = await given([lot, incident({ id: 'i1', title: 'Branch', ...placeAt(60, 50) })])
    await page.goto(`/map/${mapId}`)
    await page.getByRole('button', { name: 'Report a problem' }).click()
    const form = page.getByRole('region', { name: 'Details' })
    await expect(form.getByRole('heading', { name: 'Report a problem' })).toBeVisible()
    await isAccessible(page)
    await form.getByLabel('Photos of the problem').setInputFiles(photoNamed('tree.jpg', await aPhoto()))
    await expect(form.getByText('Lot 1')).toBeVisible()
    await expect(form.getByText('accurate to 12 m')).toBeVisible()
    await isAccessible(page)
    await form.getByRole('button', { name: 'Fallen tree' }).click()
    await expect(form.getByRole('listitem').filter({ hasText: 'Branch' })).toBeVisible()
    await isAccessible(page)
    await form.getByRole('button', { name: 'None of these' }).click()
    await form.getByLabel('Description').fill('Call me: 928-555-0142')
    await expect(form.getByText('Others will see ‘928-555-0142’')).toBeVisible()
    await isAccessible(page)

    await context.setOffline(true)
    await form.getByRole('button', { name: 'Send report' }).click()
    await expect(form.getByRole('status').last()).toContainText('Stored on this device')
    await context.setOffline(false)
    await expect(form.getByRole('status').last()).toContainText('Report R-1 was sent')
    await expect(form.getByRole('status').last()).not.toContainText('Its photo follows')
    const link = (await form.getByRole('link', { name: 'Follow your report' }).getAttribute('href')) ?? ''

    await area.signInTo(`/config/map/${mapId}/reports`)
    const report = page.getByRole('article', { name: 'Fallen tree, Lot 1' })
    await expect(report.getByRole('button', { name: 'Photo, 1 of 1' })).toBeVisible()
    await isAccessible(page)
    await page.getByLabel('Note to the reporter').fill('The crew comes today')
    await page.getByLabel('Make photos public').uncheck()
    await page.keyboard.press('a')
    await expect(area.toast('R-1 is on the map')).toBeVisible()
    await expect(page.getByText('No reports are waiting for review.')).toBeVisible()

    await page.goto(link)
    await expect(page.getByText('It was accepted and is on the map.')).toBeVisible()
    await expect(page.getByText('The crew comes today')).toBeVisible()
    await isAccessible(page)
    await page.getByRole('link', { name: 'Show it on the map' }).click()
    await expect(page.getByRole('heading', { name: 'Fallen tree, Lot 1' })).toBeVisible()
    const files = await server.database.read
      .selectFrom('files')
      .select('is_public')
      .where('map_id', '=', mapId)
      .execute()
    expect(files).toEqual([{ is_public: 0 }])
  })
})
