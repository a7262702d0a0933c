import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '#web/ui/dialog.tsx'

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
    <Dialog title="Unsaved shapes" isOpen={status === 'blocked'} onClose={() => reset?.()}>
      {() => (
        <>
          <Text size="md">What you have drawn or changed is not saved yet. Leaving throws it away.</Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => proceed?.()}>
              Leave without saving
            </Button>
            <Button data-autofocus onClick={() => reset?.()}>
              Stay
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}
