import { Button } from '@mantine/core'
import { IconViewfinder } from '@tabler/icons-react'

type UseCurrentViewProps = { for: string; isReady: boolean; onUse(): void }

/** Fills a group of fields from the map beside the panel. */
export function UseCurrentView({ for: group, isReady, onUse }: UseCurrentViewProps) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconViewfinder size={16} aria-hidden="true" />}
      disabled={!isReady}
      aria-label={`Use current view for ${group}`}
      onClick={onUse}
    >
      Use current view
    </Button>
  )
}
