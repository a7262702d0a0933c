import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'
import { SessionEnded } from '#web/identity/session-ended.tsx'

/** What every page needs on which staff can change something: what came of it, and a way back in. */
export function StaffFrame() {
  return (
    <>
      <SessionEnded />
      <Notifications position="top-center" />
    </>
  )
}
