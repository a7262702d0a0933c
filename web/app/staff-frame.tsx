import '@mantine/notifications/styles.css'
import { Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { onSessionClosed } from '#web/api/closed-session.ts'
import { usePersonId } from '#web/api/use-session.ts'
import { SessionEnded } from '#web/identity/session-ended.tsx'
import { UnsavedRecords } from '#web/records/unsaved-records.tsx'
import { Guard } from '#web/ui/guard.tsx'
import classes from './staff-frame.module.css'

/** What every page needs on which staff can change something: what came of it, what is unsaved, and a way back in. */
export function StaffFrame({ isOverMap = false }: { isOverMap?: boolean }) {
  // They name what only staff see.
  useEffect(() => onSessionClosed(() => notifications.clean()), [])
  const personId = usePersonId()
  return (
    <>
      <SessionEnded />
      {personId !== null && (
        <Guard what="What keeps your changes" layout="note" waiting={null}>
          <UnsavedRecords key={personId} personId={personId} />
        </Guard>
      )}
      <Notifications
        position="bottom-right"
        classNames={{ root: classes.toasts }}
        data-over-map={isOverMap || undefined}
      />
    </>
  )
}
