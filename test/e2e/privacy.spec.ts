import { readFile } from 'node:fs/promises'
import { applyConfiguration, parcel, tellOfConfiguration } from '../test-map.ts'
import { expect, test } from './fixtures.ts'
import { MapPage } from './map-page.driver.ts'

test('hides owners from the public until the map shows personal data', async ({
  area,
  given,
  page,
  visitor,
  server,
}) => {
  const mapId = await given([parcel({ id: 'p1', owner: 'Ada Byron' })])
  await visitor.visit(`/map/${mapId}?select=p1`)
  await expect(visitor.fact('Owner')).toHaveText('–')
  const panel = await area.openConfiguration(mapId)
  await expect(panel.isPublic).not.toBeChecked()
  await panel.isPublic.check()
  await panel.applyAndWait()
  await expect(visitor.fact('Owner')).toHaveText('Ada Byron')
  await panel.isPublic.uncheck()
  await panel.applyAndWait()
  await expect(visitor.fact('Owner')).toHaveText('–')
  await area.visit(`/map/${mapId}?select=p1`)
  const own = new MapPage(page, server.url)
  await expect(own.fact('Owner')).toHaveText('Ada Byron')
  await expect(own.details.getByRole('term').filter({ hasText: 'Owner' })).toHaveText('Ownerstaff only')
  await expect(visitor.details.getByText('staff only')).toBeHidden()
  await expect(own.fact('Center')).toHaveText(/^35\.2\d+, -112\.\d+$/)
  await expect(own.fact('Id')).toHaveText('p1')
})

test('shows the public only the metadata that the map publishes by name', async ({
  area,
  given,
  page,
  visitor,
  server,
}) => {
  const metadata = [
    { name: 'Owner Phone', value: '555 0199' },
    { name: 'Ward', value: 7 },
  ]
  const mapId = await given([
    parcel({ id: 'p1', metadata }),
    parcel({ id: 'p2', metadata: [{ name: 'Ward', value: 8 }] }),
  ])
  await visitor.visit(`/map/${mapId}?select=p1`)
  await visitor.hasDetailsOf('Parcel p1')
  await expect(visitor.fact('Ward')).toBeHidden()

  const panel = await area.openConfiguration(mapId)
  await expect(panel.metadata.getByRole('checkbox')).toHaveCount(2)
  await expect(panel.metadata.getByText('Owner Phone 1 feature')).toBeVisible()
  await panel.metadata.getByLabel('Ward 2 features').check()
  await expect(panel.changes).toHaveText('Unsaved: Public metadata')
  await panel.applyAndWait()
  await expect(visitor.fact('Ward')).toHaveText('7')
  await expect(visitor.fact('Owner Phone')).toBeHidden()
  await expect(visitor.details.getByText('For staff only')).toBeHidden()
  await panel.openVersions()
  await expect(panel.version(1)).toContainText('Public metadata: Ward')

  await area.visit(`/map/${mapId}?select=p1`)
  const own = new MapPage(page, server.url)
  const hidden = own.details.getByRole('region', { name: 'For staff only' })
  await expect(hidden).toContainText('The public does not see this metadata.')
  await expect(hidden.getByRole('definition')).toHaveText(['555 0199'])
  await expect(own.fact('Ward')).toHaveText('7')
})

test('exports published metadata names, and shows a conflict between two managers', async ({
  area,
  given,
  page,
  server,
}) => {
  const metadata = Array.from({ length: 14 }, (_, at) => ({ name: `Column ${at + 1}`, value: at }))
  const mapId = await given([parcel({ id: 'p1', metadata })])
  await applyConfiguration(server.database, mapId, { publicMetadata: ['Column 2', 'Gone'] })
  const panel = await area.openConfiguration(mapId)
  await expect(panel.metadata.getByLabel('Gone on no feature')).toBeChecked()
  await panel.metadata.getByRole('searchbox', { name: 'Search metadata' }).fill('column 1')
  await expect(panel.metadata.getByRole('checkbox')).toHaveCount(6)
  await panel.metadata.getByLabel('Column 13 1 feature').check()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  expect(JSON.parse(text).publicMetadata).toEqual(['Column 2', 'Gone', 'Column 13'])

  await applyConfiguration(server.database, mapId, { publicMetadata: ['Column 5'] }, 2)
  await tellOfConfiguration(server.database, mapId)
  await expect(panel.changes).toContainText('Somebody else has changed these settings meanwhile.')
  await panel.apply.click()
  const row = panel.conflict.getByRole('row', { name: /^Public metadata/ })
  await expect(row.getByLabel('Column 2, Gone, Column 13')).toBeChecked()
  await row.getByLabel('Column 5').check()
  await panel.conflict.getByRole('button', { name: 'Keep what is applied' }).click()
  await expect(panel.changes).toHaveText('No unsaved changes')

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  await expect(panel.changes).toHaveText('Unsaved: Public metadata')
})
