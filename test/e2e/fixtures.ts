import {
  test as base,
  expect,
  type Page,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type TestInfo,
} from '@playwright/test'
import { createMap, type TestFeature } from '../test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { MapPage } from './map-page.driver.ts'
import { type ServedProject, serveProject } from './served-project.ts'
import { SharedPage } from './shared-page.ts'
import { type StubTiles, startStubTiles } from './stub-tiles.ts'

type WorkerFixtures = {
  tiles: StubTiles
  /** One server per worker; each test creates its own maps. */
  server: ServedProject
  openPages: OpenPages
}

type TestFixtures = {
  /** False for tests of loading the page. */
  sharesPage: boolean
  /** For tests with failed requests, which the browser logs. */
  toleratesNetworkFailures: boolean
  /** For tests that cause an error: the expected console message. */
  expectedComplaint: RegExp | null
  given(features: TestFeature[], client?: { name?: string; location?: string }): Promise<string>
  map: MapPage
  area: ConfigArea
  otherPage: Page
  visitor: MapPage
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  tiles: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const tiles = await startStubTiles()
      await use(tiles)
      await tiles.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ tiles }, use) => {
      await using server = await serveProject({ tileAddress: tiles.address, hasSampleData: true })
      await use(server)
    },
    { scope: 'worker' },
  ],
  openPages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const pages = new OpenPages()
      await use(pages)
      await pages.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  sharesPage: [true, { option: true }],
  toleratesNetworkFailures: [false, { option: true }],
  expectedComplaint: [null, { option: true }],
  page: pageOf('the page'),
  context: ({ page }, use) => use(page.context()),
  otherPage: pageOf('the other page'),
  given: ({ server }, use) => use((features, client) => createMap(server.database, features, client)),
  map: ({ page, server }, use) => use(new MapPage(page, server.url)),
  area: ({ page, server }, use) => use(new ConfigArea(page, server)),
  visitor: ({ otherPage, server }, use) => use(new MapPage(otherPage, server.url)),
})

export { expect, type Page }

type PageNeeds = Pick<TestFixtures, 'sharesPage' | 'toleratesNetworkFailures' | 'expectedComplaint'> &
  Pick<WorkerFixtures, 'server' | 'openPages'> &
  Pick<PlaywrightWorkerArgs, 'browser'> &
  Pick<PlaywrightTestOptions, 'viewport' | 'deviceScaleFactor' | 'hasTouch'>

function pageOf(whose: string) {
  return async (
    {
      browser,
      viewport,
      deviceScaleFactor,
      hasTouch,
      server,
      openPages,
      sharesPage,
      toleratesNetworkFailures,
      expectedComplaint,
    }: PageNeeds,
    use: (page: Page) => Promise<void>,
    { file, tags, errors }: TestInfo,
  ) => {
    const isPainted = tags.includes('@painted')
    const open = () => SharedPage.open(browser, { origin: server.url, isPainted })
    const key = JSON.stringify([whose, isPainted, viewport, deviceScaleFactor])
    const shared = sharesPage ? await openPages.get(file, key, open) : await open()
    await use(shared.page)
    const unexpected = shared
      .takeComplaints()
      .filter(({ isOfNetwork }) => !(isOfNetwork && toleratesNetworkFailures))
      .map(({ text }) => text)
      .filter((text) => !expectedComplaint?.test(text))
    expect(unexpected, `complaints of ${whose}`).toEqual([])
    // Playwright starts a new worker with a new browser after a failure.
    if (errors.length > 0) return
    if (sharesPage) await shared.clear({ viewport, hasTouch })
    else await shared.close()
  }
}

class OpenPages {
  #file = ''
  readonly #pages = new Map<string, SharedPage>()

  async get(file: string, key: string, open: () => Promise<SharedPage>): Promise<SharedPage> {
    if (file !== this.#file) await this.close()
    this.#file = file
    const cached = this.#pages.get(key)
    const page = cached && !cached.page.isClosed() ? cached : await open()
    this.#pages.set(key, page)
    return page
  }

  async close(): Promise<void> {
    for (const page of this.#pages.values()) await page.close()
    this.#pages.clear()
  }
}
