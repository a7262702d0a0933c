import type { QueryClient } from '@tanstack/react-query'
import { createStore } from '#web/ui/external-store.ts'
import { sessionQuery } from './session.api.ts'

// After a sign-out, here or in another tab, staff data leaves the screen and the memory. A session that expired leaves
// everything as it is until the user signs in again.

/** The work that was unsaved then: kept by the tab, or lost. */
export type ClosedSession = { kept: readonly string[]; lost: readonly string[] }

const closed = createStore<ClosedSession | null>(null)

/** Data that is the same for all users stays, so that an open map does not start again. */
const isForEverybody = ([subject, , part]: readonly unknown[]) =>
  subject === 'session' || subject === 'settings' || part === 'summary' || part === 'configuration'

export function closeSession(client: QueryClient, unsaved: ClosedSession) {
  client.setQueryData(
    sessionQuery.queryKey,
    (answer) => answer && { ...answer, person: null, expiresAt: null },
  )
  closed.set(unsaved)
  forgetStaffData(client)
}

/** Drops all cached data of the user, and reloads the visible data as the current user may see it. */
export function forgetStaffData(client: QueryClient) {
  // Later, when the components for staff are gone from the page.
  setTimeout(() => {
    const filters = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !isForEverybody(queryKey),
    }
    client.removeQueries({ ...filters, type: 'inactive' })
    client.getMutationCache().clear()
    void client.resetQueries(filters)
  })
}

export function reopenSession() {
  if (closed.get()) closed.set(null)
}

/** Returns a function that stops it. */
export const onSessionClosed = (act: () => void) => closed.listen(() => closed.get() && act())

export const useClosedSession = closed.use
