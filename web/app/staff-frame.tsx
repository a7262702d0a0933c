import '@mantine/notifications/styles.css'
import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { onSessionClosed } from '#web/api/closed-session.ts'
import { SessionEnded } from '#web/identity/session-ended.tsx'
import classes from './staff-frame.module.css'

/** What every page needs on which staff can change something: what came of it, and a way back in. */
export function StaffFrame({ isOverMap = false }: { isOverMap?: boolean }) {
  // They name what only staff see.
  useEffect(() => onSessionClosed(() => notifications.clean()), [])
  return (
    <>
      <SessionEnded />
      <Notifications
        position="bottom-right"
        classNames={{ root: classes.toasts }}
        data-over-map={isOverMap || undefined}
      />
    </>
  )
}
