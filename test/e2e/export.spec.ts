import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { asset, incident, parcel, placeAt, pointAt, squareAt } from '#test/databases/test-map.ts'
import { isAccessible } from './axe.ts'
import { StaffViewer } from './drawings.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { expect, test } from './fixtures.ts'

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

/** Removes the byte order mark. */
const textOf = async (file: Download) => readFileSync(await file.path(), 'utf8').replace('\ufeff', '')

test('writes a large export in the background and lists it for download', async ({
  area,
  given,
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const mapId = await given(features)
  await server.database.write((transaction) =>
    transaction.updateTable('feature_counts').set({ count: 105_000 }).where('map_id', '=', mapId).execute(),
  )
  await area.openSection(mapId, 'features', 'administrator')
  const table = new FeatureTable(page)
  await table.choose('More', 'Export…')
  const dialog = page.getByRole('dialog', { name: 'Export 315,000 features' })
  await dialog.getByRole('button', { name: 'More formats' }).click()
  await expect(dialog.getByRole('radio', { name: 'Shapefile' })).toBeDisabled()
  await dialog.getByRole('radio', { name: 'GeoPackage' }).check()
  await expect(dialog.getByText('The export runs in the background')).toBeVisible()
  await dialog.getByRole('button', { name: 'Export' }).click()
  const written = dialog.getByRole('region', { name: 'Background exports' })
  const link = written.getByRole('link', { name: /-features-[\d-]+\.gpkg$/ })
  await expect(written.getByRole('listitem')).toHaveCount(1)
  await expect(link).toBeVisible({ timeout: 60_000 })
  await isAccessible(page)

  await page.reload()
  await table.choose('More', 'Export…')
  const coming = page.waitForEvent('download')
  await link.click()
  const file = await coming
  expect(
    readFileSync(await file.path())
      .subarray(0, 15)
      .toString(),
  ).toBe('SQLite format 3')
  await written.getByRole('button', { name: /^Remove / }).click()
  await expect(written).toBeHidden()
})

test('keeps the export dialog open when the window is resized', async ({ area, given, map, page }) => {
  const mapId = await given(features)
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  const becomesNarrowAndWide = async (open: () => Promise<void>) => {
    await open()
    await dialog.getByRole('button', { name: 'More formats' }).click()
    await dialog.getByRole('radio', { name: 'KML' }).check()
    for (const width of [400, 1280]) {
      await page.setViewportSize({ width, height: 720 })
      await expect(dialog.getByRole('radio', { name: 'KML' })).toBeChecked()
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  }
  await page.setViewportSize({ width: 1280, height: 720 })
  await map.open(mapId)
  await becomesNarrowAndWide(() => map.button('Export').click())
  await area.openSection(mapId, 'features', 'administrator')
  await becomesNarrowAndWide(() => new FeatureTable(page).choose('More', 'Export…'))
})

test('exports staff drawings in every format and imports them unchanged', async ({ given, page, server }) => {
  const mapId = await given([])
  const viewer = new StaffViewer(page, server)
  await viewer.signIn('administrator')
  await viewer.open(mapId)
  await viewer.drawRectangle(0, 0)
  await viewer.isSaved()
  await viewer.drawing.clickAt(placeAt(0, 50))
  await viewer.name('Pond', 'Deep')
  await viewer.isSaved()
  await viewer.button('Export').click()
  await expect(page.getByRole('dialog', { name: 'Export 1 drawing' })).toBeVisible()
  await isAccessible(page)
  const file = await download(page)
  expect(file.suggestedFilename()).toMatch(/-drawings-[\d-]+\.geojson$/)
  await viewer.drawing.chooseFile('drawings.geojson', await textOf(file))
  await expect(viewer.count).toHaveText('2 drawings')
  await viewer.isSaved()
  await expect.poll(async () => (await viewer.saved(mapId)).length).toBe(2)
  const [first, second] = await viewer.saved(mapId)
  expect([second?.kind, second?.name, second?.note]).toEqual(['rectangle', 'Pond', 'Deep'])
  expect(second?.geometry).toEqual(first?.geometry)
})
