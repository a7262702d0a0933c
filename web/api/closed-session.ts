import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { sessionQuery } from './session.api.ts'

// A session that was ended on purpose, here or elsewhere, takes what only staff see with it: off the screen and out of
// memory. (One that has merely run out leaves everything as it is until somebody signs in again.)

/** What was unsaved then: kept by the tab, or lost. */
export type ClosedSession = { kept: readonly string[]; lost: readonly string[] }

let closed: ClosedSession | null = null
const listeners = new Set<() => void>()

/** What is the same for everybody stays, so that an open map does not begin anew. */
const isForEverybody = ([subject, , part]: readonly unknown[]) =>
  subject === 'session' || subject === 'settings' || part === 'summary' || part === 'configuration'

export function closeSession(client: QueryClient, unsaved: ClosedSession) {
  client.setQueryData(
    sessionQuery.queryKey,
    (answer) => answer && { ...answer, person: null, expiresAt: null },
  )
  setClosed(unsaved)
  forgetStaffData(client)
}

/** Drops every answer that was given to a person; what is in view is asked for again, as it is for who asks now. */
export function forgetStaffData(client: QueryClient) {
  // What staff alone may ask has left the page by then.
  window.setTimeout(() => {
    const filters = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !isForEverybody(queryKey),
    }
    client.removeQueries({ ...filters, type: 'inactive' })
    client.getMutationCache().clear()
    void client.resetQueries(filters)
  })
}

export function reopenSession() {
  if (closed) setClosed(null)
}

function setClosed(now: ClosedSession | null) {
  closed = now
  for (const listener of listeners) listener()
}

/** Returns how to stop. */
export function onSessionClosed(act: () => void): () => void {
  const listener = () => {
    if (closed) act()
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useClosedSession(): ClosedSession | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => closed,
  )
}
