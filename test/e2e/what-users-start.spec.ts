import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { exportFormats, formatFacts } from '#domain/exports/export-format.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import { startProvider } from '#test/server/provider.ts'
import { startReceiver } from '#test/server/webhook-receiver.ts'
import { ConfigArea } from './config-area.driver.ts'
import { FeatureTable } from './feature-table.driver.ts'
import { Files, photoNamed } from './files.driver.ts'
import { expect, test } from './fixtures.ts'
import { Imports } from './imports.driver.ts'
import { type ServedProject, serveProject } from './served-project.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

// Tests with the commands of users, an empty data directory and real child processes, for behavior that
// depends on how the server is started.

const mapId = 'pine-ridge'

test.setTimeout(240_000)

test('uses every child process when started by the command of the README', async ({ browser, tiles }) => {
  await using server = await serveProject({
    tileAddress: tiles.address,
    hasSampleData: true,
    command: ['npm', 'start'],
  })
  const page = await browser.newPage()
  await new ConfigArea(page, server).signInByHand(`/config/map/${mapId}/map`)
  await doEverything(page, server)
})

test('uses every child process when started like the container, with a real identity provider', async ({
  browser,
  tiles,
}) => {
  await using provider = await startProvider()
  await using server = await serveProject({
    tileAddress: tiles.address,
    hasSampleData: true,
    command: [process.execPath, 'server/main.ts'],
    port: provider.appPort,
    settings: { NODE_ENV: 'production', HOST: '0.0.0.0', ...provider.settings },
  })
  const page = await browser.newPage()
  await page.goto(`${server.url}/config/map/${mapId}/map`)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await doEverything(page, server)
})

async function doEverything(page: Page, server: ServedProject) {
  const area = new ConfigArea(page, server)
  await uploadPhoto(page, server)
  await receiveWebhook(page, area)
  await importAndUndo(page, area)
  await exportEveryFormat(page, area)
  await exportInBackground(page, area, server)
  await fetchCalendar(page, area, server)
}

async function uploadPhoto(page: Page, server: ServedProject) {
  const { items } = await (
    await page.request.get(`${server.url}/api/maps/${mapId}/features?kind=asset`)
  ).json()
  await page.goto(`${server.url}/map/${mapId}?select=${items[0].id}`)
  const files = new Files(page, server)
  await files.choose(photoNamed('Inlet.jpg', await aPhoto()))
  await files.expectTiles('Inlet.jpg')
  const picture = files.tile('Inlet.jpg').locator('img')
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
}

async function receiveWebhook(page: Page, area: ConfigArea) {
  using receiver = await startReceiver()
  await area.visit(`/config/map/${mapId}/webhooks`)
  await area.button('Add webhook').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/hook`)
  await dialog.getByRole('textbox', { name: 'Description' }).fill('County records')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('list', { name: 'Webhooks' })
    .getByRole('button', { name: /County records/ })
    .click()
  await area.button('Send test').click()
  await expect(page.getByRole('table', { name: 'Deliveries' })).toContainText('Delivered')
  expect(receiver.messages()).toMatchObject([{ type: 'test', data: { mapId } }])
}

async function importAndUndo(page: Page, area: ConfigArea) {
  // On the land of the sample, so that nothing needs confirmation.
  const { lat, lng } = { lat: 34.05, lng: -111.09 }
  await area.visit(`/config/map/${mapId}/import`)
  const imports = new Imports(page)
  await imports.input.setInputFiles({
    name: 'hydrants.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`No,Name,Lat,Lon\n1,North gate,${lat},${lng}\n2,Pond,${lat},${lng + 0.001}\n`),
  })
  await imports.panel.getByLabel('Import as').selectOption('Asset')
  await imports.panel.getByLabel('Type for all rows').selectOption('Water')
  await imports.button('Preview').click()
  await imports.button('Import 2 rows').click()
  await imports.button('Undo').click()
  await expect(imports.panel.getByText('Import undone: 2 records removed, 0 restored.')).toBeVisible()
}

async function openExport(page: Page, area: ConfigArea) {
  await area.visit(`/config/map/${mapId}/features`)
  await new FeatureTable(page).choose('More', 'Export…')
  return page.getByRole('dialog', { name: /^Export [\d,]+ features$/ })
}

/** First bytes of each format after the byte order mark. */
const beginnings: Readonly<Record<(typeof exportFormats)[number], RegExp>> = {
  geojson: /^\{\s*"type":\s*"FeatureCollection"/,
  geojsonl: /^\{"type":"Feature"/,
  csv: /^Kind,Name,/,
  xlsx: /^PK/,
  gpkg: /^SQLite format 3/,
  fgb: /^fgb/,
  kml: /^<\?xml/,
  gpx: /^<\?xml/,
  shp: /^PK/,
}

async function exportEveryFormat(page: Page, area: ConfigArea) {
  const dialog = await openExport(page, area)
  await dialog.getByRole('button', { name: 'More formats' }).click()
  for (const format of exportFormats) {
    await dialog.getByRole('radio', { name: formatFacts[format].label, exact: true }).check()
    const address = await dialog.getByRole('link', { name: 'Export', exact: true }).getAttribute('href')
    const file = await (await page.request.get(new URL(address ?? '', page.url()).href)).body()
    const start = file.subarray(0, 60).toString().replace('\ufeff', '')
    expect(start, format).toMatch(beginnings[format])
  }
}

async function exportInBackground(page: Page, area: ConfigArea, server: ServedProject) {
  // Above the limit of 100,000 rows for a direct export.
  await server.database.write(async (transaction) => {
    const counts = await transaction
      .selectFrom('feature_counts')
      .selectAll()
      .where('map_id', '=', mapId)
      .execute()
    const count = Math.ceil(200_000 / counts.length)
    await transaction.updateTable('feature_counts').set({ count }).where('map_id', '=', mapId).execute()
  })
  const dialog = await openExport(page, area)
  await dialog.getByRole('button', { name: 'More formats' }).click()
  await dialog.getByRole('radio', { name: 'GeoPackage' }).check()
  await dialog.getByRole('button', { name: 'Export' }).click()
  const link = dialog
    .getByRole('region', { name: 'Background exports' })
    .getByRole('link', { name: /\.gpkg$/ })
  await expect(link).toBeVisible({ timeout: 60_000 })
  const download = page.waitForEvent('download')
  await link.click()
  expect(
    readFileSync(await (await download).path())
      .subarray(0, 15)
      .toString(),
  ).toBe('SQLite format 3')
}

async function fetchCalendar(page: Page, area: ConfigArea, server: ServedProject) {
  await area.visit(`/config/map/${mapId}/map`)
  await page
    .getByRole('region', { name: 'Due maintenance' })
    .getByRole('button', { name: 'Calendar' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Maintenance calendar' })
  await dialog.getByRole('button', { name: 'Create address' }).click()
  const address = new URL(await dialog.getByLabel('Calendar address').inputValue())
  const calendar = await fetch(new URL(address.pathname, server.url))
  expect(await calendar.text()).toMatch(/^BEGIN:VCALENDAR.*SUMMARY:/s)
}
