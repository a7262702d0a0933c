import { useEffect, useEffectEvent } from 'react'

// Work on this page that is not saved. Everything that ends the page or the session checks it first.

export type UnsavedWork = {
  /** Such as 'Settings: Center, Zoom'; null while there is none. */
  describe(): string | null
  /** The tab keeps it over a reload, until its user signs in again. */
  isStored: boolean
  discard(): void
}

const works = new Set<UnsavedWork>()
let isLeaving = false

export function addUnsavedWork(work: UnsavedWork): () => void {
  works.add(work)
  return () => works.delete(work)
}

export function unsavedWork(): { text: string; isStored: boolean }[] {
  return [...works].flatMap((work) => {
    const text = work.describe()
    return text === null ? [] : [{ text, isStored: work.isStored }]
  })
}

export function discardUnsavedWork() {
  for (const work of works) work.discard()
}

export function leavePage(address: string) {
  isLeaving = true
  window.location.assign(address)
}

export function guardUnsavedWork() {
  window.addEventListener('beforeunload', (event) => {
    if (!isLeaving && unsavedWork().length > 0) event.preventDefault()
  })
  // The browser may restore the page from its cache.
  window.addEventListener('pageshow', () => {
    isLeaving = false
  })
}

/** `description` is null while there is nothing unsaved. */
export function useUnsavedWork(description: string | null, isStored: boolean, discard: () => void) {
  const describe = useEffectEvent(() => description)
  const discardCurrent = useEffectEvent(discard)
  useEffect(
    () => addUnsavedWork({ describe: () => describe(), isStored, discard: () => discardCurrent() }),
    [isStored],
  )
}
