import { randomUUID } from 'node:crypto'
import { incident, origin, pointAt } from '#test/databases/test-map.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

const key = 'ab'.repeat(16)

// Its open details are requested again when an incident leaves the map.
test.use({ expectedComplaint: /404 \(Not Found\).*\/features\// })

test('staff redact a photo, merge duplicates, and change the settings, accessibly', async ({
  area,
  given,
  page,
  server,
}) => {
  const mapId = await given([
    incident({ id: 'flood', title: 'Water on the road', geometry: pointAt(20, 0) }),
    incident({ id: 'creek', title: 'Creek over its banks', geometry: pointAt(2_000, 0) }),
  ])
  async function send(method: string, path: string, body: object | Buffer) {
    const isBytes = Buffer.isBuffer(body)
    const answer = await fetch(`${server.url}/api/maps/${mapId}${path}`, {
      method,
      headers: {
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        'report-key': key,
      },
      body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
    })
    expect(answer.ok, await answer.text()).toBe(true)
  }
  async function report(description: string): Promise<string> {
    const id = randomUUID()
    await send('POST', '/reports', { id, key, type: 'flood', place: origin, description })
    return id
  }
  const [id, photoId, photo] = [await report('Knee-deep'), randomUUID(), await aPhoto()]
  await report('Still there')
  await send('POST', `/reports/${id}/photos`, { id: photoId, size: photo.length })
  await send('PUT', `/reports/${id}/photos/${photoId}?offset=0`, photo)

  await area.signInTo(`/config/map/${mapId}/reports`)
  const details = page.getByRole('article')
  await details.getByRole('list', { name: 'Photos from the reporter' }).getByRole('button').click()
  const gallery = page.getByRole('dialog', { name: 'Photos and files' })
  await isAccessible(page)
  await gallery.getByRole('button', { name: 'Black out areas' }).click()
  await page.getByRole('button', { name: 'Add area' }).click()
  const black = page.getByRole('button', { name: /^Black area 1/ })
  await black.press('ArrowLeft')
  await isAccessible(page)
  await page.getByRole('button', { name: 'Black out', exact: true }).click()
  await expect(area.toast(/redacted/)).toBeVisible()
  // The redacted photo is a new one.
  await expect(gallery).toBeHidden()

  await expect(details.getByText(/^Water on the road/)).toBeVisible()
  await page.keyboard.press('d')
  await expect(details.getByRole('button', { name: /^Same problem as ‘/ }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(area.toast('R-1 merged into ‘Water on the road’')).toBeVisible()
  await expect(details).toContainText('Still there')
  await page.getByRole('combobox', { name: 'Same problem as another incident' }).fill('creek')
  await page.getByRole('option', { name: 'Creek over its banks' }).click()
  await expect(area.toast('R-2 merged')).toBeVisible()
  const redacted = await server.database.read
    .selectFrom('files')
    .select(['feature_id', 'redacts'])
    .where('map_id', '=', mapId)
    .where('removed_at', 'is', null)
    .execute()
  expect(redacted).toEqual([{ feature_id: 'flood', redacts: photoId }])

  await area
    .button('Report settings')
    .or(page.getByRole('link', { name: 'Report settings' }))
    .click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
  await isAccessible(page)
})

test('staff merge an incident into another one from its details', async ({ area, given, page }) => {
  const mapId = await given([
    incident({ id: 'flood', title: 'Water on the road' }),
    incident({ id: 'again', title: 'Road under water', geometry: pointAt(20, 0) }),
  ])
  await area.signInTo(`/map/${mapId}?select=again`)
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge ‘Road under water’' })
  await expect(dialog.getByRole('list', { name: 'Incidents nearby' })).toContainText('Water on the road')
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Merge into ‘Water on the road’' }).click()
  const toast = area.toast('‘Road under water’ merged into ‘Water on the road’')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(area.toast('Merge of ‘Road under water’ undone')).toBeVisible()
})
