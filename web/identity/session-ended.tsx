import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useClosedSession } from '#web/api/closed-session.ts'
import { onSessionEnded } from '#web/api/http.ts'
import { sessionQuery, signInAddress } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { onSessionNews } from './session-channel.ts'

/** Section 9 of the specification. */
const popupTimeoutMs = 60_000

const pollMs = 500

/** The screen does not change; refused saves are sent again after the sign-in. */
export function SessionEnded() {
  const queryClient = useQueryClient()
  const session = useSession()
  const isClosed = useClosedSession() !== null
  const [wasSignedIn, setWasSignedIn] = useState(false)
  const [isRefused, setIsRefused] = useState(false)
  const [isAway, setIsAway] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([])
  const popup = useRef<Window>(null)
  const isIn = session.status === 'authenticated'
  if (isIn && !wasSignedIn) setWasSignedIn(true)
  // Detected by a refused change, by the clock, or in another tab.
  const isOpen = !isClosed && (isRefused || (wasSignedIn && session.status === 'not-authenticated'))

  function answerAll(isSignedIn: boolean) {
    for (const resolve of waiting.current.splice(0)) resolve(isSignedIn)
    setIsRefused(false)
    setIsAway(false)
    setFailure(null)
  }
  const recheck = useEffectEvent(async () => {
    const { person } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
    if (person) answerAll(true)
    return person !== null
  })

  useEffect(
    () =>
      onSessionEnded(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve)
            setIsRefused(true)
          }),
      ),
    [],
  )

  useEffect(() => onSessionNews(() => void recheck().catch(() => {})), [])

  // After a deliberate sign-out, do not ask.
  const decline = useEffectEvent(() => answerAll(false))
  useEffect(() => {
    if (isClosed) decline()
  }, [isClosed])

  const expiresAt = isIn ? session.expiresAt : null
  useEffect(() => {
    if (expiresAt === null) return
    const remainingMs = Date.parse(expiresAt) - Date.now()
    const timer = window.setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      Math.min(Math.max(remainingMs, 0) + 1_000, 2 ** 31 - 1),
    )
    return () => window.clearTimeout(timer)
  }, [expiresAt, queryClient])

  const giveUp = useEffectEvent((why: string) => {
    setIsAway(false)
    setFailure(why)
  })
  // A popup on another site looks closed from here. It counts as closed once this page has the focus again and the
  // session is still missing.
  const poll = useEffectEvent(async () => {
    if (!(popup.current?.closed && document.hasFocus())) return
    const isIn = await recheck().catch(() => false)
    if (!isIn) giveUp('The sign-in window was closed before you signed in.')
  })
  useEffect(() => {
    if (!isAway) return
    const timer = window.setTimeout(() => giveUp('The sign-in timed out after 1 minute.'), popupTimeoutMs)
    const polling = window.setInterval(() => void poll(), pollMs)
    return () => {
      window.clearTimeout(timer)
      window.clearInterval(polling)
    }
  }, [isAway])

  function signInAgain() {
    setFailure(null)
    popup.current = window.open(
      signInAddress('/config/map', { isPopup: true }),
      'poa-sign-in',
      'width=480,height=640',
    )
    if (popup.current) setIsAway(true)
    else setFailure('The browser blocked the sign-in window. Allow pop-ups for this page.')
  }

  function close() {
    answerAll(false)
    setWasSignedIn(false)
  }

  return (
    <Dialog
      title="Your session has ended"
      isOpen={isOpen}
      onClose={close}
      closesByClickBeside={false}
      isOnTop
    >
      {() => (
        <>
          <Text size="md">Sign in again to continue. Your unsaved changes are still here.</Text>
          <FormFooter failure={failure}>
            <Button variant="default" onClick={close}>
              Not now
            </Button>
            <Button data-autofocus loading={isAway} onClick={signInAgain}>
              {failure ? 'Try again' : 'Sign in again'}
            </Button>
          </FormFooter>
        </>
      )}
    </Dialog>
  )
}
