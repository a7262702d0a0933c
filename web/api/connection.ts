import { copiedAtName } from '#domain/opening/opening-page.ts'
import { createListeners, createStore } from '#web/ui/external-store.ts'

// Whether the server can be reached. A failed request and the browser's `offline` event only start a check; the answer
// to the check decides.

export type Connection = {
  isAway: boolean
  /** The server answers, but the stream of changes is lost. */
  isLiveLost: boolean
  /** When the screen was last known to be up to date, in milliseconds since 1970. */
  asOf: number
}

const healthAddress = '/health/live'
const answerWithinMs = 5_000
const leastPauseMs = 1_000
const maxPauseMs = 8_000

const connection = createStore<Connection>({ isAway: false, isLiveLost: false, asOf: Date.now() })
const returns = createListeners()
let lastHeard = timeOfCopy() ?? Date.now()
let requests = 0
/** The number of the last request before the server went away. */
let lastBeforeAway = 0
let asking: Promise<boolean> | null = null
/** The browser reported `offline`, and no answer has come since. */
let wasCut = false
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Of a document that the service worker answered without a connection. Service workers have none. */
function timeOfCopy(): number | null {
  const meta = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${copiedAtName}]`)
  return meta ? Date.parse(meta.content) || null : null
}

const set = (changes: Partial<Connection>) => connection.set({ ...connection.get(), ...changes })

/** Numbers requests in the order in which they are sent: clocks may be set back. */
export const nextRequest = () => ++requests

/** Records an answer, whatever its status, to a request of this number. */
export function noteAnswer(request: number) {
  lastHeard = Date.now()
  // A request sent before the server went away proves nothing.
  if (isServerAway() && request <= lastBeforeAway) return
  // The network returned before a check failed, but requests sent meanwhile have failed.
  const isBack = wasCut && navigator.onLine
  if (!isServerAway() && !isBack) return
  wasCut = false
  failures = 0
  clearTimeout(timer)
  set({ isAway: false })
  returns.call()
}

export function doubtConnection() {
  void checkConnection()
}

export function checkConnection(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

async function ask(): Promise<boolean> {
  const request = nextRequest()
  const isReachable = await isAnswered()
  if (isReachable) {
    noteAnswer(request)
    // The check may have been sent before the network went.
    if (!navigator.onLine) scheduleCheck(maxPauseMs)
    return true
  }
  if (!isServerAway()) {
    lastBeforeAway = requests
    set({ isAway: true, asOf: lastHeard })
  }
  scheduleCheck(Math.min(maxPauseMs, leastPauseMs * 2 ** failures++))
  return false
}

function scheduleCheck(ms: number) {
  clearTimeout(timer)
  timer = setTimeout(doubtConnection, ms)
}

async function isAnswered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs)
    const answer = await fetch(healthAddress, { cache: 'no-store', signal })
    // Gateways and captive portals answer with their own pages.
    return answer.ok && (answer.headers.get('content-type') ?? '').includes('json')
  } catch {
    return false
  }
}

export function noteLive({ isLost }: { isLost: boolean }) {
  if (isLost === connection.get().isLiveLost) return
  set(isLost && !isServerAway() ? { isLiveLost: true, asOf: lastHeard } : { isLiveLost: isLost })
}

export function noteUpToDate() {
  lastHeard = Date.now()
}

export const onReturn = returns.add

export const isServerAway = () => connection.get().isAway

export const useConnection = connection.use

export function watchConnection() {
  window.addEventListener('offline', () => {
    wasCut = true
    doubtConnection()
  })
  window.addEventListener('online', doubtConnection)
  document.addEventListener('visibilitychange', () => {
    if (isServerAway() && document.visibilityState === 'visible') doubtConnection()
  })
}
