import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { ConfigArea } from './config-area.driver.ts'
import { MapPage } from './map-page.driver.ts'
import { type ServedProject, serveProject } from './served-project.ts'
import { type StubTiles, startStubTiles } from './stub-tiles.ts'
import { createMap, type TestFeature } from './test-map.ts'
import { withoutPixels } from './without-pixels.ts'

type WorkerFixtures = {
  tiles: StubTiles
  /** One server for all tests of a worker; each test has maps of its own on it. */
  server: ServedProject
}

type TestFixtures = {
  /** For tests in which something cannot be reached: then the browser says so on its console. */
  toleratesNetworkFailures: boolean
  /** For tests in which something breaks: then this is what the console says of it. */
  expectedComplaint: RegExp | null
  /** Makes a map that holds these features. */
  given(features: TestFeature[], client?: { name?: string; location?: string }): Promise<string>
  map: MapPage
  /** Nobody is signed in yet. */
  area: ConfigArea
  /** Another browser, of somebody else. */
  otherPage: Page
  /** The map page in there, of somebody who is not signed in. */
  visitor: MapPage
  guard: undefined
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
  async context({ context }, use, { tags }) {
    if (!tags.includes('@painted')) await withoutPixels(context)
    await use(context)
  },
  toleratesNetworkFailures: [false, { option: true }],
  expectedComplaint: [null, { option: true }],
  given: ({ server }, use) => use((features, client) => createMap(server.database, features, client)),
  map: ({ page, server }, use) => use(new MapPage(page, server.url)),
  area: ({ page, server }, use) => use(new ConfigArea(page, server)),
  async otherPage({ browser, toleratesNetworkFailures, contextOptions }, use, { tags }) {
    const context = await browser.newContext(contextOptions)
    if (!tags.includes('@painted')) await withoutPixels(context)
    const complaints = await watchForComplaints(context, toleratesNetworkFailures)
    await use(await context.newPage())
    await context.close()
    expect(complaints, 'complaints of the other page').toEqual([])
  },
  visitor: ({ otherPage, server }, use) => use(new MapPage(otherPage, server.url)),
  guard: [
    async ({ context, toleratesNetworkFailures, expectedComplaint }, use) => {
      const complaints = await watchForComplaints(context, toleratesNetworkFailures)
      await use(undefined)
      const unexpected = complaints.filter((complaint) => !expectedComplaint?.test(complaint))
      expect(unexpected, 'complaints of the page').toEqual([])
    },
    { auto: true },
  ],
})

export { expect, type Page }

/** Whatever the page or the browser complains of, and whoever is asked outside of this machine. */
async function watchForComplaints(context: BrowserContext, toleratesNetworkFailures: boolean) {
  const complaints: string[] = []
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`Policy violated: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  )
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const isNetwork = /^Failed to load resource|net::ERR_/.test(message.text())
    if (!(isNetwork && toleratesNetworkFailures)) complaints.push(message.text())
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(`asked ${request.url()}`)
  })
  return complaints
}
