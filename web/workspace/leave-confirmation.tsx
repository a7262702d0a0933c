import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirmation, usePreloadedConfirmation } from '#web/ui/confirmation.tsx'

type Words = { title: string; text: string; go: string }

type LeaveConfirmationProps = {
  wordsFor(path: { from: string; to: string }): Words | null
  onLeave?(): void
}

export function LeaveConfirmation({ wordsFor, onLeave }: LeaveConfirmationProps) {
  usePreloadedConfirmation()
  const [words, setWords] = useState<Words | null>(null)
  const { proceed, reset, status } = useBlocker({
    // Search and hash may change freely, for example with the camera.
    shouldBlockFn({ current, next }) {
      if (next.pathname === current.pathname) return false
      const warning = wordsFor({ from: current.pathname, to: next.pathname })
      if (warning) setWords(warning)
      return warning !== null
    },
    // web/ui/unsaved-work.ts handles closing the page.
    enableBeforeUnload: false,
    withResolver: true,
  })
  return (
    <Confirmation
      title={words?.title ?? ''}
      isOpen={status === 'blocked'}
      stay="Stay"
      onStay={() => reset?.()}
      go={words?.go ?? ''}
      onGo={() => {
        onLeave?.()
        proceed?.()
      }}
      isDestructive
    >
      {() => <Text size="md">{words?.text}</Text>}
    </Confirmation>
  )
}
