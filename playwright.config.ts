import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/find-tools.mjs'

/** The browser is the system's: Playwright downloads nothing. */
const launchOptions = {
  executablePath: findChromium() ?? 'chromium',
  args: [
    '--no-sandbox',
    // WebGL without a graphics card.
    '--disable-gpu',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    // A test talks to its own server and to nothing else.
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** No journey runs long enough to earn back what the optimising compilers take. Benchmarks do. */
const withoutOptimisation = {
  launchOptions: { ...launchOptions, args: [...launchOptions.args, '--js-flags=--no-opt --no-maglev'] },
}

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // One more than CI has processors: now and then each of them waits for something.
  workers: 3,
  // The journeys of a file share a page, in the order of the file.
  fullyParallel: false,
  retries: 0,
  // Software WebGL on a busy machine is slow; what never comes fails all the same.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    // Pictures of every moment would cost a third of the processor; the last one is enough.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions,
  },
  projects: [
    // No larger than it needs to be: every pixel of the map is drawn by the processor.
    {
      name: 'desktop',
      testIgnore: /\.phone\.spec/,
      use: { ...withoutOptimisation, viewport: { width: 1000, height: 680 }, deviceScaleFactor: 0.5 },
    },
    {
      name: 'phone',
      testMatch: /\.phone\.spec/,
      use: {
        ...withoutOptimisation,
        viewport: { width: 360, height: 740 },
        deviceScaleFactor: 0.5,
        hasTouch: true,
        isMobile: true,
      },
    },
  ],
})
