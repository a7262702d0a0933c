import { isAccessible } from './axe.ts'
import { DrawingByTouch } from './drawing-by-touch.driver.ts'
import { StaffViewer } from './drawings.driver.ts'
import { expect, test } from './fixtures.ts'
import { smallTargets } from './touch-targets.ts'

test('lists and names drawings on a phone, and closes the list to draw', async ({ given, page, server }) => {
  const mapId = await given([])
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  const id = '5f0c9a52-7a0d-4f6e-9a3b-1f2d3c4b5a60'
  const geometry = { type: 'Point', coordinates: [-112.4, 35.2] }
  const drawing = { id, kind: 'marker', geometry, name: 'Well', note: '' }
  const added = await page.request.post(`/api/maps/${mapId}/drawings`, {
    headers: { origin: server.url },
    data: { items: [drawing] },
  })
  expect(added.status()).toBe(201)
  await viewer.open(mapId)
  await viewer.count.tap()
  await expect(viewer.panel.getByRole('listitem')).toHaveCount(1)
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await viewer.panel.getByRole('button', { name: 'Well' }).tap()
  await viewer.form.getByLabel('Name').fill('Dry well')
  expect(await smallTargets(page)).toEqual([])
  await isAccessible(page)
  await viewer.form.getByRole('button', { name: 'Save' }).tap()
  await expect.poll(async () => (await viewer.saved(mapId)).map(({ name }) => name)).toEqual(['Dry well'])
  await (await DrawingByTouch.on(page)).open('Rectangle')
  await expect(viewer.panel).toBeHidden()
})
