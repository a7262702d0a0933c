import '@mantine/notifications/styles.css'
import { getDefaultZIndex } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSessionClosed } from '#web/api/closed-session.ts'
import { usePersonId } from '#web/api/use-session.ts'
import { SessionEnded } from '#web/identity/session-ended.tsx'
import { UnsavedRecords } from '#web/records/unsaved-records.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { leavePage } from '#web/ui/toasts.tsx'
import { followUndoOffers } from './follow-undo-offers.ts'
import classes from './staff-frame.module.css'

export function StaffFrame() {
  // Notifications may contain data for staff only.
  useEffect(() => onSessionClosed(() => notifications.clean()), [])
  const client = useQueryClient()
  useEffect(() => followUndoOffers(client), [client])
  const personId = usePersonId()
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: called for each page
  useEffect(leavePage, [page])
  return (
    <>
      <SessionEnded />
      {personId !== null && (
        <Guard what="The notice about unsaved changes" layout="note" waiting={null}>
          <UnsavedRecords key={personId} personId={personId} />
        </Guard>
      )}
      <Notifications
        position="top-center"
        layout="stacked"
        // Otherwise one that a finger closed would still hold the others.
        pauseResetOnHover="notification"
        zIndex={getDefaultZIndex('popover') - 1}
        classNames={{ root: classes.toasts, notification: classes.toast }}
        data-notices
      />
    </>
  )
}
