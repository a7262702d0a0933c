import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AccessRule, isAllowed } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { useClosedSession } from './closed-session.ts'
import { sessionQuery } from './session.api.ts'

/** Section 4 of the specification: loading, authenticated or not, error. */
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

/** Whether to offer what the server would allow. */
export function useMay(rule: AccessRule, mapId?: string): boolean {
  const session = useSession()
  return isAllowed(session.status === 'authenticated' ? session.person.roles : null, rule, mapId)
}

/**
 * Who may change the records of a map, by their id: null for everybody else. A session that has merely run out leaves what
 * they are at on the screen, until somebody is signed in again or it is closed.
 */
export function useEditorId(mapId: string): string | null {
  const session = useSession()
  const mayEdit = useMay('editor', mapId)
  const isClosed = useClosedSession() !== null
  const [known, setKnown] = useState<string | null>(null)
  const editorId =
    session.status === 'authenticated' ? (mayEdit ? session.person.id : null) : isClosed ? null : known
  if (editorId !== known) setKnown(editorId)
  return mapId === sampleMapId ? null : editorId
}
