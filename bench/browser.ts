import { type Browser, chromium, type Page } from '@playwright/test'
import playwrightConfig from '../playwright.config.ts'
import { centers, land } from './generate-features.ts'

const viewport = { width: 1280, height: 800 }

/** `zoom` is for 256-pixel tiles, as in addresses of the page. */
export type View = { name: string; zoom: number; lat: number; lng: number }

const densestTown = centers.toSorted((one, other) => one.radius - other.radius)[0] ?? centers[0]
const town = { lat: densestTown?.lat ?? 0, lng: densestTown?.lng ?? 0 }
export const views = {
  all: { name: 'all of it', zoom: 7, lat: land.south + land.height / 2, lng: land.west + land.width / 2 },
  towns: { name: 'towns', zoom: 10, ...town },
  street: { name: 'in a town', zoom: 14, ...town },
} satisfies Record<string, View>

export const viewerPath = (mapId: string, { zoom, lat, lng }: View) => `/webgl/${mapId}#${zoom}/${lat}/${lng}`

export type Box = { left: number; top: number; width: number; height: number }

type Subject = { page: string; data: string; baseMapUrl?: string }

export function pagePath({ page, data, baseMapUrl }: Subject, { zoom, lat, lng }: View, box: Box): string {
  const query = new URLSearchParams({ data, ...(baseMapUrl ? { base: baseMapUrl } : {}) })
  for (const [name, value] of Object.entries({ zoom, lat, lng, ...box })) query.set(name, String(value))
  return `/bench/${page}.html?${query}`
}

export const tilesOf = (mapId: string) => `/api/maps/${mapId}/tiles/{z}/{x}/{y}.mvt`

export async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

type Options = { timeoutMs?: number; beforeLoad?: () => void }

/** Runs an action when the view is drawn; `firstFrameMs` counts from the navigation. Throws on a crash or timeout. */
export async function withPage<Result>(
  browser: Browser,
  address: string,
  work: (page: Page, firstFrameMs: number) => Promise<Result> | Result,
  { timeoutMs = 60_000, beforeLoad }: Options = {},
): Promise<Result> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    const crashed = new Promise<never>((_, reject) => {
      page.once('crash', () => reject(new Error('the tab crashed')))
      page.once('pageerror', reject)
    })
    // Prevents an unhandled rejection once nothing awaits it.
    crashed.catch(() => {})
    if (beforeLoad) await page.addInitScript(beforeLoad)
    const drawn = async () => {
      await page.goto(address, { waitUntil: 'commit' })
      await page.locator('[data-map-state=complete]').waitFor({ timeout: timeoutMs })
      return page.evaluate(() => performance.getEntriesByName('map-complete')[0]?.startTime ?? Number.NaN)
    }
    const firstFrameMs = await Promise.race([drawn(), crashed]).catch((error: Error) => {
      if (error.name !== 'TimeoutError') throw error
      throw new Error(`over ${timeoutMs / 1000} s`)
    })
    return await Promise.race([Promise.resolve(work(page, firstFrameMs)), crashed])
  } finally {
    await context.close()
  }
}

/** The box of the application's map. The maps of the compared pages have the same one. */
export async function boxOfMap(page: Page): Promise<Box> {
  const box = await page.locator('canvas.maplibregl-canvas').boundingBox()
  if (!box) throw new Error('the application shows no map')
  return { left: box.x, top: box.y, width: box.width, height: box.height }
}

/** After a garbage collection; the page's own thread only. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}

/** Milliseconds between frames while the map is dragged along a fixed path. */
export async function framesOfPan(page: Page, { left, top, width, height }: Box): Promise<number[]> {
  const [x, y] = [left + width / 2, top + height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.evaluate(() => {
    const times: number[] = []
    const note = (time: number) => {
      times.push(time)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
    Object.assign(window, { frameTimes: times })
  })
  for (const side of [1, -1])
    for (let step = -15; step <= 15; step++) await page.mouse.move(x + side * step * 16, y + side * step * 6)
  const times = await page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes)
  await page.mouse.up()
  return times.slice(1).map((time, index) => time - (times[index] as number))
}
