import { useMutation } from '@tanstack/react-query'
import { signOut } from '#web/api/session.api.ts'
import { discardUnsavedWork, leavePage } from '#web/ui/unsaved/unsaved-work.ts'
import { announceSignOut, markSignedOut } from './session-channel.ts'
import { useLeaveQuestion } from './use-leave-question.tsx'

export function useSignOut(end: () => Promise<{ redirectTo: string }>) {
  return useMutation({
    mutationFn: end,
    onSuccess: ({ redirectTo }) => {
      discardUnsavedWork()
      markSignedOut()
      announceSignOut()
      leavePage(redirectTo)
    },
  })
}

export function useLogout() {
  const leave = useSignOut(signOut)
  const { ask, dialog } = useLeaveQuestion()
  return {
    ask: () => ask(() => leave.mutate()),
    dialog,
    isGoing: leave.isPending || leave.isSuccess,
    failure: leave.error?.message,
  }
}
