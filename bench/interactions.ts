import { setTimeout } from 'node:timers/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { people, SignInPages } from '#test/e2e/sign-in.driver.ts'
import { freePort } from '#test/server/processes.ts'
import { boxOfMap, viewerPath, views, withBrowser, withPage } from './browser.ts'
import { filledDatabase, maps, withServer } from './filled-database.ts'
import { percentile, type Row, rounded } from './row.ts'
import { countText, largeCount, usualCounts } from './scale.ts'

const repetitions = 10
const limitMs = 100
const quietMs = 700
/** Browsers report no interaction that is painted sooner. */
const leastMs = 16

/** Interaction to next paint: of rows, the map, tabs and layers in the viewer, and of cells in the table. */
export async function measureInteractions(): Promise<Row[]> {
  const location = await filledDatabase('sqlite')
  const port = await freePort()
  const address = `http://localhost:${port}`
  const settings = { PORT: String(port), PUBLIC_URL: address }
  const counts = [
    [maps.tenThousand, usualCounts.tenThousand],
    [maps.large, largeCount],
  ] as const
  const measure = () =>
    withBrowser(async (browser) => {
      const rows: Row[] = []
      for (const [mapId, count] of counts) {
        const times = {
          ...(await interactWithViewer(browser, `${address}${viewerPath(mapId, views.street)}`)),
          ...(await interactWithTable(browser, address, mapId)),
        }
        const slowest = Object.entries(times).map(
          ([subject, durations]) => `${subject} ${percentile(durations, 95)}`,
        )
        rows.push({
          figure: `interaction to next paint with ${countText(count)} features, p95`,
          value: rounded(percentile(Object.values(times).flat(), 95)),
          unit: 'ms',
          limit: limitMs,
          note: `p95 of ${repetitions} each: ${slowest.join(', ')}`,
        })
      }
      return rows
    })
  return withServer(location, measure, settings)
}

type Times = Record<string, number[]>

function interactWithViewer(browser: Browser, address: string): Promise<Times> {
  const work = async (page: Page) => {
    const { left, top, width, height } = await boxOfMap(page)
    const tabs = ['Lines', 'Polygons', 'Points'].map((name) => page.getByRole('tab', { name }))
    const rows = page.getByRole('listbox').getByRole('option')
    await rows.nth(repetitions).waitFor()
    const times: Times = {}
    times.row = await timeEach(page, (turn) => rows.nth(turn % 5).click())
    times.map = await timeEach(page, async (turn) => {
      await page.mouse.click(left + width / 2 + 30 * (turn - repetitions / 2), top + height / 2)
    })
    await page.keyboard.press('Escape')
    times.tab = await timeEach(page, (turn) => (tabs[turn % tabs.length] as Locator).click())
    await page.getByRole('tab', { name: 'Layers & Filters' }).click()
    times.layer = await timeEach(page, () => page.getByRole('checkbox', { name: 'Lines' }).click())
    return times
  }
  return withPage(browser, address, work, { beforeLoad: watchInteractions })
}

async function interactWithTable(browser: Browser, address: string, mapId: string): Promise<Times> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript(watchInteractions)
    await page.goto(`${address}/sign-in`)
    await new SignInPages(page).person(people.administrator).click()
    await page.waitForURL((url) => !url.pathname.includes('sign-in'))
    await page.goto(`${address}/config/map/${mapId}/features`)
    const cells = page.getByRole('grid', { name: 'Features' }).locator('td[data-column=name]')
    await cells.nth(repetitions).waitFor()
    return { cell: await timeEach(page, (turn) => cells.nth(turn).click()) }
  } finally {
    await context.close()
  }
}

type WatchedWindow = { interactions: Map<number, number> }

function watchInteractions() {
  const interactions = new Map<number, number>()
  Object.assign(window, { interactions })
  const note = (entries: PerformanceEntryList) => {
    for (const { interactionId, duration } of entries as (PerformanceEntry & { interactionId: number })[])
      if (interactionId > 0)
        interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
  }
  const options = { type: 'event', durationThreshold: 16 } as PerformanceObserverInit
  new PerformanceObserver((list) => note(list.getEntries())).observe(options)
}

/** Each after the page is quiet again, as people wait for what they see. */
async function timeEach(page: Page, interact: (turn: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < repetitions; turn++) {
    await page.evaluate(() => (window as unknown as WatchedWindow).interactions.clear())
    await interact(turn)
    await setTimeout(quietMs)
    const durations = await page.evaluate(() => [
      ...(window as unknown as WatchedWindow).interactions.values(),
    ])
    times.push(Math.max(leastMs, ...durations))
  }
  return times
}
