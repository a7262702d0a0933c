import { chromium } from '@playwright/test'
import playwrightConfig from '../playwright.config.ts'
import { median, type Row } from './row.ts'
import { withSampleServer } from './sample-server.ts'

const runs = 7

/** From navigation to the first frame on which everything in view is drawn; each run in a fresh browser profile. */
export function measureFirstFrame(): Promise<Row[]> {
  return withSampleServer(async ({ address }) => {
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
    const times: number[] = []
    for (let run = 0; run <= runs; run++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      await page.goto(address)
      await page.locator('[data-map-state=complete]').waitFor()
      const mark = await page.evaluate(() => performance.getEntriesByName('map-complete')[0]?.startTime ?? 0)
      // The first one warms the server.
      if (run > 0) times.push(mark)
      await context.close()
    }
    await browser.close()
    return [
      { figure: 'navigation to first complete frame, median', value: Math.round(median(times)), unit: 'ms' },
    ]
  })
}
