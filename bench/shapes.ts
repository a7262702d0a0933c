import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { cornerKey, mapPaths, pathsOf } from '#domain/geometry/borders/corners.ts'
import { type Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { locationOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database } from '#server/database/database.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures } from '#server/thinning/write-features.queries.ts'
import { aParcel } from '#test/databases/feature-builders.ts'
import { MapCanvas } from '#test/e2e/map-canvas.driver.ts'
import { hasRealData, realDataFile } from '#test/imports/real-data-files.ts'
import playwrightConfig from '../playwright.config.ts'
import { type Cookie, openAsEditor, timeOf, withEditorServer } from './records.ts'
import { median, type Row, rounded } from './row.ts'

const mapId = 'shapes'
const runs = 7
const frames = 60
const [neighborCount, savedCount, roundCorners] = [20, 10, 1_000]

/** The shape editor among the parcels of a town. */
export async function measureShapes(): Promise<Row[]> {
  if (!hasRealData) throw new Error('the real parcels are not here')
  const parcels = readParcels()
  const round = roundLots()
  const fill = (database: Database) => store(database, [...parcels, ...round])
  return withEditorServer({ fill }, async ({ url }, cookie) => {
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
    try {
      return [
        await measureDrag(browser, url, cookie, round[0] as Shape),
        await measureOpening(browser, url, cookie, parcelAmongNeighbors(parcels)),
        ...(await measureSaving(browser, url, cookie, parcels.slice(0, savedCount))),
      ]
    } finally {
      await browser.close()
    }
  })
}

function readParcels(): Shape[] {
  const text = readFileSync(realDataFile('parcels/cambridge-parcels-fy2014-joined.geojson'), 'utf8')
  const { features } = JSON.parse(text) as { features: { geometry: Geometry }[] }
  return features.map(({ geometry }, index) => ({ id: `p${index}`, name: `Lot ${index}`, geometry }))
}

/** A round lot, and the one around it, a kilometer from the others. */
function roundLots(): Shape[] {
  const [lng, lat, radius] = [-71.17, 42.35, 0.0015]
  const ring = (size: number): Position[] =>
    Array.from({ length: roundCorners + 1 }, (_, index) => {
      const angle = (2 * Math.PI * (index % roundCorners)) / roundCorners
      const [x, y] = [lng + size * Math.cos(angle), lat + size * Math.sin(angle) * 0.7]
      return [Number(x.toFixed(9)), Number(y.toFixed(9))]
    })
  const inner = ring(radius)
  return [
    { id: 'round', name: 'Round lot', geometry: { type: 'Polygon', coordinates: [inner] } },
    {
      id: 'around',
      name: 'Lot around',
      geometry: { type: 'Polygon', coordinates: [ring(radius * 1.5), inner] },
    },
  ]
}

async function store(database: Database, shapes: readonly Shape[]) {
  const features: NewFeature[] = shapes.map((shape) => aParcel({ ...shape, mapId, area: null }))
  await database.write(async (transaction) => {
    await insertClient(transaction, { id: mapId, name: 'Shapes', location: '', thumbnail: null }, 0)
    for (let start = 0; start < features.length; start += 500) {
      const rows = features.slice(start, start + 500).map((feature) => toFeatureRow(feature, { now: 0 }))
      await insertFeatures(transaction, database.engine, rows)
    }
  })
}

function parcelAmongNeighbors(parcels: readonly Shape[]): Shape {
  const graph = new ShapeGraph(parcels)
  const countOf = ({ geometry }: Shape) =>
    new Set(
      pathsOf(geometry).flatMap(({ corners }) =>
        corners.flatMap((corner) => [...graph.idsWith(cornerKey(corner))]),
      ),
    ).size - 1
  const counted = parcels.map((shape) => ({ shape, count: countOf(shape) }))
  const [closest] = counted
    .filter(({ count }) => count <= neighborCount)
    .toSorted((one, other) => other.count - one.count)
  if (!closest) throw new Error('the parcels have no neighbors')
  return closest.shape
}

function addressOf(url: string, { id, name, geometry }: Shape, zoom: number): string {
  const { lng, lat } = locationOfGeometry(geometry)
  return `${url}/map/${mapId}?tab=parcel&text=${encodeURIComponent(name)}&select=${id}#${zoom}/${lat}/${lng}`
}

const editButton = (page: Page, { name }: Shape) =>
  page.getByRole('button', { name: `Edit shape of ${name}` })
const statusOf = (page: Page) => page.getByRole('region', { name: 'Shape editing' }).getByRole('status')

async function measureDrag(browser: Browser, url: string, cookie: Cookie, lot: Shape): Promise<Row> {
  const page = await openAsEditor(browser, addressOf(url, lot, 16), cookie)
  await timeOf(editButton(page, lot), () => statusOf(page).getByText('Drag a corner').waitFor())
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const scriptSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  }
  const canvas = new MapCanvas(page)
  await canvas.isComplete()
  const [path] = pathsOf(lot.geometry)
  const [lng, lat] = path?.corners[0] ?? [0, 0]
  const { x: left, y: top } = await canvas.placeOnPage({ lng, lat })
  await page.mouse.move(left, top)
  await page.mouse.down()
  await page.mouse.move(left + 8, top + 8, { steps: 4 })
  await statusOf(page).getByText('Moves a corner of').waitFor()
  const before = await scriptSeconds()
  for (let frame = 0; frame < frames; frame++) {
    await page.mouse.move(left + 8 + (frame % 20), top + 8 + frame / 3)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))
  }
  const spent = ((await scriptSeconds()) - before) * 1_000
  await page.mouse.up()
  await page.context().close()
  return {
    figure: 'script per frame while a shared corner is dragged, 2,000 handles in view',
    value: rounded(spent / frames, 1),
    unit: 'ms',
    limit: 8,
  }
}

async function measureOpening(browser: Browser, url: string, cookie: Cookie, lot: Shape): Promise<Row> {
  const page = await openAsEditor(browser, addressOf(url, lot, 18), cookie)
  const details = page.getByRole('region', { name: 'Details' })
  const canvas = new MapCanvas(page)
  const row = page.getByRole('option', { name: new RegExp(`^${lot.name}\\b`) })
  const [shapes, panels]: [number[], number[]] = [[], []]
  for (let run = 0; run <= runs; run++) {
    await details
      .getByRole('button', { name: /^Close/ })
      .first()
      .click()
    await details.waitFor({ state: 'hidden' })
    // The map still draws the previous view.
    await canvas.isComplete()
    const panel = await timeOf(row, () => editButton(page, lot).waitFor())
    await canvas.isComplete()
    const shape = await timeOf(editButton(page, lot), () =>
      statusOf(page).getByText('Drag a corner').waitFor(),
    )
    await page.getByRole('region', { name: 'Shape editing' }).getByRole('button', { name: 'Cancel' }).click()
    if (run === 0) continue
    shapes.push(shape)
    panels.push(panel)
  }
  await page.context().close()
  return {
    figure: 'opening the shape editor, relative to opening the details',
    value: rounded(median(shapes) / median(panels), 2),
    unit: 'times',
    limit: 1.5,
    note: `${Math.round(median(shapes))} and ${Math.round(median(panels))} ms`,
  }
}

async function measureSaving(
  browser: Browser,
  url: string,
  { name, value }: Cookie,
  lots: readonly Shape[],
): Promise<Row[]> {
  const headers = { cookie: `${name}=${value}`, origin: url, 'content-type': 'application/json' }
  const reading = await openAsEditor(browser, addressOf(url, lots[0] as Shape, 17), { name, value })
  const [saves, sights]: [number[], number[]] = [[], []]
  for (let run = 0; run <= runs; run++) {
    const shift = (run + 1) * 1e-7
    const items = lots.map(({ id, geometry }) => ({
      action: 'change',
      id,
      version: run + 1,
      change: {
        geometry: mapPaths(geometry, ({ corners }) =>
          corners.map(([lng, lat]): Position => [lng + shift, lat]),
        ),
      },
    }))
    const start = performance.now()
    const seen = reading
      .waitForResponse((response) => /\.mvt/.test(response.url()))
      .then((response) => response.finished())
      .then(() => performance.now() - start)
    const answer = await fetch(`${url}/api/maps/${mapId}/features/changes`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id: randomUUID(), items }),
    })
    const body = await answer.text()
    const spent = performance.now() - start
    if (!answer.ok) throw new Error(`saving failed: ${body}`)
    const sight = await seen
    if (run === 0) continue
    saves.push(spent)
    sights.push(sight)
  }
  return [
    { figure: 'saving ten lots, median', value: Math.round(median(saves)), unit: 'ms', limit: 300 },
    {
      figure: 'until another page has the tile with them, median',
      value: Math.round(median(sights)),
      unit: 'ms',
      limit: 1_000,
    },
  ]
}
