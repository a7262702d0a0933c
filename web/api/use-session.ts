import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AccessRule, isAllowed } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { useClosedSession } from './closed-session.ts'
import { sessionQuery } from './session.api.ts'

/** Section 4 of the specification. */
export type Session =
  | { status: 'loading' }
  | { status: 'authenticated'; person: Person; expiresAt: string | null; isDemo: boolean }
  | { status: 'not-authenticated'; isDemo: boolean }
  | { status: 'error'; error: Error; retry(): void }

export function useSession(): Session {
  const { data, error, isPending, refetch } = useQuery(sessionQuery)
  if (data) {
    const { person, expiresAt, isDemo } = data
    return person
      ? { status: 'authenticated', person, expiresAt, isDemo }
      : { status: 'not-authenticated', isDemo }
  }
  return isPending ? { status: 'loading' } : { status: 'error', error, retry: () => void refetch() }
}

export function useMay(rule: AccessRule, mapId?: string): boolean {
  const session = useSession()
  return isAllowed(session.status === 'authenticated' ? session.person.roles : null, rule, mapId)
}

/** Keeps a value of the user while the session is expired, until it is closed or another user signs in. */
function useWhileExpired(current: string | null): string | null {
  const { status } = useSession()
  const isClosed = useClosedSession() !== null
  const [last, setLast] = useState<string | null>(null)
  const value = status === 'authenticated' ? current : isClosed ? null : last
  if (value !== last) setLast(value)
  return value
}

export function usePersonId(): string | null {
  const session = useSession()
  return useWhileExpired(session.status === 'authenticated' ? session.person.id : null)
}

export function useEditorId(mapId: string): string | null {
  const personId = usePersonId()
  const mayEdit = useMay('editor', mapId) && mapId !== sampleMapId
  return useWhileExpired(mayEdit ? personId : null)
}
