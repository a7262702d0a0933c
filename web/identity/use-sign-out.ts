import { useMutation } from '@tanstack/react-query'
import { signOut } from '#web/api/session.api.ts'
import { discardUnsavedWork, leavePage } from '#web/ui/unsaved-work.ts'
import { tellSignedOut } from './session-channel.ts'
import { noteSignedOut } from './signed-out.ts'
import { useLeaveQuestion } from './use-leave-question.tsx'

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

/** Ends the session here, once what is not saved has been asked about. `question` is to be shown. */
export function useLogout() {
  const leave = useSignOut(signOut)
  const { ask, question } = useLeaveQuestion()
  return {
    ask: () => ask(() => leave.mutate()),
    question,
    isGoing: leave.isPending || leave.isSuccess,
    failure: leave.error?.message,
  }
}
