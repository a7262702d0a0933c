import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import { Imports } from '#test/e2e/imports.driver.ts'
import { hasRealData, realDataFile } from '#test/imports/real-data-files.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import playwrightConfig from '../playwright.config.ts'
import { timeOf, withEditorServer } from './records.ts'
import { median, type Row, rounded } from './row.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const mapId = 'geodatabase'
const count = 14_572
const runs = 3
const limitSeconds = 8

/** A zipped File Geodatabase with the parcels of a town, from the drop in the page to the preview. */
export async function measureGeodatabase(): Promise<Row[]> {
  if (!hasRealData) throw new Error('the real parcels are not here')
  const { folder, remove } = makeTemporaryFolder()
  try {
    const file = await writeGeodatabase(folder)
    const client = { id: mapId, name: 'Geodatabase', location: '', thumbnail: null }
    const fill: Parameters<typeof withEditorServer>[0]['fill'] = (database) =>
      database.write((transaction) => insertClient(transaction, client, 0))
    return await withEditorServer({ fill }, async ({ url }, { name, value }) => {
      const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
      try {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
        await context.addCookies([{ name, value, url }])
        const page = await context.newPage()
        const imports = new Imports(page)
        const times: { columns: number; rows: number }[] = []
        for (let run = 0; run <= runs; run++) {
          await page.goto(`${url}/config/map/${mapId}/import`)
          await imports.input.waitFor({ state: 'attached' })
          const preview = imports.button(/^Preview$/)
          const drop = { click: () => imports.input.setInputFiles(file) }
          const columns = await timeOf(drop, () => preview.waitFor({ timeout: 120_000 }))
          await imports.panel.getByLabel('Import as').selectOption('Parcel')
          const rows = await timeOf(preview, () => imports.row(1).waitFor({ timeout: 120_000 }))
          // A row has no shape.
          await imports
            .count('New')
            .getByText((count - 1).toLocaleString('en-US'), { exact: true })
            .waitFor()
          // The first run is a warm-up.
          if (run > 0) times.push({ columns, rows })
        }
        const seconds = (values: number[]) => rounded(median(values) / 1000, 1)
        const columns = seconds(times.map((time) => time.columns))
        const rows = seconds(times.map((time) => time.rows))
        return [
          {
            figure: `a File Geodatabase with ${count.toLocaleString('en-US')} parcels from drop to preview, median`,
            value: seconds(times.map((time) => time.columns + time.rows)),
            unit: 's',
            limit: limitSeconds,
            note: `columns after ${columns} s, rows ${rows} s after 'Preview'`,
          },
        ]
      } finally {
        await browser.close()
      }
    })
  } finally {
    remove()
  }
}

type Parcel = { properties: Record<string, unknown> }

/** The parcels in the shared data, some of them twice, with other ids. */
async function writeGeodatabase(folder: string): Promise<string> {
  const parcels = realDataFile('parcels/cambridge-parcels-fy2014-joined.geojson')
  const { features } = JSON.parse(readFileSync(parcels, 'utf8')) as { features: Parcel[] }
  // One of them has no id of its own.
  const distinct = [...new Map(features.map((parcel) => [parcel.properties.ML, parcel])).values()]
  const again = distinct.slice(0, count - distinct.length).map((parcel) => {
    const { ML, LOC_ID } = parcel.properties
    return { ...parcel, properties: { ...parcel.properties, ML: `${ML}-B`, LOC_ID: `${LOC_ID}-B` } }
  })
  const all = [...distinct, ...again]
  const source = join(folder, 'parcels.geojson')
  writeFileSync(source, JSON.stringify({ type: 'FeatureCollection', features: all }))
  const geodatabase = join(folder, 'parcels.gdb')
  const options = ['-f', 'OpenFileGDB', '-t_srs', 'EPSG:2249', '-nlt', 'MULTIPOLYGON']
  await promisify(execFile)('ogr2ogr', [...options, geodatabase, source])
  const entries = readdirSync(geodatabase).map((name) => ({
    name: `${basename(geodatabase)}/${name}`,
    bytes: readFileSync(join(geodatabase, name)),
  }))
  const file = join(folder, 'parcels.gdb.zip')
  writeFileSync(file, zipOf(entries))
  return file
}
