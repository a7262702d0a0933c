import { CloseButton } from '@mantine/core'
import { IconLogout2, IconPlugConnectedX } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { type ClosedSession, useClosedSession } from '#web/api/closed-session.ts'
import { useConnection } from '#web/api/connection.ts'
import { signInAddress } from '#web/api/session.api.ts'
import { useSessionWatch } from '#web/identity/use-session-watch.ts'
import { clockTime } from '#web/ui/relative-time.ts'
import classes from './frame.module.css'

export function Frame() {
  useSessionWatch()
  return (
    <div className={classes.frame}>
      <ConnectionNotice />
      <SignedOutNotice />
      <div className={classes.screen}>
        <Outlet />
      </div>
    </div>
  )
}

function SignedOutNotice() {
  const closed = useClosedSession()
  const isPublic = useLocation({ select: ({ pathname }) => !/^\/config(\/|$)/.test(pathname) })
  const [seen, setSeen] = useState<ClosedSession | null>(null)
  if (!closed || !isPublic || seen === closed) return <div role="status" />
  const { pathname, search, hash } = window.location
  const unsaved = [
    ...closed.kept.map((text) => `${text}: kept in this tab until you sign in again.`),
    ...closed.lost.map((text) => `${text}: not saved, and closed with it.`),
  ]
  return (
    <div role="status">
      <p className={classes.notice}>
        <IconLogout2 size={16} aria-hidden="true" />
        <span>
          You have been signed out, perhaps in another tab: you see what everybody sees. {unsaved.join(' ')}{' '}
          <a href={signInAddress(`${pathname}${search}${hash}`)}>Sign in again</a>
        </span>
        <CloseButton size="sm" aria-label="Close" onClick={() => setSeen(closed)} />
      </p>
    </div>
  )
}

function ConnectionNotice() {
  const { isAway, isLiveLost, asOf } = useConnection()
  // A live region must exist before its text for all screen readers to announce it.
  return (
    <div role="status">
      {(isAway || isLiveLost) && (
        <p className={classes.notice}>
          <IconPlugConnectedX size={16} aria-hidden="true" />
          <span>
            {isAway ? 'No connection.' : 'Changes do not arrive at the moment.'} What you see is as of{' '}
            <time dateTime={new Date(asOf).toISOString()}>{clockTime(asOf)}</time>.
          </span>
        </p>
      )}
    </div>
  )
}
