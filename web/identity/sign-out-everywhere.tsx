import { Text } from '@mantine/core'
import { useState } from 'react'
import { signOutEverywhere } from '#web/api/session.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { useLeaveQuestion } from './use-leave-question.tsx'
import { useSignOut } from './use-sign-out.ts'

export function useSignOutEverywhere() {
  const [isOpen, setIsOpen] = useState(false)
  const leave = useSignOut(signOutEverywhere)
  const { ask, dialog } = useLeaveQuestion()
  return {
    ask: () => ask(() => setIsOpen(true)),
    dialog: (
      <>
        {dialog}
        <Confirmation
          title="Sign out everywhere?"
          isOpen={isOpen}
          stay="Cancel"
          onStay={() => setIsOpen(false)}
          go={leave.isError ? 'Try again' : 'Sign out everywhere'}
          onGo={() => leave.mutate()}
          isGoing={leave.isPending || leave.isSuccess}
        >
          {() => (
            <>
              <Text size="md">
                This ends your sessions in all browsers and on all devices, including this one. Unsaved
                changes are lost.
              </Text>
              <Text size="md" mt="sm">
                Your access tokens stay valid. Revoke any that others may have.
              </Text>
              {leave.isError && (
                <Text size="md" c="var(--mantine-color-error)" mt="sm" role="alert">
                  {leave.error.message}
                </Text>
              )}
            </>
          )}
        </Confirmation>
      </>
    ),
  }
}
