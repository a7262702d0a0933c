import { Button, Loader } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { type ClosedSession, useClosedSession } from '#web/api/closed-session.ts'
import { checkConnection, useConnection } from '#web/api/connection.ts'
import { signInAddress } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { AccountButton } from './account-button.tsx'
import { clearSignedOut, isSignedOut } from './session-channel.ts'
import classes from './session-gate.module.css'

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
  if (session.status === 'loading')
    return (
      <main className={classes.gate} aria-busy="true">
        <Loader aria-label="Loading your session" />
      </main>
    )
  if (session.status === 'error')
    return (
      <main className={classes.gate}>
        <ErrorState title="Could not check your session." error={session.error} onRetry={session.retry} />
      </main>
    )
  return isSignedOut() ? <SignedOut /> : <Redirecting />
}

function SignedOut() {
  return (
    <main className={classes.gate}>
      <h1>Signed out</h1>
      <p>You can still view the public maps.</p>
      <AccountButton size="md" />
    </main>
  )
}

function SignedOutMeanwhile({ closed: { kept, lost } }: { closed: ClosedSession }) {
  const { pathname, search, hash } = window.location
  return (
    <main className={classes.gate}>
      <h1>You have been signed out</h1>
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
      <Button component="a" href={signInAddress(`${pathname}${search}${hash}`)}>
        Sign in again
      </Button>
    </main>
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
      <main className={classes.gate}>
        <p role="status">You are offline. You will be redirected to Login when the connection is back.</p>
        <Button variant="default" onClick={() => window.history.back()}>
          Back
        </Button>
      </main>
    )
  return (
    <main className={classes.gate}>
      <Loader aria-hidden="true" />
      <p role="status">Redirecting to Login...</p>
    </main>
  )
}
