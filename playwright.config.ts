import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/find-tools.mjs'

/** The system's browser: Playwright downloads nothing. */
const launchOptions = {
  executablePath: findChromium() ?? 'chromium',
  args: [
    '--no-sandbox',
    // WebGL without a graphics card.
    '--disable-gpu',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    // Tests only talk to their own server.
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** Journeys are too short for optimizing compilers to pay off; benchmarks are not. */
const withoutOptimization = {
  launchOptions: { ...launchOptions, args: [...launchOptions.args, '--js-flags=--no-opt --no-maglev'] },
}

// As small as possible: the processor draws every pixel of the map.
const desktop = { ...withoutOptimization, viewport: { width: 1000, height: 680 }, deviceScaleFactor: 0.5 }
const long = /(what-users-start|walk|real-files)\.spec/
const phone = /\.phone\.spec/

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // One more than CI has processors, as tests also wait for timers and processes.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  // Software WebGL is slow on a busy machine.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    // It would answer in place of the network. Its own tests allow it.
    serviceWorkers: 'block',
    // Traces would cost a third of the processor; the last screenshot is enough.
    trace: 'off',
    // Flights and transitions cost a tenth of the processor; tests about motion allow it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions,
  },
  projects: [
    // The longest tests, first, so that no processor is idle at the end.
    { name: 'long', testMatch: long, use: desktop },
    { name: 'desktop', testIgnore: [long, phone], use: desktop },
    {
      name: 'phone',
      testMatch: phone,
      use: {
        ...withoutOptimization,
        viewport: { width: 360, height: 740 },
        deviceScaleFactor: 0.5,
        hasTouch: true,
        isMobile: true,
      },
    },
  ],
})
