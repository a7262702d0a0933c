import { createStore } from '#web/ui/external-store.ts'
import { onReturn } from './connection.ts'
import { answerWithinMs } from './http.ts'

// Whether the server serves another build of the page than the one that runs here. A build is recognized by its first
// script, whose name contains a hash.

const root = '<div id="root">'

const outdated = createStore(false)
let isAsking = false

export const isPageOutdated = outdated.get

export const usePageOutdated = outdated.use

export async function checkPageVersion() {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  if (isPageOutdated() || isAsking || !script) return
  isAsking = true
  try {
    const answer = await fetch('/', {
      cache: 'no-cache',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const page = await answer.text()
    // Captive portals answer with their own pages.
    if (answer.ok && page.includes(root) && !page.includes(new URL(script.src).pathname)) outdated.set(true)
  } catch {
  } finally {
    isAsking = false
  }
}

export const watchPageVersion = () => onReturn(() => void checkPageVersion())
