import { useSyncExternalStore } from 'react'

// The one place that knows whether the server can be reached: a network that is gone and a server that is down are
// the same to whoever waits. A request without an answer only raises the doubt, as does the browser's own word; what
// counts is whether the server answers the plainest of questions.

export type Connection = {
  isAway: boolean
  /** The server answers, but tells of no changes. */
  isLiveLost: boolean
  /** Until when what is on the screen was known to be as it is, in milliseconds since 1970. */
  asOf: number
}

const question = '/health/live'
const answerWithinMs = 5_000
const leastPauseMs = 1_000
const mostPauseMs = 8_000

let connection: Connection = { isAway: false, isLiveLost: false, asOf: Date.now() }
let lastHeard = Date.now()
let awaySince = 0
let asking: Promise<boolean> | null = null
/** The browser has said that there is no network; since then it has not been seen that there is. */
let wasCut = false
let failures = 0
let timer: number | undefined
const listeners = new Set<() => void>()
const returns = new Set<() => void>()

function set(changes: Partial<Connection>) {
  connection = { ...connection, ...changes }
  for (const listener of listeners) listener()
}

/** An answer came, whatever it said, to what was asked at this instant. */
export function noteAnswer(askedAt: number) {
  lastHeard = Date.now()
  // What was on its way before the server was away says nothing of now.
  if (connection.isAway && askedAt < awaySince) return
  // Back before it was found out that the server was away: what was asked meanwhile has failed all the same.
  const isBack = wasCut && navigator.onLine
  if (!connection.isAway && !isBack) return
  wasCut = false
  failures = 0
  window.clearTimeout(timer)
  set({ isAway: false })
  for (const listener of returns) listener()
}

/** Something went without an answer: is anybody there? */
export function doubtConnection() {
  void checkConnection()
}

/** Whether the server answers now: who is about to leave the page for another one of it asks first. */
export function checkConnection(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null
  })
  return asking
}

async function ask(): Promise<boolean> {
  const askedAt = Date.now()
  const isThere = await isAnswered()
  if (isThere) {
    noteAnswer(askedAt)
    // The question may have been on its way before the network went.
    if (!navigator.onLine) askIn(mostPauseMs)
    return true
  }
  if (!connection.isAway) {
    awaySince = Date.now()
    set({ isAway: true, asOf: lastHeard })
  }
  askIn(Math.min(mostPauseMs, leastPauseMs * 2 ** failures++))
  return false
}

function askIn(ms: number) {
  window.clearTimeout(timer)
  timer = window.setTimeout(doubtConnection, ms)
}

async function isAnswered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs)
    const answer = await fetch(question, { cache: 'no-store', signal })
    // A gateway answers for a server that is down, and the network of a hotel for any, with a page of its own.
    return answer.ok && (answer.headers.get('content-type') ?? '').includes('json')
  } catch {
    return false
  }
}

/** The stream of changes is not there, and did not come back either; or all is well with it. */
export function noteLive({ isLost }: { isLost: boolean }) {
  if (isLost === connection.isLiveLost) return
  set(isLost && !connection.isAway ? { isLiveLost: true, asOf: lastHeard } : { isLiveLost: isLost })
}

/** What was on the screen until now was as it is. */
export function noteUpToDate() {
  lastHeard = Date.now()
}

/** Returns how to stop. */
export function onReturn(listener: () => void): () => void {
  returns.add(listener)
  return () => returns.delete(listener)
}

export const isServerAway = () => connection.isAway

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
}

window.addEventListener('offline', () => {
  wasCut = true
  doubtConnection()
})
window.addEventListener('online', doubtConnection)
document.addEventListener('visibilitychange', () => {
  if (connection.isAway && document.visibilityState === 'visible') doubtConnection()
})
