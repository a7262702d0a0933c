import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Dataset, loadGdal, writeInto } from '#server/geometry/gdal.ts'
import { metersFromOrigin, parcel, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { Imports } from './imports.driver.ts'

async function shapefileInFeet() {
  const lot = (number: number, owner: string) => ({
    type: 'Feature',
    properties: { APN: `10${number}`, OWNER_NAME: owner, WARD: 'North' },
    geometry: squareAt(number * 60, 40, 50),
  })
  const features = [lot(1, 'Ann Lee'), lot(2, 'Bo Reyes'), lot(3, 'Cy Ng')]
  const folder = mkdtempSync(join(tmpdir(), 'poa-e2e-'))
  const messages: string[] = []
  try {
    const source = join(folder, 'source.geojson')
    writeFileSync(source, JSON.stringify({ type: 'FeatureCollection', features }))
    const gdal = await loadGdal((message) => messages.push(message))
    const { datasets } = await gdal.open(source)
    const options = ['-f', 'ESRI Shapefile', '-t_srs', 'EPSG:2223']
    await writeInto(gdal, folder, () => gdal.ogr2ogr(datasets[0] as Dataset, options, 'lots'))
    return readdirSync(folder)
      .filter((name) => name.startsWith('lots') && !name.endsWith('.prj'))
      .map((name) => ({
        name,
        mimeType: 'application/octet-stream',
        buffer: readFileSync(join(folder, name)),
      }))
  } catch (error) {
    throw new Error(messages.join('\n'), { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('places a Shapefile in feet without a projection on the land', async ({ area, given, page }) => {
  const mapId = await given([parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 40) })])
  await area.signInTo(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  const files = await shapefileInFeet()
  await imports.input.setInputFiles(files)
  await imports.isAtStep('2. Match columns')
  await expect(
    imports.panel.getByText(/With NAD83 \/ Arizona Central \(ft\), the rows are on the land/),
  ).toBeVisible()
  await expect(imports.button('Preview')).toBeDisabled()
  await imports.button('Use this projection').click()
  await expect(imports.panel.getByLabel('Projection')).toHaveValue('EPSG:2223')
  await imports.panel.getByLabel('Import as').selectOption('Parcel')
  await imports.becomes('APN').selectOption('ID in the file')
  await imports.becomes('OWNER_NAME').selectOption('Owner')
  await imports.becomes('WARD').selectOption('Do not import')
  await expect(imports.panel.getByText(/are outside the land/)).toBeHidden()
  await isAccessible(page)
  await imports.button('Preview').click()
  await imports.isAtStep('3. Preview')
  await expect(imports.count('New')).toHaveText('3')
  await imports.button('Import 3 rows').click()
  await expect(imports.button('Undo')).toBeVisible()
  const { items } = await (await page.request.get(`/api/maps/${mapId}/features?kind=parcel`)).json()
  const placed = items.find(({ owner }: { owner: string }) => owner === 'Bo Reyes')
  const { east, north } = metersFromOrigin(placed.location)
  expect([east, north]).toEqual([expect.closeTo(120, 0), expect.closeTo(40, 0)])

  await imports.button('All imports').click()
  await imports.input.setInputFiles(files)
  await imports.isAtStep('2. Match columns')
  await expect(imports.panel.getByText(/Same settings as the import of ‘lots’/)).toBeVisible()
  await expect(imports.becomes('OWNER_NAME')).toHaveValue('owner')
  await imports.button('Preview').click()
  await expect(imports.count('Unchanged')).toHaveText('3')
  await expect(imports.button('Nothing to import')).toBeDisabled()
})
