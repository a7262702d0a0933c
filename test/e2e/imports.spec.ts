import { asset, parcel, placeAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { Imports } from './imports.driver.ts'

const near = placeAt(30, 20)
const row = (id: number, name: string, latitude: number | string) => `${id},${name},${latitude},${near.lng}`
const table = (...rows: string[]) => Buffer.from(`No,Label,Lat,Lon\n${rows.join('\n')}\n`)
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/csv', buffer })
const hydrants = file(
  'hydrants.csv',
  table(row(1, 'North gate', near.lat), row(2, 'Pond', near.lat + 0.001), row(3, 'Nowhere', 'here')),
)

test('uploads, previews, imports and undoes a table, with navigation in between', async ({
  area,
  given,
  page,
}) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well' })])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  await imports.input.setInputFiles(hydrants)
  await imports.isAtStep('2. What they are')
  await expect(imports.button('Try')).toBeDisabled()
  await isAccessible(page)
  await imports.panel.getByLabel('Each row is').selectOption('Asset')
  await imports.panel.getByLabel('Type of all rows').selectOption('Water')
  await expect(imports.becomes('Lat')).toContainText('Latitude, by its name')
  const layout = imports.panel.locator('summary', { hasText: 'File layout' })
  await layout.click()
  await expect(imports.panel.getByLabel('Decimal mark')).toBeVisible()
  await isAccessible(page)
  await layout.click()
  await imports.becomes('Label').selectOption('Name')
  await imports.becomes('No').selectOption('Its own id')
  await expect(imports.becomes('No')).toHaveValue('id')

  await area.place('Overview').click()
  await expect(page.getByRole('region', { name: 'Overview' })).toBeVisible()
  await area.place('Import').click()
  await imports.button(/^hydrants.csv/).click()
  await expect(imports.becomes('Label')).toHaveValue('name')
  await imports.button('Try').click()
  await imports.isAtStep('3. Trial')
  await expect(imports.count('New')).toHaveText('2')
  await expect(imports.count('Refused')).toHaveText('1')
  await expect(imports.row(3)).toContainText('latitude "here" is not a number')
  await isAccessible(page)
  await page.reload()
  await imports.button('Import 2 rows').click()
  await imports.isAtStep('4. Import')
  await expect(imports.button('Undo')).toBeVisible()
  await isAccessible(page)
  await imports.panel.getByRole('link', { name: 'To the features' }).click()
  const features = new FeatureTable(page)
  await expect(features.row('North gate')).toBeVisible()
  await expect(features.count).toHaveText('3 features')

  await page.goBack()
  await imports.button('Undo').click()
  await expect(imports.panel.getByText('Taken back: 2 removed, 0 as before.')).toBeVisible()
  await area.place('Map Features').click()
  await expect(features.count).toHaveText('1 feature')
})

test('fixes and skips rows before the import, and keeps local edits', async ({ area, given, page }) => {
  const mapId = await given([])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  const prepare = async (buffer: Buffer) => {
    await imports.input.setInputFiles(file('hydrants.csv', buffer))
    await imports.panel.getByLabel('Each row is').selectOption('Asset')
    await imports.panel.getByLabel('Type of all rows').selectOption('Water')
    await imports.becomes('Label').selectOption('Name')
    await imports.becomes('No').selectOption('Its own id')
    await expect(imports.becomes('No')).toHaveValue('id')
    await imports.button('Try').click()
    await imports.isAtStep('3. Trial')
  }
  await prepare(hydrants.buffer)
  await imports.row(3).getByRole('button', { name: 'Mend' }).click()
  const mending = imports.panel.getByRole('form', { name: 'Row 3' })
  await mending.getByLabel('Lat').fill(String(near.lat + 0.002))
  await mending.getByRole('button', { name: 'Done' }).click()
  await expect(imports.row(3)).toContainText(`Mended: Lat ${near.lat + 0.002}`)
  await imports.row(1).getByRole('button', { name: 'Leave out' }).click()
  await imports.button('Try again').click()
  await expect(imports.count('New')).toHaveText('2')
  await expect(imports.count('Left out')).toHaveText('1')
  await imports.button('Import 2 rows').click()
  await expect(imports.button('Undo')).toBeVisible()

  let ids = new Map<string, string>()
  const readIds = async () => {
    const { items } = await (await page.request.get(`/api/maps/${mapId}/features`)).json()
    ids = new Map(items.map(({ id, name }: { id: string; name: string }) => [name, id]))
    return [...ids.keys()]
  }
  await expect.poll(readIds).toEqual(['Nowhere', 'Pond'])
  const headers = { origin: new URL(page.url()).origin, 'if-match': '"1"' }
  const at = (name: string) => `/api/maps/${mapId}/features/${ids.get(name)}`
  const patch = { headers, data: { name: 'Pond of the mill' } }
  expect((await page.request.patch(at('Pond'), patch)).status()).toBe(200)
  expect((await page.request.delete(at('Nowhere'), { headers })).status()).toBeLessThan(300)

  await imports.button('All imports').click()
  await prepare(table(row(2, 'Pond', near.lat + 0.003), row(3, 'Nowhere', near.lat + 0.002)))
  await expect(imports.row(1)).toContainText('Changed Pond of the mill')
  await expect(imports.row(1)).toContainText('Stays as it was changed here: Name')
  await expect(imports.count('Removed here')).toHaveText('1')
  await isAccessible(page)
  await imports.panel.getByLabel('Show').selectOption('Removed here (1)')
  await expect(imports.row(1)).toBeHidden()
  await expect(imports.row(2)).toContainText('Removed here Nowhere')
  await imports.panel.getByLabel('Keep what was changed here').uncheck()
  await imports.panel.getByLabel('Bring back what was removed here').check()
  await imports.button('Try again').click()
  await expect(imports.count('New')).toHaveText('1')
  await imports.button('Import 2 rows').click()
  await imports.panel.getByRole('link', { name: 'To the features' }).click()
  const features = new FeatureTable(page)
  await expect(features.row('Nowhere')).toBeVisible()
  await expect(features.row('Pond of the mill')).toBeHidden()
})

test('asks about suspicious rows before the import and reports them after it', async ({
  area,
  given,
  page,
}) => {
  const mapId = await given([parcel({ id: 'p1' })])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  await imports.input.setInputFiles(file('far.csv', Buffer.from('id,name,lat,lon\n1,Pond,35.2,112.4\n')))
  await imports.panel.getByLabel('Each row is').selectOption('Asset')
  await imports.panel.getByLabel('Type of all rows').selectOption('Water')
  await imports.button('Try').click()
  await imports.button('Import 1 row').click()
  const warning = page.getByRole('dialog', { name: 'This looks wrong. Import it anyway?' })
  await expect(warning).toContainText('km from the features of the map')
  await isAccessible(page)
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(warning).toBeHidden()
  await imports.isAtStep('3. Trial')
  await imports.button('Import 1 row').click()
  await warning.getByRole('button', { name: 'Import anyway' }).click()
  await imports.isAtStep('4. Import')
  const doubts = imports.panel.getByRole('region', { name: 'What looks wrong' })
  await expect(doubts).toContainText('km from the features of the map')
})

test('shows why a file cannot be read and discards it', async ({ area, given, page }) => {
  const mapId = await given([])
  await area.signInTo(`/config/map/${mapId}/map`)
  await page.getByRole('region', { name: 'Overview' }).getByRole('link', { name: 'Import' }).click()
  const imports = new Imports(page)
  await imports.input.setInputFiles({ ...hydrants, buffer: Buffer.alloc(0) })
  await expect(imports.problem).toHaveText('hydrants.csv is empty.')
  await imports.input.setInputFiles(file('plan.csv', Buffer.from('%PDF-1.4 a plan')))
  await expect(imports.problem).toContainText('The file is a PDF')
  await imports.button('Forget it').click()
  await expect(imports.panel.getByText('Drop a file here')).toBeVisible()
  await expect(imports.button(/^plan.csv/)).toBeHidden()
})

test('cancels an upload in progress and removes it', async ({ area, given, page }) => {
  const mapId = await given([])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  await page.route(/\/import-drafts\/[^/]+\/files\//, () => {})
  const piece = page.waitForRequest(/\/import-drafts\/[^/]+\/files\//)
  await imports.input.setInputFiles(hydrants)
  await piece
  const forgotten = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await imports.button('Cancel').click()
  expect((await forgotten).status()).toBe(204)
  await expect(imports.panel.getByText('Drop a file here')).toBeVisible()
  await expect(imports.button(/^hydrants.csv/)).toBeHidden()
  const { items } = await (await page.request.get(`/api/maps/${mapId}/import-drafts`)).json()
  expect(items).toEqual([])
})

test('imports an edited export without coordinates and keeps the places', async ({ area, given, page }) => {
  const mapId = await given([asset({ id: 'a1', name: 'Old well' })])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  const rows = [`a1,asset,${mapId},New well,none`, `a2,asset,${mapId},Shed,it says no place`]
  const text = ['id,kind,mapId,name,problem', ...rows].join('\n')
  await imports.input.setInputFiles(file('assets.csv', Buffer.from(text)))
  await imports.isAtStep('2. What they are')
  await expect(imports.panel.getByText('leave each feature where it is')).toBeVisible()
  await imports.panel.getByLabel('Each row is').selectOption('Asset')
  await expect(imports.becomes('kind')).toContainText('Says which feature it is')
  await expect(imports.becomes('problem')).toContainText('Left out by itself')
  await expect(imports.panel.getByText('does not come in unless you choose')).toBeVisible()
  await isAccessible(page)
  await imports.button('Try').click()
  await imports.isAtStep('3. Trial')
  await expect(imports.count('Changed')).toHaveText('1')
  await expect(imports.row(2)).toContainText('it has no place, and the map has no feature a2 with one')
  await imports.button('Import 1 row').click()
  await imports.isAtStep('4. Import')
  await imports.panel.getByRole('link', { name: 'To the features' }).click()
  const features = new FeatureTable(page)
  await expect(features.row('New well')).toBeVisible()
  await expect(features.count).toHaveText('1 feature')
})
