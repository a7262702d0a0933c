import { createOfflineCopies } from './api/offline-copies.ts'
import { areReportsWaiting, sendWaitingReports, syncName } from './reports/waiting-reports.ts'

// Served at /service-worker.js. Browsers run it over HTTPS and on this machine only.

/** TypeScript's library of workers conflicts with that of pages. */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void; tag: string }
type FetchEvent = WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }
type Worker = {
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { includeUncontrolled: boolean }): Promise<readonly { url: string }[]>
  }
  addEventListener(name: 'install' | 'activate' | 'sync', listener: (event: WorkerEvent) => void): void
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void
  /** Added by the server, which knows the base maps. */
  tileOrigins: readonly string[]
}
declare const self: Worker
/** Replaced by the build. */
declare const pageBuild: { version: string; files: readonly string[] }

const copies = createOfflineCopies(pageBuild, self.tileOrigins)

async function install() {
  const pages = await self.clients.matchAll({ includeUncontrolled: true })
  await copies.install(pages.map(({ url }) => new URL(url).pathname))
  await self.skipWaiting()
}

async function activate() {
  await copies.removeOldVersions()
  await self.clients.claim()
}

/** The browser repeats it later if it rejects. */
async function sync() {
  await sendWaitingReports()
  if (areReportsWaiting()) throw new Error('Reports are still waiting.')
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const answer = copies.answering(event.request)
  if (answer) event.respondWith(answer(event.request, (work) => event.waitUntil(work)))
})
self.addEventListener('sync', (event) => {
  if (event.tag === syncName) event.waitUntil(sync())
})
