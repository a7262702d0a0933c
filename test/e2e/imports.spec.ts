import { asset, placeAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { Imports } from './imports.driver.ts'

const near = placeAt(30, 20)
const row = (id: number, name: string, latitude: number | string) =>
  `${id},${name},${latitude},${near.lng},Hydrant\n`
const rows = [row(1, 'North gate', near.lat), row(2, 'Pond', near.lat + 0.001), row(3, 'Nowhere', 'here')]
const hydrants = {
  name: 'hydrants.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`No,Label,Lat,Lon,Kind\n${rows.join('')}`),
}

test('uploads, previews, imports and undoes a table, with navigation in between', async ({
  area,
  given,
  page,
}) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well' })])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  await imports.input.setInputFiles(hydrants)
  await imports.isAtStep('2. Match columns')
  await expect(imports.button('Preview')).toBeDisabled()
  await isAccessible(page)
  await imports.panel.getByLabel('Import as').selectOption('Asset')
  await imports.becomes('Kind').selectOption('Type')
  await imports.means('Hydrant').selectOption('Water')
  await expect(imports.becomes('Lat')).toContainText('Latitude (automatic)')
  const layout = imports.button(/^File layout/)
  await layout.click()
  await expect(imports.panel.getByLabel('Decimal separator')).toBeVisible()
  await isAccessible(page)
  await layout.click()
  await imports.becomes('Label').selectOption('Name')
  await imports.becomes('No').selectOption('ID in the file')
  await expect(imports.becomes('No')).toHaveValue('id')

  await area.place('Overview').click()
  await expect(page.getByRole('region', { name: 'Overview' })).toBeVisible()
  await area.place('Import').click()
  await imports.button(/^hydrants.csv/).click()
  await expect(imports.becomes('Label')).toHaveValue('name')
  await imports.button('Preview').click()
  await imports.isAtStep('3. Preview')
  await expect(imports.count('New')).toHaveText('2')
  await expect(imports.count('Skipped')).toHaveText('1')
  await expect(imports.row(3)).toContainText('Latitude "here" is not a number')
  await isAccessible(page)
  await page.reload()
  await imports.button('Import 2 rows').click()
  await imports.isAtStep('4. Import')
  await expect(imports.button('Undo')).toBeVisible()
  await isAccessible(page)
  await imports.panel.getByRole('link', { name: 'View features' }).click()
  const features = new FeatureTable(page)
  await expect(features.row('North gate')).toBeVisible()
  await expect(features.count).toHaveText('3 features')

  await page.goBack()
  await imports.button('Undo').click()
  await expect(imports.panel.getByText('Import undone: 2 records removed, 0 restored.')).toBeVisible()
  await area.place('Map Features').click()
  await expect(features.count).toHaveText('1 feature')
})
