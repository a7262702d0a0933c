import { useMutation } from '@tanstack/react-query'
import { discardUnsavedWork, leavePage } from '#web/ui/unsaved-work.ts'
import { tellSignedOut } from './session-channel.ts'
import { noteSignedOut } from './signed-out.ts'

/** Ends the session, here or everywhere, and leaves for the provider. Whoever calls it has asked about unsaved work. */
export function useSignOut(end: () => Promise<{ redirectTo: string }>) {
  return useMutation({
    mutationFn: end,
    onSuccess: ({ redirectTo }) => {
      discardUnsavedWork()
      noteSignedOut()
      tellSignedOut()
      leavePage(redirectTo)
    },
  })
}
