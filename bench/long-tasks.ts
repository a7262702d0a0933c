import type { Browser, Page } from '@playwright/test'
import { pagePath, tilesOf, viewerPath, views, withBrowser } from './browser.ts'
import { maps } from './filled-database.ts'
import { withPages } from './page-server.ts'
import { median, type Row } from './row.ts'
import { countText, largeCount } from './scale.ts'

const runs = 5
const phone = { width: 360, height: 740 }
const slowness = 4
const longMs = 50

type Task = { start: number; duration: number }

type Subject = 'viewer' | 'floor'
type Sample = { longest: number; count: number; together: number }

/** Tasks that block a slow phone before the first complete frame, in the viewer and in a page with the engine only. */
export function measureLongTasks(): Promise<Row[]> {
  return withPages((server) =>
    withBrowser(async (browser) => {
      const box = { left: 0, top: 0, width: phone.width, height: phone.height }
      const floor = { page: 'floor', data: tilesOf(maps.large), baseMapUrl: server.baseMapUrl }
      const addresses: Record<Subject, string> = {
        viewer: `${server.address}${viewerPath(maps.large, views.towns)}`,
        floor: `${server.address}${pagePath(floor, views.towns, box)}`,
      }
      const samples: Record<Subject, Sample[]> = { viewer: [], floor: [] }
      for (let run = 0; run <= runs; run++)
        for (const subject of ['viewer', 'floor'] as const) {
          const sample = await loadOnPhone(browser, addresses[subject])
          // The first run is a warm-up.
          if (run > 0) samples[subject].push(sample)
        }
      const of = (subject: Subject, part: keyof Sample) =>
        Math.round(median(samples[subject].map((sample) => sample[part])))
      const words = (subject: Subject) =>
        `${of(subject, 'count')} tasks over ${longMs} ms, together ${of(subject, 'together')} ms`
      return [
        {
          figure: `longest task before the first frame on a phone, ${countText(largeCount)} features, median`,
          value: of('viewer', 'longest'),
          unit: 'ms',
          limit: longMs,
          note: `${words('viewer')}. A page with the engine only: longest ${of('floor', 'longest')} ms, ${words('floor')}`,
        },
      ]
    }),
  )
}

async function loadOnPhone(browser: Browser, address: string): Promise<Sample> {
  const context = await browser.newContext({ viewport: phone, hasTouch: true, isMobile: true })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchLongTasks)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
    await page.goto(address)
    await page.locator('[data-map-state=complete]').waitFor({ timeout: 120_000 })
    const durations = await longTasksBeforeFrame(page)
    const together = durations.reduce((sum, duration) => sum + duration, 0)
    return { longest: Math.max(0, ...durations), count: durations.length, together }
  } finally {
    await context.close()
  }
}

type WatchedWindow = { longTasks: Task[] }

function watchLongTasks() {
  const longTasks: Task[] = []
  Object.assign(window, { longTasks })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ start: startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
}

function longTasksBeforeFrame(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const frame = performance.getEntriesByName('map-complete')[0]?.startTime ?? Number.NaN
    return (window as unknown as WatchedWindow).longTasks
      .filter(({ start }) => start < frame)
      .map(({ duration }) => duration)
  })
}
