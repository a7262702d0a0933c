import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '#web/ui/dialog.tsx'

/**
 * Asks before unsaved settings are left behind on the way out of the map. From one section of the map to another they
 * come along.
 */
export function useUnsavedGuard(hasChanges: boolean, mapId: string, onDiscard: () => void) {
  const stays = (path: string) => path.startsWith(`/config/map/${mapId}/`)
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ next }) => hasChanges && !stays(next.pathname),
    // The page asks for everything that is unsaved.
    enableBeforeUnload: false,
    withResolver: true,
  })
  return (
    <Dialog title="Unsaved settings" isOpen={status === 'blocked'} onClose={() => reset?.()}>
      {() => (
        <>
          <Text size="md">The settings you have changed are not applied yet. Leaving throws them away.</Text>
          <Group justify="flex-end" mt="lg">
            <Button
              variant="default"
              onClick={() => {
                onDiscard()
                proceed?.()
              }}
            >
              Leave without applying
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
