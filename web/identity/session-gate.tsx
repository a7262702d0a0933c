import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { type ClosedSession, useClosedSession } from '#web/api/closed-session.ts'
import { checkConnection, useConnection } from '#web/api/connection.ts'
import { signInAddress } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { CardPage, LoadingPage } from '#web/ui/card-page.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { AccountButton } from './account-button.tsx'
import { clearSignedOut, isSignedOut } from './session-channel.ts'

/**
 * Shows its children to signed-in users and redirects others to the sign-in. Children stay mounted when the session
 * ends, so that unsaved work survives (SessionEnded asks to sign in again).
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession()
  const closed = useClosedSession()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  const isIn = session.status === 'authenticated'
  if (isIn && !wasSignedIn) setWasSignedIn(true)
  useEffect(() => {
    if (isIn) clearSignedOut()
  }, [isIn])

  if (closed) return <SignedOutMeanwhile closed={closed} />
  if (isIn || wasSignedIn) return children
  if (session.status === 'loading') return <LoadingPage label="Loading your session" />
  if (session.status === 'error')
    return (
      <CardPage>
        <ErrorState title="Could not check your session." error={session.error} onRetry={session.retry} />
      </CardPage>
    )
  return isSignedOut() ? <SignedOut /> : <Redirecting />
}

function SignedOut() {
  return (
    <CardPage
      title="Signed out"
      ways={
        <>
          <AccountButton size="md" />
          <Button component={Link} to="/map" variant="default" size="md">
            View the public map
          </Button>
        </>
      }
    >
      <p>You can still view the public maps.</p>
    </CardPage>
  )
}

function SignedOutMeanwhile({ closed: { kept, lost } }: { closed: ClosedSession }) {
  const { pathname, search, hash } = window.location
  return (
    <CardPage
      title="You have been signed out"
      ways={
        <Button component="a" href={signInAddress(`${pathname}${search}${hash}`)}>
          Sign in again
        </Button>
      }
    >
      <p role="status">Your session ended, possibly in another tab. Staff data is hidden.</p>
      {kept.length > 0 && (
        <p>
          <b>{kept.join('; ')}</b>: still in this tab, available again when you sign in.
        </p>
      )}
      {lost.length > 0 && (
        <p>
          <b>{lost.join('; ')}</b>: discarded.
        </p>
      )}
    </CardPage>
  )
}

/** Waits for a connection first, because the redirect leaves this page. */
function Redirecting() {
  const { isAway } = useConnection()
  useEffect(() => {
    if (isAway) return
    let isUnmounted = false
    void checkConnection().then((isReachable) => {
      if (isUnmounted || !isReachable) return
      const { pathname, search, hash } = window.location
      window.location.replace(signInAddress(`${pathname}${search}${hash}`))
    })
    return () => {
      isUnmounted = true
    }
  }, [isAway])
  if (isAway)
    return (
      <CardPage
        ways={
          <Button variant="default" onClick={() => window.history.back()}>
            Back
          </Button>
        }
      >
        <p role="status">You are offline. You will be redirected to Login when the connection is back.</p>
      </CardPage>
    )
  return (
    <LoadingPage>
      <p role="status">Redirecting to Login...</p>
    </LoadingPage>
  )
}
