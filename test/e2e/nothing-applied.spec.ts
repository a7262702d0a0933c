import { ConfigArea } from './config-area.driver.ts'
import { expect, test } from './fixtures.ts'
import {
  applyConfiguration,
  origin,
  parcel,
  placeAt,
  putFeatures,
  squareAt,
  tellOfConfiguration,
} from './test-map.ts'

// What the panel proposes while nothing is applied, and the way back to there.

const land = [parcel({ id: 'p1', owner: 'Ada Byron', geometry: squareAt(600, 200, 400) })]
const middle = placeAt(600, 200)

test('the land is proposed, and applied untouched it is what the public map opens with', async ({
  area,
  given,
  visitor,
}) => {
  const mapId = await given([...land, parcel({ id: 'p2', geometry: squareAt(-3000, -1400, 400) })])
  const panel = await area.openConfiguration(mapId)
  await expect(panel.note).toHaveText(
    'Nothing is applied: the map opens at its first parcel. What you see here is a proposal, made from where the land lies. It holds once it is applied.',
  )
  await expect(panel.changes).toHaveText('Proposed, not applied yet')
  await panel.applyAndWait()
  await expect(panel.note).toBeHidden()
  await expect(area.toast('are applied: everybody sees them')).toBeVisible()

  await visitor.open(mapId)
  const { lat, lng } = placeAt(-1200, -600)
  // Rounded to about eleven metres; the land is four kilometres wide.
  await visitor.canvas.cameraIs({ lat, lng, zoom: 13 })
})

test('without land the default of the specification is proposed, and land that comes later changes it', async ({
  area,
  given,
  server,
}) => {
  const mapId = await given([])
  const panel = await area.openConfiguration(mapId)
  await expect(panel.note).toHaveText(
    'Nothing is applied: the map opens at the whole country. What you see here is a proposal. It holds once it is applied.',
  )
  await expect(panel.latitude).toHaveValue('34.05')
  await expect(panel.longitude).toHaveValue('-111.09')
  await expect(panel.zoom).toHaveAttribute('aria-valuenow', '14')
  await panel.mapType('Terrain').check()
  await putFeatures(server.database, mapId, land)
  await expect(panel.latitude).toHaveValue(middle.lat.toFixed(4))
  await expect(panel.longitude).toHaveValue(middle.lng.toFixed(4))
  await expect(panel.zoom).toHaveAttribute('aria-valuenow', '16')
  // What somebody has changed meanwhile is theirs.
  await expect(panel.mapType('Terrain')).toBeChecked()
  await expect(panel.changes).toHaveText('Unsaved: Map types')
})

test('what is applied is taken away, everywhere at once, and can be brought back', async ({
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

test('the first settings that were applied can be undone', async ({ area, given }) => {
  const panel = await area.openConfiguration(await given(land))
  await panel.applyAndWait()
  await area.toast('are applied: everybody sees them').getByRole('button', { name: 'Undo' }).click()
  await expect(panel.note).toContainText('Nothing is applied')
})

test('who was slower than a removal is told, and chooses', async ({ area, given, otherPage, server }) => {
  const mapId = await given(land)
  await applyConfiguration(server.database, mapId, { center: origin })
  const others = new ConfigArea(otherPage, server)
  const mine = await area.openConfiguration(mapId)
  const theirs = await others.openConfiguration(mapId)
  await mine.latitude.fill('36')
  await theirs.remove()
  await expect(mine.changes).toContainText('Somebody else has changed these settings meanwhile')
  await mine.apply.click()
  await expect(mine.conflict).toContainText('Grace Whitfield took the applied settings away')
  await mine.conflict.getByLabel(/^36, /).check()
  await mine.conflict.getByRole('button', { name: 'Apply what is chosen' }).click()
  await expect(mine.changes).toHaveText('No unsaved changes')
  await expect(mine.latitude).toHaveValue('36')
})

test.describe('somebody else applies settings while the question is open', () => {
  // The refusal.
  test.use({ toleratesNetworkFailures: true })

  test('theirs stay, and who asked is told', async ({ area, given, page, server }) => {
    const mapId = await given(land)
    await applyConfiguration(server.database, mapId, { center: origin })
    const panel = await area.openConfiguration(mapId)
    await page.getByRole('button', { name: 'Back to nothing applied' }).click()
    await expect(panel.removal).toContainText('Version 1 stays in the list')
    await applyConfiguration(server.database, mapId, { center: middle }, 2)
    await tellOfConfiguration(server.database, mapId)
    await expect(panel.latitude).toHaveValue(String(middle.lat))
    await panel.removal.getByRole('button', { name: 'Take away' }).click()
    await expect(area.toast('were not taken away')).toBeVisible()
    await expect(panel.note).toBeHidden()
  })
})
