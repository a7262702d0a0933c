import type { QueryClient } from '@tanstack/react-query'
import { createStore } from '#web/ui/external-store.ts'
import { sessionQuery } from './session.api.ts'

// After a sign-out, here or in another tab, staff data leaves the screen and the memory. A session that expired leaves
// everything as it is until the user signs in again.

export type ClosedSession = { kept: readonly string[]; lost: readonly string[] }

const closed = createStore<ClosedSession | null>(null)

/** Data that is the same for all users stays, so that an open map does not reload. */
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

export function forgetStaffData(client: QueryClient) {
  // After the components for staff are unmounted.
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

export const onSessionClosed = (act: () => void) => closed.listen(() => closed.get() && act())

export const useClosedSession = closed.use
