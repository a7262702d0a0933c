import { createStore as createDatabase, del, get, set, values } from 'idb-keyval'
import { solve } from '#domain/reports/proof-of-work.ts'
import type { NewReport } from '#domain/reports/report.schema.ts'
import { RequestError } from '#web/api/http.ts'
import { type OwnReport, ownPhotos, requestChallenge, sendReport } from '#web/api/reports.api.ts'
import { createUploads, runUnlisted, serverMayBeBack, type UploadItem } from '#web/api/uploads.ts'
import { createStore } from '#web/ui/external-store.ts'
import { hasReportsKey } from '#web/ui/stored-reports.ts'

// Reports of this browser. They wait in IndexedDB until the server has them, and stay listed there. Pages and the service
// worker send them with this code.

export type Photo = { id: string; file: Blob }

export type ReportOnDevice = OwnReport & {
  report: Omit<NewReport, 'secondsAgo'>
  /** By the clock of the device. The server gets the time that has passed. */
  madeAt: number
  /** From opening the form until it was last sent. Reports of earlier versions have none. */
  secondsOnForm?: number
  /** The field that must stay empty. */
  website?: string
  /** Assigned by the server; null until it has the report. */
  number: number | null
  title: string
  /** Those that the server does not have yet. */
  photos: readonly Photo[]
  /** Why the server rejected it; null otherwise. */
  problem: string | null
  /** Why it waits although the server can be reached. */
  pause?: string
  /** The browser cannot store it: it is lost if the page closes before the server has it. */
  isOnlyInPage?: boolean
}

const openDatabase = () => createDatabase('poa-reports', 'reports')
let database: ReturnType<typeof openDatabase> | undefined
const stored = () => {
  database ??= openDatabase()
  return database
}

/** In private windows, and without space, some browsers store nothing. */
const onlyInPage = new Map<string, ReportOnDevice>()

/** `indexedDB` itself may be missing or throw. */
async function storedOr<Result>(
  other: Result,
  work: (store: ReturnType<typeof openDatabase>) => Promise<Result>,
) {
  try {
    return await work(stored())
  } catch {
    return other
  }
}

const find = async (id: string) =>
  onlyInPage.get(id) ?? (await storedOr(undefined, (store) => get<ReportOnDevice>(id, store)))

const { get: listed, set: publish, use } = createStore<readonly ReportOnDevice[] | null>(null)
export const useReportsOnDevice = use

class NotNowError extends Error {}

/** Waiting for a connection would keep the lock from the others. */
const uploads = createUploads<UploadItem>(() => Promise.reject(new NotNowError('Reports are sent later.')))

/** Tells the other pages and the service worker that a stored report has changed. */
const changes = globalThis.BroadcastChannel && new BroadcastChannel('poa-reports')

/** The browser starts the service worker for it, even without a page. */
export const syncName = 'send-reports'

const isDone = ({ number, photos, problem }: ReportOnDevice) =>
  problem !== null || (number !== null && photos.length === 0)

const isWaiting = (report: ReportOnDevice) => !isDone(report)

export const areReportsWaiting = () => (listed() ?? []).some(isWaiting)

export async function loadReports(): Promise<void> {
  const inStore = await storedOr([], (store) => values<ReportOnDevice>(store))
  const reports = [...inStore.filter(({ id }) => !onlyInPage.has(id)), ...onlyInPage.values()]
  publish(reports.toSorted((one, other) => other.madeAt - one.madeAt))
}

async function store(report: ReportOnDevice) {
  const { isOnlyInPage: _, ...rest } = report
  const isStored = await storedOr(false, (store) => set(report.id, rest, store).then(() => true))
  if (isStored) onlyInPage.delete(report.id)
  else onlyInPage.set(report.id, { ...report, isOnlyInPage: true })
  await noteChange()
}

async function noteChange() {
  changes?.postMessage('changed')
  await loadReports()
}

export async function removeReport(id: string) {
  onlyInPage.delete(id)
  await storedOr(undefined, (store) => del(id, store))
  await noteChange()
}

/** Resolves as soon as the report is stored on the device, or in the page if that is not possible. */
export async function keepReport(report: ReportOnDevice): Promise<void> {
  await store(report)
  try {
    localStorage.setItem(hasReportsKey, 'yes')
  } catch {
    // Full. The list is shown after the next report.
  }
  followConnection()
  void sendLater()
}

/** Not in every browser, and not over plain HTTP. */
async function sendLater() {
  type Syncing = ServiceWorkerRegistration & { sync?: { register(name: string): Promise<void> } }
  const registration: Syncing | undefined = await navigator.serviceWorker?.ready
  await registration?.sync?.register(syncName).catch(() => {})
}

let sending: Promise<void> | undefined

/** Safe to call at any time; pages and the service worker take turns. Rejects if some have to be sent later. */
export function sendWaitingReports(): Promise<void> {
  sending ??= inTurn(sendAll).finally(() => {
    sending = undefined
  })
  return sending
}

/** Without locks (plain HTTP), two tabs may send the same report, which the server creates once. */
const inTurn = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('poa-reports', work) : work()

async function sendAll() {
  await loadReports()
  let problem: unknown
  for (const { id } of (listed() ?? []).filter(isWaiting)) {
    const report = await find(id)
    if (report && isWaiting(report))
      await send(report).catch((error: unknown) => {
        problem = error
      })
  }
  if (problem) throw problem
}

async function send(report: ReportOnDevice) {
  const { id } = report
  const problem = await runUnlisted(uploads, id, () => sendParts(report))
  const current = problem === null ? undefined : await find(id)
  if (current) await store({ ...current, problem })
}

async function sendParts(report: ReportOnDevice): Promise<ReportOnDevice | null> {
  let current = report
  if (current.number === null) {
    const { mapId, madeAt } = report
    const secondsAgo = secondsSince(madeAt)
    const { website = '', secondsOnForm = null } = report
    // Anew each time: a report may have waited for days.
    const work = await solve(await requestChallenge(mapId), report.id)
    const sending = { ...report.report, secondsAgo, check: { website, secondsOnForm, work } }
    const sent = await sendReport(mapId, sending).catch(pauseOf)
    if ('pause' in sent) {
      await store({ ...current, ...sent })
      setTimeout(check, pauseMs)
      return null
    }
    const { number, title } = sent
    current = { ...current, number, title }
    await store(current)
  }
  for (const photo of current.photos) {
    await uploads.sendPhoto(report.id, photo, ownPhotos(current))
    current = { ...current, photos: current.photos.filter((other) => other.id !== photo.id) }
    await store(current)
  }
  return current
}

export const secondsSince = (time: number) => Math.max(0, Math.round((Date.now() - time) / 1_000))

/** After the server rejected it, for example as spam. */
export async function sendAgain(id: string): Promise<void> {
  const report = await find(id)
  if (!report) return
  const secondsOnForm = (report.secondsOnForm ?? 0) + secondsSince(report.madeAt)
  await store({ ...report, problem: null, website: '', secondsOnForm })
  check()
}

/** Beyond the limit of reports per hour. */
const pauseMs = 600_000

function pauseOf(error: Error): { pause: string } {
  if (error instanceof RequestError && error.status === 429) return { pause: error.message }
  throw error
}

let isRetrying = false
let isFollowing = false

function check() {
  sendWaitingReports().catch(async (error) => {
    if (isRetrying || !(error instanceof NotNowError)) return
    isRetrying = true
    await serverMayBeBack()
    isRetrying = false
    check()
  })
}

/** Sends what waits now, and whenever the device is online or used again. */
export function followConnection() {
  check()
  if (isFollowing) return
  isFollowing = true
  for (const event of ['online', 'focus'] as const) window.addEventListener(event, check)
  changes?.addEventListener('message', () => void loadReports())
}
