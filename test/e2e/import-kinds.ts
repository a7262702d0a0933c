import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { type Dataset, loadGdal, writeInto } from '#server/geometry/gdal.ts'
import { metersFromOrigin, parcel, placeAt, squareAt } from '../test-map.ts'
import { isAccessible } from './axe.ts'
import { test } from './fixtures.ts'
import { Imports } from './imports.driver.ts'

type SentFile = { name: string; mimeType: string; buffer: Buffer }
const sent = (name: string, buffer: Buffer): SentFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer,
})

async function writtenBy(
  driver: string,
  features: readonly { properties: object; geometry?: object }[],
  options: readonly string[] = [],
): Promise<SentFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poa-e2e-'))
  const messages: string[] = []
  try {
    const source = join(folder, 'source.geojson')
    const all = features.map(({ geometry = null, ...one }) => ({ type: 'Feature', ...one, geometry }))
    writeFileSync(source, JSON.stringify({ type: 'FeatureCollection', features: all }))
    const gdal = await loadGdal((message) => messages.push(message))
    const { datasets } = await gdal.open(source)
    await writeInto(gdal, folder, () =>
      gdal.ogr2ogr(datasets[0] as Dataset, ['-f', driver, ...options], 'lots'),
    )
    return readdirSync(folder)
      .filter((name) => name.startsWith('lots'))
      .map((name) => sent(name, readFileSync(join(folder, name))))
  } catch (error) {
    throw new Error(messages.join('\n'), { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function shapefileInFeet() {
  const lot = (number: number, owner: string) => ({
    properties: { APN: `10${number}`, OWNER_NAME: owner, WARD: 'North' },
    geometry: squareAt(number * 60, 40, 50),
  })
  const features = [lot(1, 'Ann Lee'), lot(2, 'Bo Reyes'), lot(3, 'Cy Ng')]
  const files = await writtenBy('ESRI Shapefile', features, ['-t_srs', 'EPSG:2223'])
  return files.filter(({ name }) => !name.endsWith('.prj'))
}

async function excelSheet() {
  const asset = (number: number, kind: string) => {
    const { lat, lng } = placeAt(number * 20, 30)
    return { properties: { Nr: number, Label: `Asset ${number}`, Kind: kind, Lat: lat, Lon: lng } }
  }
  return writtenBy('XLSX', [asset(1, 'Hydrant'), asset(2, 'Road'), asset(3, 'Hydrant')])
}

function brokenTable() {
  const row = (number: number, what: string, lat: number | string) =>
    [number, what, `${lat}`, `${placeAt(number * 20, 60).lng}`, '555-0101'].join(';')
  const { lat } = placeAt(0, 60)
  const rows = [row(1, 'Fire', lat), row(2, 'Flood', 'north'), '3;Fire', row(4, 'Flood', lat)]
  return [sent('calls.csv', Buffer.from(`No;What;Lat;Lon;Phone\r\n${rows.join('\r\n')}\r\n`, 'latin1'))]
}

export function testFirstImport() {
  test('places a Shapefile in feet without a projection on the land', async ({ area, given, page }) => {
    const mapId = await given([parcel({ id: 'p1', name: 'Lot 1', geometry: squareAt(0, 0, 40) })])
    await area.signInTo(`/config/map/${mapId}/import`)
    const imports = new Imports(page)
    await imports.input.setInputFiles(await shapefileInFeet())
    await imports.isAtStep('2. What they are')
    await expect(
      imports.panel.getByText(/As NAD83 \/ Arizona Central \(ft\) they lie on the land/),
    ).toBeVisible()
    await expect(imports.button('Try')).toBeDisabled()
    await imports.button('It lies right').click()
    await expect(imports.panel.getByLabel('Projection')).toHaveValue('EPSG:2223')
    await imports.panel.getByLabel('Each row is').selectOption('Parcel')
    await imports.becomes('APN').selectOption('Its own id')
    await imports.becomes('OWNER_NAME').selectOption('Owner')
    await imports.becomes('WARD').selectOption('Left out')
    await expect(imports.panel.getByText(/lie beside the land/)).toBeHidden()
    await isAccessible(page)
    await imports.button('Try').click()
    await imports.isAtStep('3. Trial')
    await expect(imports.count('New')).toHaveText('3')
    await imports.button('Import 3 rows').click()
    await expect(imports.button('Undo')).toBeVisible()
    const { items } = await (await page.request.get(`/api/maps/${mapId}/features?kind=parcel`)).json()
    const placed = items.find(({ owner }: { owner: string }) => owner === 'Bo Reyes')
    const { east, north } = metersFromOrigin(placed.location)
    expect([east, north]).toEqual([expect.closeTo(120, 0), expect.closeTo(40, 0)])

    await imports.button('All imports').click()
    await imports.input.setInputFiles(await shapefileInFeet())
    await imports.isAtStep('2. What they are')
    await expect(imports.panel.getByText(/As in the import of ‘lots’/)).toBeVisible()
    await expect(imports.becomes('OWNER_NAME')).toHaveValue('owner')
    await imports.button('Try').click()
    await expect(imports.count('The same')).toHaveText('3')
    await expect(imports.button('Nothing to import')).toBeDisabled()
  })
}

export function testOtherImports() {
  test('maps words of an Excel sheet to values', async ({ area, given, page }) => {
    const mapId = await given([])
    await area.signInTo(`/config/map/${mapId}/import`)
    const imports = new Imports(page)
    await imports.input.setInputFiles(await excelSheet())
    await imports.isAtStep('2. What they are')
    await imports.panel.getByLabel('Each row is').selectOption('Asset')
    await imports.becomes('Label').selectOption('Name')
    await imports.becomes('Kind').selectOption('Type')
    await expect(imports.panel.getByText('1 of 2 words of Kind is not understood')).toBeVisible()
    await imports.means('Hydrant').selectOption('Water')
    await expect(imports.panel.getByText('All words of Kind are understood')).toBeVisible()
    await isAccessible(page)
    await imports.button('Try').click()
    await expect(imports.count('New')).toHaveText('3')
    await imports.button('Import 3 rows').click()
    await expect(imports.button('Undo')).toBeVisible()
    const { items } = await (
      await page.request.get(`/api/maps/${mapId}/features?kind=asset&type=water`)
    ).json()
    expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Asset 1', 'Asset 3'])
  })

  test('imports the valid rows of a broken table and fixes the others', async ({ area, given, page }) => {
    const mapId = await given([])
    await area.signInTo(`/config/map/${mapId}/import`)
    const imports = new Imports(page)
    await imports.input.setInputFiles(brokenTable())
    await imports.isAtStep('2. What they are')
    await imports.panel.getByLabel('Each row is').selectOption('Incident')
    await imports.becomes('What').selectOption('Type')
    await imports.becomes('Phone').selectOption('Left out')
    await imports.button('Try').click()
    await imports.isAtStep('3. Trial')
    await expect(imports.count('New')).toHaveText('2')
    await expect(imports.row(2)).toContainText('latitude "north" is not a number')
    await expect(imports.row(3)).toContainText('Refused')
    await imports.row(2).getByRole('button', { name: 'Mend' }).click()
    const mending = imports.panel.getByRole('form', { name: 'Row 2' })
    await mending.getByLabel('Lat').fill(String(placeAt(40, 60).lat))
    await mending.getByRole('button', { name: 'Done' }).click()
    await imports.button('Try again').click()
    await expect(imports.count('New')).toHaveText('3')
    await imports.button('Import 3 rows').click()
    await expect(imports.button('Undo')).toBeVisible()
    await expect(imports.panel.getByRole('region', { name: 'Refused and repaired rows' })).toContainText('3')
  })
}
