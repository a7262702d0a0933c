import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Question } from '#web/ui/dialog.tsx'

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
    <Question
      title="Unsaved settings"
      isOpen={status === 'blocked'}
      stay="Stay"
      onStay={() => reset?.()}
      go="Leave without applying"
      onGo={() => {
        onDiscard()
        proceed?.()
      }}
      advised="stay"
    >
      {() => (
        <Text size="md">The settings you have changed are not applied yet. Leaving throws them away.</Text>
      )}
    </Question>
  )
}
