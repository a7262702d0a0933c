import { useEffect, useEffectEvent } from 'react'

// What people have made on this page and nobody else has yet. Whoever is about to end the page asks here first.

export type UnsavedWork = {
  /** As it stands in a list: 'Settings: Centre, Zoom'. Null while there is none. */
  describe(): string | null
  /** The tab keeps it: over a reload, and until the person who made it is signed in again. */
  isKept: boolean
  /** The person lets go of it. */
  discard(): void
}

const works = new Set<UnsavedWork>()
let isLeaving = false

/** Returns how to take it back. */
export function addUnsavedWork(work: UnsavedWork): () => void {
  works.add(work)
  return () => works.delete(work)
}

export function unsavedWork(): { text: string; isKept: boolean }[] {
  return [...works].flatMap((work) => {
    const text = work.describe()
    return text === null ? [] : [{ text, isKept: work.isKept }]
  })
}

export function discardUnsavedWork() {
  for (const work of works) work.discard()
}

/** Leaves the page for good: it was asked before, so the browser does not ask again. */
export function leavePage(address: string) {
  isLeaving = true
  window.location.assign(address)
}

window.addEventListener('beforeunload', (event) => {
  if (!isLeaving && unsavedWork().length > 0) event.preventDefault()
})
// The browser may bring the page back as it was.
window.addEventListener('pageshow', () => {
  isLeaving = false
})

/** `description` is null while there is nothing unsaved. */
export function useUnsavedWork(description: string | null, isKept: boolean, discard: () => void) {
  const describe = useEffectEvent(() => description)
  const letGo = useEffectEvent(discard)
  useEffect(() => addUnsavedWork({ describe: () => describe(), isKept, discard: () => letGo() }), [isKept])
}
