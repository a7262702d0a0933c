import { randomUUID } from 'node:crypto'
import { type Browser, chromium, type Page } from '@playwright/test'
import { everyRole } from '#domain/access/access.ts'
import type { Database } from '#server/database/database.ts'
import { sessionCookieName } from '#server/http/access.ts'
import { createSession } from '#server/identity/sessions.queries.ts'
import { readConfiguration } from '#server/settings/configuration.ts'
import { startPostgres } from '#test/databases/postgres-cluster.ts'
import { type ServedProject, serveProject } from '#test/e2e/served-project.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import playwrightConfig from '../playwright.config.ts'
import { findPostgres } from '../scripts/find-tools.mjs'
import { storeGenerated } from './generate-features.ts'
import { median, type Row } from './row.ts'

const mapId = 'records'
const bulkCount = 10_000
const runs = 7
const bulkRuns = 3
/** The limit for imports, which also applies to saves. */
const shownWithinMs = 2_000

export async function measureRecords(): Promise<Row[]> {
  const binaries = findPostgres()
  const cluster = binaries ? await startPostgres(binaries) : undefined
  try {
    const { page, onSqlite } = await withEditorServer({ fill }, async (server, cookie) => ({
      page: await measurePage(server, cookie),
      onSqlite: await measureBulkChange(server, cookie),
    }))
    if (!cluster) return [...page, bulkRow('sqlite', onSqlite)]
    const settings = { DATABASE_URL: cluster.url('postgres') }
    const onPostgres = await withEditorServer({ settings, fill }, measureBulkChange)
    return [
      ...page,
      bulkRow('sqlite', onSqlite),
      bulkRow('postgres', onPostgres),
      {
        figure: 'bulk change on PostgreSQL, relative to SQLite',
        value: Math.round((onPostgres / onSqlite) * 100) / 100,
        unit: 'times',
        limit: 1.5,
      },
    ]
  } finally {
    await cluster?.stop()
  }
}

const fill = (database: Database) => storeGenerated(database, bulkCount, mapId)

export type Cookie = { name: string; value: string }

type Editor = { settings?: Record<string, string>; fill(database: Database): Promise<unknown> }

/** Signed in as an administrator. */
export async function withEditorServer<Result>(
  { settings = {}, fill }: Editor,
  work: (server: ServedProject, cookie: Cookie) => Promise<Result>,
): Promise<Result> {
  await using server = await serveProject({ tileAddress: () => 'off', settings })
  const { database, url } = server
  await fill(database)
  const person = { id: 'bench', name: 'Bench', roles: everyRole }
  const value = await createSession(database, person)
  return await work(server, { name: sessionCookieName(readConfiguration({ PUBLIC_URL: url })), value })
}

async function measureBulkChange({ url }: { url: string }, { name, value }: Cookie): Promise<number> {
  const headers = { cookie: `${name}=${value}`, origin: url, 'content-type': 'application/json' }
  const address = `${url}/api/maps/${mapId}/bulk-changes`
  const times: number[] = []
  for (let run = 0; run < bulkRuns; run++) {
    const id = randomUUID()
    const body = JSON.stringify({ id, kind: 'change', patch: { description: `Seen ${run}` }, filter: {} })
    const start = performance.now()
    let change = await (await fetch(address, { method: 'POST', headers, body })).json()
    while (change.finishedAt === null) change = await (await fetch(`${address}/${id}`, { headers })).json()
    times.push(performance.now() - start)
    if (change.changed !== bulkCount) throw new Error(`changed ${change.changed}: ${JSON.stringify(change)}`)
  }
  return median(times)
}

function bulkRow(engine: string, milliseconds: number): Row {
  const figure = `bulk change of ${bulkCount.toLocaleString('en-US')} features, median (${engine})`
  return { figure, value: Math.round(milliseconds), unit: 'ms' }
}

async function measurePage({ url }: ServedProject, cookie: Cookie): Promise<Row[]> {
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
  try {
    const { items } = await (await fetch(`${url}/api/maps/${mapId}/features?kind=asset&limit=1`)).json()
    const address = `${url}/map/${mapId}?tab=asset&select=${items[0].id}`
    const [editing, reading] = [
      await openAsEditor(browser, address, cookie),
      await openAsEditor(browser, address, cookie),
    ]
    const forms: number[] = []
    const saves: number[] = []
    for (let run = 0; run <= runs; run++) {
      const form = editing.getByRole('form', { name: /^Edit (?!shape)/ })
      const opening = await timeOf(editing.getByRole('button', { name: /^Edit (?!shape)/ }), () =>
        form.waitFor(),
      )
      await form.getByLabel('Description').fill(`Looked at ${run} times`)
      const saving = await timeOf(form.getByRole('button', { name: 'Save' }), () =>
        reading.getByRole('region', { name: 'Details' }).getByText(`Looked at ${run} times`).waitFor(),
      )
      await form.waitFor({ state: 'hidden' })
      // The first run is a warm-up.
      if (run > 0) forms.push(opening)
      if (run > 0) saves.push(saving)
    }
    const uploads = await timeUploads(editing)
    return [
      { figure: 'open a form, median', value: Math.round(median(forms)), unit: 'ms' },
      {
        figure: 'save a record until another page shows it, median',
        value: Math.round(median(saves)),
        unit: 'ms',
        limit: shownWithinMs,
        note: `slowest ${Math.round(Math.max(...saves))} ms`,
      },
      {
        figure: 'upload of a photo of 12 megapixels until its picture is seen, median',
        value: Math.round(median(uploads.times)),
        unit: 'ms',
        note: `${(uploads.bytes / 1e6).toFixed(1)} MB each`,
      },
    ]
  } finally {
    await browser.close()
  }
}

export async function openAsEditor(
  browser: Browser,
  address: string,
  { name, value }: Cookie,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name, value, url: new URL(address).origin }])
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('[data-map-state=complete]').waitFor()
  await page.getByRole('button', { name: /^Edit (?!shape)/ }).waitFor()
  return page
}

export async function timeOf(button: { click(): Promise<void> }, come: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await Promise.all([button.click(), come()])
  return performance.now() - start
}

const photoCount = 3

async function timeUploads(page: Page): Promise<{ times: number[]; bytes: number }> {
  const files = page.getByRole('region', { name: 'Photos and files' })
  const times: number[] = []
  let bytes = 0
  for (let photo = 1; photo <= photoCount; photo++) {
    const buffer = await aPhoto({ width: 4000, height: 3000, color: `#${photo}a6`, noise: true })
    bytes = buffer.length
    const start = performance.now()
    await files
      .getByLabel('Photos and files')
      .setInputFiles([{ name: `Photo ${photo}.jpg`, mimeType: 'image/jpeg', buffer }])
    const picture = files
      .getByRole('button', { name: `Photo ${photo}.jpg, ${photo} of ${photo}` })
      .locator('img')
    await picture.evaluate((image: HTMLImageElement) => {
      // Lazy images only load in view.
      image.loading = 'eager'
      return image.decode()
    })
    times.push(performance.now() - start)
  }
  return { times, bytes }
}
