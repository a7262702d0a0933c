import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Question } from '#web/ui/dialog.tsx'

/** Asks before shapes that are being changed are left behind on the way to another page. */
export function UnsavedShapes({ hasUnsaved }: { hasUnsaved: boolean }) {
  const { proceed, reset, status } = useBlocker({
    // What else the address tells changes while one draws: the camera above all.
    shouldBlockFn: ({ current, next }) => hasUnsaved && next.pathname !== current.pathname,
    // The page asks for everything that is unsaved.
    enableBeforeUnload: false,
    withResolver: true,
  })
  return (
    <Question
      title="Unsaved shapes"
      isOpen={status === 'blocked'}
      stay="Stay"
      onStay={() => reset?.()}
      go="Leave without saving"
      onGo={() => proceed?.()}
      advised="stay"
    >
      {() => <Text size="md">What you have drawn or changed is not saved yet. Leaving throws it away.</Text>}
    </Question>
  )
}
