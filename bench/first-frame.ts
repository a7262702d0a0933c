import { chromium } from '@playwright/test'
import playwrightConfig from '../playwright.config.ts'
import { median, type Row, rounded } from './row.ts'
import { withSampleServer } from './sample-server.ts'

const runs = 7

export function measureFirstFrame(): Promise<Row[]> {
  return withSampleServer(async ({ address }) => {
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
    const frames: number[] = []
    const lists: number[] = []
    for (let run = 0; run <= runs; run++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      await page.goto(address)
      await page.locator('[data-map-state=complete]').waitFor()
      await page.getByRole('option').first().waitFor()
      const [frame, list] = await page.evaluate(() =>
        ['map-complete', 'list-readable'].map(
          (name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN,
        ),
      )
      // The first run is a warm-up.
      if (run > 0) frames.push(frame as number)
      if (run > 0) lists.push(list as number)
      await context.close()
    }
    await browser.close()
    return [
      { figure: 'navigation to first complete frame, median', value: Math.round(median(frames)), unit: 'ms' },
      {
        figure: 'list readable against first complete frame',
        value: rounded(median(lists) / median(frames), 2),
        unit: 'times',
        limit: 1,
        note: `${Math.round(median(lists))} against ${Math.round(median(frames))} ms`,
      },
    ]
  })
}
