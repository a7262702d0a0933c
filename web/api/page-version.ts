import { useSyncExternalStore } from 'react'
import { onReturn } from './connection.ts'
import { answerWithinMs } from './http.ts'

// Whether the server hands out another build of the page than the one that runs here. A build is known by its first
// script, whose name changes with everything that is loaded later.

const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
const root = '<div id="root">'

let isOutdated = false
let isAsking = false
const listeners = new Set<() => void>()

export const isPageOutdated = () => isOutdated

/** Asks the server; what cannot be found out stays as it is. */
export async function checkPageVersion() {
  if (isOutdated || isAsking || !script) return
  isAsking = true
  try {
    const answer = await fetch('/', {
      cache: 'no-cache',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const page = await answer.text()
    // Other networks answer with pages of their own.
    isOutdated = answer.ok && page.includes(root) && !page.includes(new URL(script.src).pathname)
  } catch {
    // The connection has its own notice.
  } finally {
    isAsking = false
  }
  if (isOutdated) for (const listener of listeners) listener()
}

onReturn(() => void checkPageVersion())

export function usePageOutdated(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isPageOutdated)
}
