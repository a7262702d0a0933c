import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { isAccessible } from './axe.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'
import { asset, incident, parcel, pointAt, squareAt } from './test-map.ts'

const features = [
  incident({ id: 'i1', title: 'Fallen cottonwood', severity: 'medium', geometry: pointAt(0, 0) }),
  asset({ id: 'a1', name: 'Well 2', type: 'water', status: 'offline', geometry: pointAt(0, 600) }),
  asset({ id: 'a2', name: 'Well 10', type: 'water', geometry: pointAt(0, -600) }),
  parcel({ id: 'p1', name: 'Lot 1', owner: 'Ann Zabriskie', geometry: squareAt(-1500, 0, 300) }),
]

async function download(page: Page): Promise<Download> {
  const dialog = page.getByRole('dialog')
  const coming = page.waitForEvent('download')
  await dialog.getByText('Export', { exact: true }).last().click()
  return coming
}

/** Without the mark that spreadsheets want. */
const textOf = async (file: Download) => readFileSync(await file.path(), 'utf8').replace('\ufeff', '')
const linesOf = async (file: Download) => (await textOf(file)).trimEnd().split('\r\n')

test('the table leaves as a file: its filter, its order, its columns', async ({ area, given, page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const mapId = await given(features)
  await area.signInTo(`/config/map/${mapId}/features?kind=asset&sort=-name`)
  const table = new FeatureTable(page)
  await expect(table.count).toHaveText('2 features')
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Export 2 features' })
  await expect(dialog.getByRole('radio', { name: 'CSV' })).toBeChecked()
  await isAccessible(page)
  const file = await download(page)
  expect(file.suggestedFilename()).toMatch(new RegExp(`^${mapId}-assets-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
  const [head, ...rows] = await linesOf(file)
  expect(head).toBe('id,kind,mapId,name,type,status,date,parcel,latitude,longitude,wkt')
  expect(rows.map((row) => row.split(',')[3])).toEqual(['Well 10', 'Well 2'])
  await expect(dialog).toBeHidden()
})

test('what is selected leaves alone, with all fields where somebody wants them', async ({
  area,
  given,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await area.openSection(await given(features), 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.select('Lot 1').click()
  await table.select('Well 2').click()
  await page
    .getByRole('region', { name: 'Selected features' })
    .getByRole('button', { name: 'Export' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Export 2 features' })
  await dialog.getByRole('radio', { name: 'GeoJSON', exact: true }).check()
  await dialog.getByRole('radio', { name: 'All fields' }).check()
  const { features: exported } = JSON.parse(await textOf(await download(page)))
  expect(exported.map(({ id }: { id: string }) => id).sort()).toEqual(['a1', 'p1'])
  expect(JSON.stringify(exported)).toContain('Ann Zabriskie')
})

test('a visitor takes out the list that they see, and nothing personal', async ({ map, given, page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await map.open(await given(features), { search: { tab: 'parcel' } })
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('dialog', { name: 'Export 1 feature' })).toBeVisible()
  await isAccessible(page)
  const text = await textOf(await download(page))
  expect(text).toContain('Lot 1')
  expect(text).not.toContain('Zabriskie')
  expect(text).not.toContain('owner')
})
