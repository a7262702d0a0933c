import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { closeSession, forgetStaffData, reopenSession } from '#web/api/closed-session.ts'
import { isWaitingForSignIn } from '#web/api/http.ts'
import { sessionQuery } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { unsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import { onSessionNews } from './session-channel.ts'

export function useSessionWatch() {
  const client = useQueryClient()
  const session = useSession()
  const lastSeen = useRef<{ id: string; expiresAt: string | null }>(null)

  const person = session.status === 'authenticated' ? session.person.id : null
  const expiresAt = session.status === 'authenticated' ? session.expiresAt : null
  const isOut = session.status === 'not-authenticated'
  // A layout effect, so that nothing is painted with the old data.
  useLayoutEffect(() => {
    const before = lastSeen.current
    if (person !== null) {
      if (before && before.id !== person) forgetStaffData(client)
      lastSeen.current = { id: person, expiresAt }
      reopenSession()
    } else if (isOut && before) {
      const hasExpired = before.expiresAt !== null && Date.parse(before.expiresAt) <= Date.now()
      // SessionEnded asks to sign in again.
      if (hasExpired || isWaitingForSignIn()) return
      lastSeen.current = null
      close(client)
    }
  }, [client, person, expiresAt, isOut])

  const check = useEffectEvent(() => {
    const isSeen = document.visibilityState === 'visible'
    if (isSeen && lastSeen.current && !isWaitingForSignIn())
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  const hear = useEffectEvent((news: 'signed-out' | 'changed') => {
    if (news === 'changed') return void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    if (!lastSeen.current) return
    lastSeen.current = null
    close(client)
  })
  useEffect(() => {
    const checkNow = () => check()
    const stopHearing = onSessionNews((news) => hear(news))
    window.addEventListener('focus', checkNow)
    window.addEventListener('pageshow', checkNow)
    document.addEventListener('visibilitychange', checkNow)
    return () => {
      stopHearing()
      window.removeEventListener('focus', checkNow)
      window.removeEventListener('pageshow', checkNow)
      document.removeEventListener('visibilitychange', checkNow)
    }
  }, [])
}

function close(client: QueryClient) {
  const unsaved = unsavedWork()
  const textsOf = (isStored: boolean) =>
    unsaved.filter((work) => work.isStored === isStored).map(({ text }) => text)
  closeSession(client, { kept: textsOf(true), lost: textsOf(false) })
}
