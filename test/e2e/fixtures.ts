import { type BrowserContext, test as base, expect, type Page, type TestInfo } from '@playwright/test'
import { createMap, type TestFeature } from '#test/databases/test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { MapPage } from './map-page.driver.ts'
import { type ServedProject, serveProject } from './served-project.ts'
import { type StubTiles, startStubTiles } from './stub-tiles.ts'
import { withoutPixels } from './without-pixels.ts'

type WorkerFixtures = {
  tiles: StubTiles
  /** One server per worker; each test creates its own maps. */
  server: ServedProject
}

type TestFixtures = {
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
  baseURL: ({ server }, use) => use(server.url),
  toleratesNetworkFailures: [false, { option: true }],
  expectedComplaint: [null, { option: true }],
  context: ({ context, toleratesNetworkFailures, expectedComplaint }, use, testInfo) =>
    watched(context, { toleratesNetworkFailures, expectedComplaint }, testInfo, () => use(context)),
  otherPage: async ({ browser, toleratesNetworkFailures, expectedComplaint }, use, testInfo) => {
    await using context = await browser.newContext()
    await watched(context, { toleratesNetworkFailures, expectedComplaint }, testInfo, async () =>
      use(await context.newPage()),
    )
  },
  given: ({ server }, use) => use((features, client) => createMap(server.database, features, client)),
  map: ({ page, server }, use) => use(new MapPage(page, server.url)),
  area: ({ page, server }, use) => use(new ConfigArea(page, server)),
  visitor: ({ otherPage, server }, use) => use(new MapPage(otherPage, server.url)),
})

export { expect, type Page }

type ContextNeeds = Pick<TestFixtures, 'toleratesNetworkFailures' | 'expectedComplaint'>

/** Fails the test when a page of the context reports an error. */
async function watched(
  context: BrowserContext,
  { toleratesNetworkFailures, expectedComplaint }: ContextNeeds,
  { tags }: TestInfo,
  use: () => Promise<void>,
): Promise<void> {
  if (!tags.includes('@painted')) await withoutPixels(context)
  const complaints = await watchForComplaints(context)
  await use()
  const unexpected = complaints
    .filter(({ isOfNetwork }) => !(isOfNetwork && toleratesNetworkFailures))
    .map(({ text }) => text)
    .filter((text) => !expectedComplaint?.test(text))
  expect(unexpected).toEqual([])
}

type Complaint = { text: string; isOfNetwork: boolean }

async function watchForComplaints(context: BrowserContext): Promise<Complaint[]> {
  const complaints: Complaint[] = []
  const complain = (text: string, isOfNetwork = false) => complaints.push({ text, isOfNetwork })
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`Policy violated: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  )
  context.on('weberror', (error) => complain(String(error.error())))
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    complain(
      `${message.text()} (${message.location().url})`,
      /^Failed to load resource|net::ERR_/.test(message.text()),
    )
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complain(`asked ${request.url()}`)
  })
  return complaints
}
