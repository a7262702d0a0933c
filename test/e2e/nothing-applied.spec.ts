import { applyConfiguration, origin, parcel, placeAt, squareAt } from '../test-map.ts'
import { expect, test } from './fixtures.ts'

const land = [parcel({ id: 'p1', owner: 'Ada Byron', geometry: squareAt(600, 200, 400) })]
const middle = placeAt(600, 200)

test('resets applied settings on all open maps and restores them', async ({
  area,
  given,
  page,
  visitor,
  server,
}) => {
  const mapId = await given(land)
  await applyConfiguration(server.database, mapId, {
    center: origin,
    startZoom: 14,
    mapTypes: ['hybrid'],
    defaultMapType: 'hybrid',
  })
  await visitor.open(mapId)
  await visitor.canvas.cameraIs({ ...origin, zoom: 14 })
  const panel = await area.openConfiguration(mapId)
  await page.getByRole('button', { name: 'Back to nothing applied' }).click()
  await expect(panel.removal).toContainText('it opens at its first parcel, offers Street, Satellite, Terrain')
  await panel.removal.getByRole('button', { name: 'Cancel' }).click()
  await expect(panel.note).toBeHidden()

  await panel.remove()
  await expect(panel.note).toContainText('Nothing is applied')
  await expect(panel.latitude).toHaveValue(middle.lat.toFixed(4))
  await visitor.canvas.cameraIs({ ...middle, zoom: 12 })
  await expect(visitor.baseMap('Terrain')).toBeVisible()
  await expect(visitor.baseMap('Hybrid')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Back to nothing applied' })).toBeHidden()
  await panel.openVersions()
  await expect(panel.version(2)).toContainText('Settings taken away: nothing applied')

  await area.button('Restore version 1').click()
  await expect(visitor.baseMap('Hybrid')).toBeVisible()
  await visitor.canvas.cameraIs({ ...origin, zoom: 14 })
  await area.toast('are those of version 1 again').getByRole('button', { name: 'Undo' }).click()
  await expect(visitor.baseMap('Terrain')).toBeVisible()
  await area.tab('Notifications').click()
  await expect(area.sidebar).toContainText('took the applied settings away, version 4: nothing is applied')
})
